#include "widgets/views/map/map_view.h"

#include <map>

#include "widgets/canvas/analysed_run.h"
#include "widgets/views/map/map_words.h"

namespace headlight {

namespace {

// Where a node is, whichever step is shown.
std::string lasting_name(const Flow& flow, int node) {
  std::string text;
  for (const int at : flow.path(node)) {
    const FlowNode& each = nth(flow.nodes, at);
    text += "/" + (each.step >= 0 ? each.name.substr(0, each.name.rfind('[')) : each.name);
  }
  return text;
}

}  // namespace

MapView::MapView(const ViewContext& context, QWidget* parent) : CanvasView(Layout::camera, context, parent) {
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  set_table(&table_);
  connect(selection_, &Selection::changed, this, &MapView::follow_selection);
  flight_.setStartValue(0.0);
  flight_.setEndValue(1.0);
  flight_.setEasingCurve(QEasingCurve::InOutQuad);
  connect(&flight_, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
    // What is seen shrinks or grows evenly, and its middle goes with it: a straight way that never looks too near.
    const double t = value.toDouble();
    const double scale = from_.scale * std::pow(to_.scale / from_.scale, t);
    const double way = from_.scale == to_.scale ? t : (1 / from_.scale - 1 / scale) / (1 / from_.scale - 1 / to_.scale);
    set_camera({from_.centre + (to_.centre - from_.centre) * way, scale});
  });
  announce();
}

bool MapView::offers(const AnalysedRun& run) { return run.result()->trace != nullptr; }

void MapView::refresh() {
  if (!result_ || !run() || result_->model != result()->model) {
    shown_ = 0;
    cursor_ = 0;
  }
  result_ = run() ? run()->result() : nullptr;
  take_trace();
}

void MapView::take_trace() {
  pictures_.clear();
  hover_ = -1;
  const Flow before = std::move(flow_);
  if (!result_ || !result_->trace) {
    flow_ = {};
    map_ = {};
    table_.set_flow(nullptr, flow_);
    cursor_ = 0;
    cell_.reset();
  } else {
    labels_ = run()->labels();
    model_name_ = result_->model ? QString::fromStdString(result_->model->name) : QString();
    take_steps();
    flow_ = flow_of(*result_->trace, steps_);
    table_.set_flow(result_->trace, flow_);
    if (map_.boxes.empty() || !flow_.same_shape(before)) {
      const auto middle = [&] { return nth(map_.boxes, cursor_).rect.center(); };
      const QPointF was = map_.boxes.empty() ? QPointF() : middle();
      cursor_ = find_like(before, cursor_);
      if (shown_ > 0) shown_ = find_like(before, shown_);
      lay_map();
      set_camera(shown_ >= 0 ? camera_for(shown_) : Camera{camera_.centre + middle() - was, camera_.scale});
    }
  }
  mark_selection();
}

void MapView::forget() {
  pictures_.clear();
  if (!flow_.nodes.empty()) table_.set_flow(result_->trace, flow_);
}

void MapView::set_computed(int entry) {
  if (move_mark(computed_, entry)) announce();
}

bool MapView::is_computed(int node) const { return computed_ < 0 || nth(flow_.nodes, node).first <= computed_; }

int MapView::find_like(const Flow& before, int node) const {
  if (before.nodes.empty() || node <= 0) return 0;
  std::map<std::string, int> known;
  for (int i = 0; i < static_cast<int>(flow_.nodes.size()); ++i) known.emplace(lasting_name(flow_, i), i);
  for (int at = node; at > 0; at = nth(before.nodes, at).parent)
    if (const auto found = known.find(lasting_name(before, at)); found != known.end()) return found->second;
  return 0;
}

