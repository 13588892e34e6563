#include "app/lab/setup/interrupted_offer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "app/lab/setup/training_words.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"

namespace headlight {

InterruptedOffer::InterruptedOffer(QWidget* parent)
    : QFrame(parent), sentence_(text_label(this)), go_on_(new QPushButton(this)), discard_(new QPushButton(this)) {
  setObjectName(QStringLiteral("interrupted_training"));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(space::kSmall);
  buttons->addWidget(go_on_);
  buttons->addWidget(discard_);
  buttons->addStretch(1);
  auto* column = column_in(this, space::kSmall);
  column->addWidget(sentence_);
  column->addLayout(buttons);
  connect(go_on_, &QPushButton::clicked, this, [this] {
    const std::filesystem::path folder = found_.front().folder;
    take();
    emit goOnAsked(folder);
  });
  connect(discard_, &QPushButton::clicked, this, &InterruptedOffer::ask_to_discard);
  hide();
  show_first();
  retranslates(this, [this] { show_first(); });
}

void InterruptedOffer::show_all(std::vector<KeptTraining::Interrupted> found) {
  found_ = std::move(found);
  show_first();
}

QString InterruptedOffer::sentence() const { return found_.empty() ? QString() : sentence_->text(); }

void InterruptedOffer::set_possible(bool possible) { go_on_->setEnabled(possible); }

void InterruptedOffer::show_first() {
  go_on_->setText(tr("Go on"));
  discard_->setText(tr("Discard"));
  describe(go_on_, tr("Go on"), tr("Goes on with this training from where it stood"));
  describe(discard_, tr("Discard"), tr("Removes what was kept of this training"));
  setVisible(!found_.empty());
  if (found_.empty()) return;
  const KeptNote& note = found_.front().note;
  sentence_->setText(tr("A training was interrupted at %L1 sentences: %2.")
                         .arg(qlonglong{note.read})
                         .arg(task_words(note.settings.task)));
  setAccessibleName(sentence_->text());
}

void InterruptedOffer::take() {
  found_.erase(found_.begin());
  show_first();
}

void InterruptedOffer::ask_to_discard() {
  const std::filesystem::path folder = found_.front().folder;
  ask_to_lose(this, {tr("Discard this training? It cannot be brought back."), sentence_->text(), tr("&Discard")},
              [this, folder] {
                if (found_.empty() || found_.front().folder != folder) return;
                KeptTraining::discard(folder);
                take();
              });
}

}  // namespace headlight
