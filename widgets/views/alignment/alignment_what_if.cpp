// What-if gestures of the alignment: dragging weights, hiding and blanking tokens.

#include <QGuiApplication>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/what_if_menu.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight {

namespace {
constexpr double kPixelsForAll = 120;  // a drag from weight 0 to weight 1
constexpr double kKeyStep = 0.05;

// The scores that a row of weights was made from, −1.
int scores_entry(const Trace& trace, int weights) {
  const std::string scores = sibling(trace[weights].site.text, SiteKind::Role::scores);
  return scores.empty() ? -1 : trace.find(scores);
}
}  // namespace

void AlignmentView::pin_weight(int row, int column, double value) {
  if (!requests_ || !is_cell(row, column) || !is_editable()) return;
  Intervention edit;
  edit.site = entry(row).site.text;
  edit.cell = map_->cell(0, row, column);
  edit.kind = Intervention::Kind::pin;
  edit.value = static_cast<Scalar>(std::clamp(value, 0.0, 1.0));
  emit requests_->edit(edit);
}

bool AlignmentView::start_drag(const QPointF& position) {
  const auto cell = heatmap_->heatmap_layout().cell_at(position);
  if (!cell || !is_cell(cell->row, cell->column)) return false;
  if (!is_editable()) {
    request_edit(cell->row, cell->column);  // says why not
    return true;
  }
  dragged_ = {cell->row, cell->column};
  dragged_from_ = position.y();
  dragged_weight_ = static_cast<double>(heatmap_->value(cell->row, cell->column));
  select(cell->row, cell->column);
  heatmap_->viewport()->setCursor(Qt::SizeVerCursor);
  return true;
}

// Up is more.
bool AlignmentView::drag_weight(QEvent* event) {
  const auto* mouse = static_cast<QMouseEvent*>(event);
  if (event->type() == QEvent::MouseButtonPress)
    return mouse->button() == Qt::LeftButton && (mouse->modifiers() & (Qt::AltModifier | Qt::ShiftModifier)) &&
           start_drag(mouse->position());
  if (dragged_.row < 0) return false;
  if (event->type() == QEvent::MouseMove) {
    const double moved = (dragged_from_ - mouse->position().y()) / kPixelsForAll;
    pin_weight(dragged_.row, dragged_.column, std::round(100 * (dragged_weight_ + moved)) / 100);
  } else {
    dragged_ = {};
    heatmap_->viewport()->unsetCursor();
  }
  return true;
}

bool AlignmentView::eventFilter(QObject* watched, QEvent* event) {
  if ((watched != heatmap_ && watched != heatmap_->viewport()) || !requests_)
    return QWidget::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
      return drag_weight(event);
    case QEvent::KeyPress: {
      const auto* key = static_cast<QKeyEvent*>(event);
      const bool up = key->key() == Qt::Key_Up;
      const HeatmapCell cell = heatmap_->selected_cell();
      if (!(key->modifiers() & Qt::AltModifier) || (!up && key->key() != Qt::Key_Down) || cell.row < 0) return false;
      const auto weight = static_cast<double>(heatmap_->value(cell.row, cell.column));
      pin_weight(cell.row, cell.column, std::round(100 * (weight + (up ? kKeyStep : -kKeyStep))) / 100);
      return true;
    }
    default:
      return false;
  }
}

void AlignmentView::set_score(int row, int column) {
  const Trace& trace = *map_->trace;
  const TraceEntry& scores = trace[scores_entry(trace, map_->entry(row))];
  Intervention edit;
  edit.site = scores.site.text;
  edit.cell = map_->cell(0, row, column);
  bool accepted = false;
  const double now = static_cast<double>(scores.value[edit.cell]);
  const double value =
      QInputDialog::getDouble(this, tr("Set score"), tr("Score of this pair: larger is better, the weights follow."),
                              std::isfinite(now) ? now : 0, -1e6, 1e6, 4, &accepted);
  if (!accepted) return;
  edit.value = static_cast<Scalar>(value);
  emit requests_->edit(edit);
}

void AlignmentView::add_what_if(QMenu* menu, int row, int column) {
  if (!requests_ || !is_cell(row, column) || map_->is_merged()) return;
  const int token = map_->columns[static_cast<std::size_t>(column)].token;
  if (is_editable()) {
    QAction* all = menu->addAction(tr("Give it &all the weight"), this, [=, this] { pin_weight(row, column, 1); });
    all->setToolTip(tr("This step reads this token alone."));
    QAction* score = menu->addAction(tr("Set the s&core…"), this, [=, this] { set_score(row, column); });
    score->setEnabled(scores_entry(*map_->trace, map_->entry(row)) >= 0);
    score->setToolTip(tr("Change what the weights are made from: the softmax shares out anew."));
  }
  for (const AttentionMask& mask : AttentionMask::of(*result(), run()->maps())) {
    if (mask.kind() != AttentionMap::Kind::cross) continue;
    const auto& columns = mask.map().columns;
    const auto found = std::ranges::find_if(columns, [&](const AttentionToken& c) { return c.token == token; });
    if (found == columns.end()) continue;
    const Index layer = map_->layer >= 0 ? map_->layer : AttentionMask::kAllLayers, seen = found - columns.begin();
    const bool open = mask.state(layer, row, seen) == AttentionMask::State::open;
    add_change(menu, open ? tr("Hide it from this &step") : tr("Show it to this &step again"),
               tr("This step may not look at this token."), mask.set(layer, row, seen, !open), requests_);
  }
  menu->addSeparator();
  add_token_actions(menu, *result(), token, requests_);
}

}  // namespace headlight