// The step of what is selected, else that of the selected step or token, else the one that was shown.
bool MapView::take_steps() {
  const SelectionState& state = selection_->state();
  FlowSteps wanted = steps_;
  if (state.step) wanted.decoder = *state.step;
  if (state.source_token && *state.source_token < static_cast<int>(result_->position_of_token.size()))
    if (const int position = nth(result_->position_of_token, *state.source_token); position >= 0)
      wanted.encoder = position;
  if (state.entry && *state.entry < result_->trace->size()) {
    const Site& site = (*result_->trace)[*state.entry].site;
    if (site.step >= 0) (side_of(site.text) == 0 ? wanted.encoder : wanted.decoder) = site.step;
  }
  const bool changed = !(wanted == steps_);
  steps_ = wanted;
  return changed;
}

void MapView::follow_selection() {
  if (!isVisible()) mark_stale();  // it is looked at when the view is shown
  if (!is_fresh() || flow_.nodes.empty()) return;
  if (take_steps()) return take_trace();
  mark_selection();
}

void MapView::mark_selection() {
  const SelectionState& state = selection_->state();
  const bool known = state.entry && *state.entry >= 0 && *state.entry < static_cast<int>(flow_.node_of_entry.size());
  const int leaf = known ? nth(flow_.node_of_entry, *state.entry) : -1;
  // A new result has the old selection: it does not take the cursor away from a group.
  const std::string place = leaf < 0 ? std::string() : flow_.place(leaf);
  if (leaf >= 0 && (place != marked_ || nth(flow_.nodes, cursor_).is_leaf())) {
    if (leaf != cursor_) reveal(leaf);
    cursor_ = leaf;
  }
  marked_ = place;
  const bool has_cell =
      leaf >= 0 && leaf == cursor_ && state.cell && *state.cell < (*result_->trace)[*state.entry].value.size();
  cell_ = has_cell ? std::optional<Index>(*state.cell) : std::nullopt;
  light_up();
  choice_changed();
}

void MapView::light_up() {
  light_.assign(flow_.nodes.size(), Light::none);
  link_light_.assign(map_.links.size(), Light::none);
  if (cursor_ <= 0) return;
  nth(light_, cursor_) = Light::selected;
  for (std::size_t i = 0; i < flow_.edges.size(); ++i) {
    const FlowEdge& edge = flow_.edges[i];
    const bool from = flow_.contains(cursor_, edge.from), to = flow_.contains(cursor_, edge.to);
    if (from == to && edge.from != cursor_) continue;
    const Light light = to ? Light::input : Light::output;
    for (int at = to ? edge.from : edge.to; !flow_.contains(at, cursor_); at = nth(flow_.nodes, at).parent)
      nth(light_, at) = light;
    for (const int link : map_.ways[i]) nth(link_light_, link) = light;
  }
}

QString MapView::title(int node) const {
  return map_title(*result_->trace, flow_, node, labels_, model_name_.isEmpty() ? tr("Model") : model_name_);
}

QString MapView::name() const {
  return flow_.nodes.empty() ? tr("Diagram, empty")
                             : tr("Diagram of %1, %2 values").arg(title(0)).arg(table_.rowCount());
}

QString MapView::description() const {
  if (flow_.nodes.empty()) return {};
  QStringList from, to;
  for (const FlowEdge& edge : flow_.edges) {
    if (edge.to == cursor_) from << title(edge.from);
    if (edge.from == cursor_) to << title(edge.to);
  }
  QString text = map_help(*result_->trace, flow_, cursor_, labels_, title(0));
  if (!from.isEmpty()) text += QLatin1Char('\n') + tr("Computed from: %1.").arg(from.join(tr(", ")));
  if (!to.isEmpty()) text += QLatin1Char('\n') + tr("Used by: %1.").arg(to.join(tr(", ")));
  const int entry = nth(flow_.nodes, cursor_).entry;
  if (cell_ && entry >= 0) text = cell_words(*result_->trace, entry, *cell_, labels_);
  if (!is_computed(cursor_)) text.prepend(tr("Not computed yet.") + QLatin1Char('\n'));
  return text;
}

QString MapView::empty_text() const {
  if (!flow_.nodes.empty()) return {};
  return result_ ? tr("This run was not recorded, so there is no diagram of it.")
                 : tr("Type a source to see how the model computes its output.");
}

}  // namespace headlight
