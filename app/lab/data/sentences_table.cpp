#include "app/lab/data/sentences_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>

#include "app/actions.h"
#include "app/lab/data/sentences_model.h"
#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/focus.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

int line_height() { return QFontMetrics(theme().ui_font()).height() + space::kMedium; }
int reason_height() { return QFontMetrics(theme().ui_font(type::kSource)).height() + space::kTight; }

void paint_chip(QPainter& painter, const QRectF& room, const QString& text) {
  const Tokens& t = tokens();
  const QFont font = theme().ui_font(type::kSource);
  const double wide = text_width(text, font) + 2 * space::kSmall, high = QFontMetricsF(font).height() + space::kHair;
  const QRectF chip(room.right() - wide, room.center().y() - high / 2, wide, high);
  draw_box(painter, chip, high / 2, Qt::NoPen, t.well);
  write(painter, chip, kCentre, text, font, t.ink2);
}

// The band of a line goes through all its cells, round at its ends.
void paint_band(QPainter& painter, const QRect& cell, const QModelIndex& index) {
  QRectF band = cell;
  const bool first = index.column() == 0, last = index.column() + 1 == SentencesModel::columns;
  band.adjust(first ? 0 : -radius::kButton, space::kHair, last ? 0 : radius::kButton, -space::kHair);
  painter.save();
  painter.setClipRect(cell);
  draw_box(painter, band, radius::kButton, Qt::NoPen, tokens().wash);
  painter.restore();
}

}  // namespace

void SentencesDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Tokens& t = tokens();
  const bool chosen = option.state & QStyle::State_Selected, used = index.data(SentencesModel::used_role).toBool();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (chosen) paint_band(*painter, option.rect, index);
  const QRectF room = QRectF(option.rect).adjusted(space::kTight, 0, -space::kTight, 0);
  const QRectF line(room.left(), room.top(), room.width(), line_height());
  const QString text = index.data().toString();
  const QColor ink = used ? t.ink : t.ink2;
  switch (index.column()) {
    case SentencesModel::number:
      write_line(*painter, line, kRight, text, theme().ui_font(), t.ink2);
      break;
    case SentencesModel::source:
      write_line(*painter, line, kLeft, text, chosen ? strong_font() : theme().ui_font(), ink);
      paint_reason(*painter, option, index);
      break;
    case SentencesModel::target:
      write_line(*painter, line, kLeft, text, theme().ui_font(), ink);
      paint_reason(*painter, option, index);
      break;
    case SentencesModel::made:
      if (!text.isEmpty()) paint_chip(*painter, line, text);
      break;
    default: {
      constexpr int kSide = 16;
      const QPoint centre = line.center().toPoint();
      bin_.paint(painter, QRect(centre.x() - kSide / 2, centre.y() - kSide / 2, kSide, kSide));
    }
  }
  if ((option.state & QStyle::State_HasFocus) && keyboard_is_seen())
    draw_box(*painter, QRectF(option.rect).adjusted(1, 1, -1, -1), radius::kCell, QPen(t.ink, 2));
  painter->restore();
}

// Below both texts: each of the two cells paints its part.
void SentencesDelegate::paint_reason(QPainter& painter, const QStyleOptionViewItem& option,
                                     const QModelIndex& index) const {
  const QModelIndex of = index.siblingAtColumn(SentencesModel::source);
  const QString reason = of.data(SentencesModel::reason_role).toString();
  const auto* table = qobject_cast<const QTableView*>(option.widget);
  if (reason.isEmpty() || !table) return;
  const bool fault = of.data(SentencesModel::fault_role).toBool();
  const int left = table->columnViewportPosition(SentencesModel::source) + space::kTight;
  const int wide = table->columnWidth(SentencesModel::source) + table->columnWidth(SentencesModel::target);
  const QRectF below(left, option.rect.top() + line_height() - space::kTight, wide - 2 * space::kTight,
                     reason_height());
  painter.setClipRect(option.rect);
  write_line(painter, below, kLeft, fault ? QStringLiteral("✗ ") + reason : reason, theme().ui_font(type::kSource),
             fault ? tokens().bad : tokens().ink2);
  painter.setClipping(false);
}

QSize SentencesDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  const bool said =
      !index.siblingAtColumn(SentencesModel::source).data(SentencesModel::reason_role).toString().isEmpty();
  return {0, line_height() + (said ? reason_height() : 0)};
}

void SentencesDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                             const QModelIndex&) const {
  editor->setGeometry(option.rect.x(), option.rect.y(), option.rect.width(), line_height());
}

bool SentencesDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) {
  const bool released = event->type() == QEvent::MouseButtonRelease && index.column() == SentencesModel::remove;
  if (released && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
    emit removeWanted(index.row());
    return true;
  }
  return QStyledItemDelegate::editorEvent(event, model, option, index);
}

SentencesTable::SentencesTable(SentencesModel* model, QWidget* parent) : QTableView(parent), lines_(model) {
  setObjectName(QStringLiteral("sentences"));
  setModel(model);
  auto* delegate = new SentencesDelegate(this);
  setItemDelegate(delegate);
  setFrameShape(QFrame::NoFrame);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(EditKeyPressed | DoubleClicked);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setProperty(kMarksItself, true);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  connect(delegate, &SentencesDelegate::removeWanted, model, [model](int row) { model->remove_rows({row}); });
  connect(model, &SentencesModel::changed, this, &SentencesTable::fit_rows);
  const auto dress = [delegate] { delegate->set_bin(themed_icon(QStringLiteral("remove"))); };
  dress();
  theme().restyles(this, [this, dress] {
    dress();
    fit_rows();
    fit_columns();
  });
  fit_rows();
}

// Rows with something to say are higher; of thousands only those are touched that have become others.
void SentencesTable::fit_rows() {
  const int plain = line_height(), said = plain + reason_height();
  if (verticalHeader()->defaultSectionSize() != plain) verticalHeader()->setDefaultSectionSize(plain);
  for (int row = 0; row < lines_->rowCount(); ++row) {
    const bool silent = lines_->list().verdict(static_cast<std::size_t>(row)).status == SentenceStatus::used;
    const int high = silent ? plain : said;
    if (verticalHeader()->sectionSize(row) != high) verticalHeader()->resizeSection(row, high);
  }
}

// Both texts share what the number, the chip and the button leave.
void SentencesTable::fit_columns() {
  const QFontMetrics metrics(theme().ui_font());
  const int digits = metrics.horizontalAdvance(QStringLiteral("00000")) + 2 * space::kTight;
  const int chip = metrics.horizontalAdvance(lines_->tr("made")) + 2 * space::kLarge;
  const int button = 2 * space::kMargin;
  const int rest = std::max(0, viewport()->width() - digits - chip - button);
  setColumnWidth(SentencesModel::number, digits);
  setColumnWidth(SentencesModel::source, rest / 2);
  setColumnWidth(SentencesModel::target, rest - rest / 2);
  setColumnWidth(SentencesModel::made, chip);
  setColumnWidth(SentencesModel::remove, button);
}

void SentencesTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit_columns();
}

std::vector<int> SentencesTable::chosen_rows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(index.row());
  return rows;
}

void SentencesTable::go_to(int row) {
  if (row < 0 || row >= lines_->rowCount()) return;
  setCurrentIndex(lines_->index(row, SentencesModel::source));
}

// What is said of new lines takes room from the table: after that.
void SentencesTable::show_newest() { QTimer::singleShot(0, this, &QTableView::scrollToBottom); }

void SentencesTable::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Delete) return QTableView::keyPressEvent(event);
  const std::vector<int> rows = chosen_rows();
  if (rows.empty()) return;
  const int first = *std::min_element(rows.begin(), rows.end());
  lines_->remove_rows(rows);
  go_to(std::min(first, lines_->rowCount() - 1));
}

void SentencesTable::contextMenuEvent(QContextMenuEvent* event) {
  const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex index = by_key ? currentIndex() : indexAt(event->pos());
  if (!index.isValid()) return;
  const int row = index.row();
  const SentenceVerdict& verdict = lines_->list().verdict(static_cast<std::size_t>(row));
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (verdict.status == SentenceStatus::probe)
    menu->addAction(tr("Train on it after all"), this, &SentencesTable::probeGone);
  else if (verdict.readable())
    menu->addAction(tr("Keep this one out as the probe"), this, [this, row] { emit probeWanted(row); });
  menu->addAction(tr("Change it (F2)"), this, [this, row, index] {
    edit(
        lines_->index(row, index.column() == SentencesModel::target ? SentencesModel::target : SentencesModel::source));
  });
  menu->addAction(tr("Remove it (Del)"), this, [this, row] { lines_->remove_rows({row}); });
  menu->popup(by_key ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos());
}

}  // namespace headlight
