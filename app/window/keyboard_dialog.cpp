// A table of two columns: what, and with which keys.

#include "app/window/keyboard_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeySequence>
#include <QScreen>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/window/actions.h"
#include "app/window/presenter.h"
#include "widgets/canvas/canvas_keys.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

namespace {
void add_row(QTableWidget* table, const QString& keys, const QString& what, const QString& tooltip) {
  const int row = table->rowCount();
  table->insertRow(row);
  table->setItem(row, 0, new QTableWidgetItem(keys));
  table->setItem(row, 1, new QTableWidgetItem(what));
  table->item(row, 1)->setToolTip(tooltip);
}
}  // namespace

KeyboardDialog::KeyboardDialog(QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Keyboard"));
  auto* table = new QTableWidget(0, 2, this);
  table->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setAccessibleName(tr("List of keys"));
  table->verticalHeader()->hide();
  table->setShowGrid(false);
  for (const CanvasKeyRow& row : canvas_key_table())
    add_row(table, canvas_key_text(row.keys), canvas_key_text(row.what), QString());
  for (const StepperView::KeyRow& row : StepperView::key_table())
    add_row(table, QString::fromUtf8(row.keys), StepperView::key_text(row.what), QString());
  for (const Presenter::KeyRow& row : Presenter::key_table())
    add_row(table, QString::fromUtf8(row.keys), Presenter::key_text(row.what), QString());
  for (const ViewKeyRow& row : view_key_table())
    add_row(table, QString::fromUtf8(row.keys), translated_action(row.what), QString());
  for (const ActionRow& row : action_table()) {
    QStringList keys;
    for (const QKeySequence& key : shortcuts_of(row)) keys << key.toString(QKeySequence::NativeText);
    if (keys.isEmpty()) continue;
    add_row(table, keys.join(QStringLiteral(" / ")),
            translated_action(row.text).remove('&').remove(QStringLiteral("…")), translated_action(row.tooltip));
  }
  table->resizeColumnToContents(0);
  table->horizontalHeader()->setStretchLastSection(true);
  table->selectRow(0);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(table, 1);
  column->addWidget(buttons);
  resize(QSize(620, 640).boundedTo(screen()->availableSize() * 0.9));
}

}  // namespace headlight
