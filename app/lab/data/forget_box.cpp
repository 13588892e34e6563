#include "app/lab/data/forget_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/base/controls.h"
#include "widgets/base/spoken.h"
#include "widgets/base/tokens.h"

namespace headlight {

ForgetBox::ForgetBox(QWidget* parent)
    : QWidget(parent),
      forget_(new QPushButton(this)),
      yes_(new QPushButton(this)),
      no_(new QPushButton(this)),
      question_(text_label(this)),
      asked_(new QWidget(this)) {
  forget_->setObjectName(QStringLiteral("sentences_forget"));
  yes_->setObjectName(QStringLiteral("sentences_forget_yes"));
  no_->setObjectName(QStringLiteral("sentences_forget_no"));
  forget_->setFlat(true);
  auto* rows = column_in(this, space::kSmall);
  rows->addWidget(forget_);
  rows->addWidget(asked_);
  auto* inside = column_in(asked_, space::kSmall);
  inside->addWidget(question_);
  auto* line = new QHBoxLayout;
  line->addWidget(no_);
  line->addWidget(yes_);
  inside->addLayout(line);
  asked_->hide();
  connect(forget_, &QPushButton::clicked, this, [this] { ask(true); });
  connect(no_, &QPushButton::clicked, this, [this] { ask(false); });
  connect(yes_, &QPushButton::clicked, this, [this] {
    ask(false);
    emit agreed();
  });
  retranslates(this, [this] { retranslate(); });
  retranslate();
}

void ForgetBox::set_lines(int lines) {
  lines_ = lines;
  retranslate();
}

// The keyboard goes to the button that loses nothing.
void ForgetBox::ask(bool asked) {
  if (asked == asking_) return;
  asking_ = asked;
  asked_->setVisible(asked);
  forget_->setVisible(!asked);
  (asked ? no_ : forget_)->setFocus(Qt::OtherFocusReason);
  if (asked) Spoken::instance().say(this, question_->text());
}

void ForgetBox::retranslate() {
  forget_->setText(tr("Forget all: data and weights"));
  forget_->setToolTip(wrapped_tooltip(tr("Deletes these lines and what was trained on them here. Asks first.")));
  question_->setText(
      tr("Delete %1 lines and what was trained on them here? They cannot be brought back. Names of pupils "
         "still stand in models that were saved and in files that were kept: delete those yourself.")
          .arg(lines_));
  yes_->setText(tr("Forget all"));
  no_->setText(tr("Keep them"));
}

}  // namespace headlight
