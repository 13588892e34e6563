// A table of two columns, in groups: which keys, and what they do. Each text is whole: rows grow, none is shortened.

#include "app/dialogs/keyboard_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QScreen>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/actions.h"
#include "app/lab/lab_page.h"
#include "app/presentation/presenter.h"
#include "app/text/chat_field.h"
#include "widgets/base/nothing_found.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/canvas_keys.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

KeyboardDialog::KeyboardDialog(QWidget* parent)
    : QDialog(parent), filter_(new QLineEdit(this)), table_(new QTableWidget(0, 2, this)), none_(nothing_found(this)) {
  setWindowTitle(tr("Keyboard"));
  filter_->setPlaceholderText(tr("Find a key, or what it does"));
  filter_->setAccessibleName(filter_->placeholderText());
  filter_->setClearButtonEnabled(true);
  table_->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setTabKeyNavigation(false);
  table_->setAccessibleName(tr("List of keys"));
  none_->setText(tr("No key, and nothing that a key does, has all these words."));
  table_->setShowGrid(false);
  // Its rows are chosen in no picture.
  const auto colour = [this] { table_->setPalette(Theme::instance().palette()); };
  colour();
  Theme::instance().restyles(this, colour);
  fill();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(filter_, &QLineEdit::textChanged, this, &KeyboardDialog::show_matching);
  auto* column = new QVBoxLayout(this);
  column->addWidget(filter_);
  column->addWidget(table_, 1);
  column->addWidget(none_, 1);
  column->addWidget(buttons);
  table_->selectRow(1);
  // Wide enough for most sentences in one line, whatever the size of the letters.
  const int letter = fontMetrics().averageCharWidth();
  setMinimumWidth(std::min(60 * letter, screen()->availableSize().width() * 9 / 10));
  resize(QSize(105 * letter, 90 * letter).boundedTo(screen()->availableSize() * 0.9));
}

void KeyboardDialog::fill() {
  add_group(tr("In a picture"));
  for (const CanvasKeyRow& row : canvas_key_table()) add_row(canvas_key_text(row.keys), canvas_key_text(row.what));
  add_group(tr("In ‘Every operation’"));
  for (const StepperView::KeyRow& row : StepperView::key_table())
    add_row(QString::fromUtf8(row.keys), StepperView::key_text(row.what));
  add_group(tr("In a chat"));
  for (const ChatField::KeyRow& row : ChatField::key_table())
    add_row(QString::fromUtf8(row.keys), ChatField::key_text(row.what));
  add_group(tr("In the lab"));
  for (const LabPage::KeyRow& row : LabPage::key_table())
    add_row(QString::fromUtf8(row.keys), LabPage::key_text(row.what));
  add_group(tr("While presenting"));
  for (const Presenter::KeyRow& row : Presenter::key_table())
    add_row(QString::fromUtf8(row.keys), Presenter::key_text(row.what));
  add_group(tr("Everywhere in the window"));
  for (const ViewKeyRow& row : view_key_table()) add_row(QString::fromUtf8(row.keys), translated_action(row.what));
  for (const ActionRow& row : action_table()) {
    QStringList keys;
    for (const QKeySequence& key : shortcuts_of(row)) keys << key.toString(QKeySequence::NativeText);
    if (keys.isEmpty()) continue;
    add_row(keys.join(QStringLiteral(" / ")), plain_action_text(translated_action(row.text)),
            translated_action(row.tooltip));
  }
}

void KeyboardDialog::add_group(const QString& title) {
  const int row = table_->rowCount();
  groups_ << row;
  table_->insertRow(row);
  table_->setSpan(row, 0, 1, 2);
  auto* item = new QTableWidgetItem(title);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  item->setFont(bold);
  item->setFlags(Qt::ItemIsEnabled);
  table_->setItem(row, 0, item);
}

void KeyboardDialog::add_row(const QString& keys, const QString& what, const QString& tooltip) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  table_->setItem(row, 0, new QTableWidgetItem(keys));
  table_->setItem(row, 1, new QTableWidgetItem(what));
  table_->item(row, 1)->setToolTip(tooltip);
}

// Rows with all words that were typed; a group stands there as long as one of its rows does.
void KeyboardDialog::show_matching(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  int group = -1, first = -1;
  for (int row = 0; row < table_->rowCount(); ++row) {
    const bool is_group = groups_.contains(row);
    bool shown = false;
    if (is_group) {
      group = row;
    } else {
      const QTableWidgetItem* what = table_->item(row, 1);
      const QString all = table_->item(row, 0)->text() + QLatin1Char(' ') + what->text() + QLatin1Char(' ') +
                          what->toolTip() + QLatin1Char(' ') + table_->item(group, 0)->text();
      shown = std::ranges::all_of(words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
    }
    table_->setRowHidden(row, !shown);
    if (!shown) continue;
    table_->setRowHidden(group, false);
    if (first < 0) first = row;
  }
  table_->setVisible(first >= 0);
  none_->setVisible(first < 0);
  if (first >= 0) table_->selectRow(first);
}

void KeyboardDialog::resizeEvent(QResizeEvent* event) {
  QDialog::resizeEvent(event);
  table_->resizeColumnToContents(0);
  table_->setColumnWidth(0, std::min(table_->columnWidth(0) + space::kLarge, 2 * width() / 5));
}

}  // namespace headlight
