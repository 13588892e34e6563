#include "app/lab/setup/run_list.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "app/parts.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
constexpr int kRowsInSight = 4;
}

RunList::RunList(LabRuns* runs, QWidget* parent)
    : QWidget(parent),
      runs_(runs),
      title_(new QLabel(this)),
      list_(new QListWidget(this)),
      compare_(new QPushButton(this)),
      remove_(new QPushButton(this)) {
  set_ink(title_, &Tokens::ink2);
  title_->setBuddy(list_);
  list_->setProperty(kLook, QByteArray("quiet"));
  list_->setObjectName(QStringLiteral("lab_runs"));
  list_->setTextElideMode(Qt::ElideRight);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(space::kSmall);
  buttons->addWidget(compare_, 1);
  buttons->addWidget(remove_, 1);
  auto* column = column_in(this, space::kTight);
  column->addWidget(title_);
  column->addWidget(list_);
  column->addLayout(buttons);
  connect(list_, &QListWidget::itemActivated, this, [this] { runs_->choose(list_->currentRow()); });
  connect(list_, &QListWidget::itemClicked, this, [this] { runs_->choose(list_->currentRow()); });
  connect(list_, &QListWidget::currentRowChanged, this, &RunList::show_buttons);
  connect(compare_, &QPushButton::clicked, this, [this] { runs_->compare(list_->currentRow()); });
  connect(remove_, &QPushButton::clicked, this, &RunList::ask_to_remove);
  connect(runs_, &LabRuns::changed, this, &RunList::show_runs);
  retranslate();
  retranslates(this, [this] { retranslate(); });
}

void RunList::show_runs() {
  const QSignalBlocker quiet(list_);
  const int current = list_->currentRow();
  const auto count = static_cast<int>(runs_->all().size());
  while (list_->count() > count) delete list_->takeItem(list_->count() - 1);
  while (list_->count() < count) list_->addItem(QString());
  for (int i = 0; i < count; ++i) {
    QListWidgetItem* item = list_->item(i);
    item->setText(run_words(*runs_->all()[static_cast<std::size_t>(i)]));
    item->setSizeHint({0, control_height()});
    item->setFont(i == runs_->front() ? strong_font() : font());
  }
  if (count > 0) list_->setCurrentRow(std::clamp(current, 0, count - 1));
  list_->setFixedHeight(std::clamp(count, 1, kRowsInSight) * control_height() + 2 * space::kHair);
  setVisible(count > 0);
  show_buttons();
}

void RunList::show_buttons() {
  const int at = list_->currentRow();
  compare_->setEnabled(runs_->beside(at) >= 0);
  remove_->setEnabled(at >= 0);
}

void RunList::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete && list_->currentRow() >= 0) return ask_to_remove();
  QWidget::keyPressEvent(event);
}

void RunList::ask_to_remove() {
  const int at = list_->currentRow();
  if (at < 0) return;
  const LabShown::Run run = runs_->all()[static_cast<std::size_t>(at)];
  ask_to_lose(this, {tr("Remove this training? It cannot be brought back."), run_words(*run), tr("&Remove")},
              [runs = runs_, run] {
                const auto found = std::find(runs->all().begin(), runs->all().end(), run);
                if (found != runs->all().end()) runs->remove(static_cast<int>(found - runs->all().begin()));
              });
}

void RunList::retranslate() {
  title_->setText(tr("Trainings of this session"));
  compare_->setText(tr("Compare"));
  describe(compare_, tr("Compare"), tr("Puts it beside the one that is, or was, in front"));
  remove_->setText(tr("Remove"));
  describe(remove_, tr("Remove"), tr("Takes this training out of the list (Del)"));
  describe(list_, tr("Trainings of this session"), tr("Enter or a click shows one."));
  show_runs();
}

}  // namespace headlight
