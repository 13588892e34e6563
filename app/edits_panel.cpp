// A list with two buttons; Delete removes the row under the cursor.

#include "app/edits_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/actions.h"
#include "widgets/base/theme.h"

namespace headlight {

EditsPanel::EditsPanel(QWidget* parent)
    : QWidget(parent),
      empty_(new QLabel(this)),
      list_(new QListWidget(this)),
      remove_(new QPushButton(this)),
      clear_(new QPushButton(this)) {
  empty_->setWordWrap(true);
  empty_->setTextFormat(Qt::PlainText);
  empty_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  empty_->setMargin(8);
  list_->setFrameShape(QFrame::NoFrame);
  list_->installEventFilter(this);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(6, 0, 6, 6);
  buttons->addWidget(remove_);
  buttons->addWidget(clear_);
  buttons->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(empty_, 1);
  column->addWidget(list_, 1);
  column->addLayout(buttons);
  connect(remove_, &QPushButton::clicked, this, [this] { emit removeRequested(list_->currentRow()); });
  connect(clear_, &QPushButton::clicked, this, &EditsPanel::clearRequested);
  connect(list_, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
    const Intervention& edit = edits_[static_cast<std::size_t>(list_->row(item))];
    emit openRequested(QString::fromStdString(edit.site), static_cast<qint64>(edit.cell));
  });
  connect(&Theme::instance(), &Theme::changed, this, &EditsPanel::refresh);
  retranslate();
}

void EditsPanel::set_edits(const std::vector<Intervention>& edits) {
  if (edits == edits_) return;
  edits_ = edits;
  refresh();
}

void EditsPanel::refresh() {
  const int row = list_->currentRow();
  list_->clear();
  for (const Intervention& edit : edits_) {
    auto* item = new QListWidgetItem(QString::fromStdString(to_text(edit)), list_);
    item->setForeground(Theme::instance().edited());
    item->setToolTip(tr("Enter or a double click shows this number in the inspector; Delete takes the edit back."));
  }
  list_->setCurrentRow(std::clamp(row, 0, std::max(0, list_->count() - 1)));
  list_->setVisible(!edits_.empty());
  empty_->setVisible(edits_.empty());
  remove_->setVisible(!edits_.empty());
  clear_->setVisible(!edits_.empty());
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, Theme::instance().muted_text());
  empty_->setPalette(colours);
}

bool EditsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Delete || key == Qt::Key_Backspace) && list_->currentRow() >= 0) {
      emit removeRequested(list_->currentRow());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void EditsPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void EditsPanel::retranslate() {
  empty_->setText(tr(
      "Nothing changed yet. Right-click a weight, or change a number in the inspector: everything after it is computed "
      "again."));
  remove_->setText(tr("Remove"));
  remove_->setToolTip(tr("Take back the selected edit and compute again (Delete)"));
  clear_->setText(tr("Remove all"));
  clear_->setToolTip(tr("Take back every edit: the model untouched (Ctrl+R)"));
  list_->setAccessibleName(tr("Edited values"));
  refresh();
}

}  // namespace headlight
