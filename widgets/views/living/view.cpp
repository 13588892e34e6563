#include "widgets/views/living/view.h"

#include <algorithm>
#include <cmath>

#include "model/core/errors.h"
#include "model/text/text_rules.h"
#include "widgets/base/motion.h"
#include "widgets/base/selection.h"
#include "widgets/base/theme.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/canvas_keys.h"
#include "widgets/canvas/zoom_control.h"

namespace headlight {

namespace {

constexpr std::size_t kMostCurrent = 150;  // ribbons that are drawn one by one
constexpr double kMostNames = 0.22;        // of the width
constexpr double kMostPadding = 0.14;      // of the width: where its name is wider, a shorter one stands there
constexpr int kManyLanes = 200;            // whose flow is spread thin
constexpr double kClosest = 20000;         // the most of each stretch
// Where the zoom stands, in pixels from the top: the ring of the keyboard has room. In a small view the picture has all
// of it, and the wheel and the keys are left: of its width and height.
constexpr int kZoomTop = 4;
constexpr double kMostWide = 0.35, kMostHigh = 0.125;

bool same_text(const Result& a, const Result& b) {
  return std::ranges::equal(a.tokens, b.tokens, {}, &TextToken::text, &TextToken::text);
}

}  // namespace

LivingView::LivingView(const ViewContext& context, QWidget* parent)
    : PlaceCanvas<LivingSpot, CanvasView>(Layout::camera, context, parent), zoom_(new ZoomControl(this)) {
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const auto again = [this] {
    Motion::renew(*viewport());
    viewport()->update();
  };
  connect(&ground_, &LivingGround::ready, this, again);
  connect(&details_, &LivingDetails::ready, this, again);
  connect(&maker_, &LivingMaker::late, this, again);
  set_table(&table_);
  zoom_->hide();
  connect(zoom_, &ZoomControl::fartherWanted, this, [this] { obey(CanvasCommand::farther); });
  connect(zoom_, &ZoomControl::closerWanted, this, [this] { obey(CanvasCommand::closer); });
  connect(zoom_, &ZoomControl::allWanted, this, [this] { obey(CanvasCommand::show_all); });
  connect(selection_, &Selection::changed, this, &LivingView::follow_selection);
  announce();
}

bool LivingView::offers(const Result& result) { return result.trace && has_living_map(result); }

void LivingView::refresh() {
  if (!run() || !isVisible() || !LivingMaker::is_long(*run())) {
    maker_.stop();
    return take_map(run() ? run()->living() : nullptr);
  }
  // What is there stays until the new one is.
  if (map_ && map_->result->model != result()->model) take_map(nullptr);
  maker_.start(
      run(),
      [this, plain = plain_](const std::shared_ptr<const LivingMap>& map, const CancelToken&) -> LivingMaker::Done {
        auto stack = map ? std::make_shared<const LivingStack>(map, plain) : nullptr;
        auto marks = map ? living_marks(*map) : LivingMarks();
        return [this, map, stack, marks] { take_map(map, stack, marks); };
      });
}

// Into files goes the newest run, however long it takes.
Figure LivingView::drawn() {
  if (maker_.is_busy()) {
    const auto map = run()->living();  // that which the worker has begun
    maker_.stop();
    take_map(map);
  }
  return CanvasView::drawn();
}

void LivingView::take_map(std::shared_ptr<const LivingMap> map, std::shared_ptr<const LivingStack> stack,
                          std::optional<LivingMarks> marks) {
  if (map && !living_plan(map->family)) map = nullptr;
  const bool other_model = !map_ || !map || map_->result->model != map->result->model;
  const LivingSpot pointed_at = cursor_;
  const double pitch = map_ && camera_.lanes > 1 ? scene_.layout.sizes().lane : 0;
  // That of a lane that no step wrote is known here alone.
  const bool own = !other_model && choice_.lane >= 0 && nth(map_->lanes, choice_.lane).step < 0;
  if (!own && (other_model || !same_text(*map_->result, *map->result))) unasked_ = true;
  map_ = std::move(map);
  if (other_model) {
    names_width_ = next_width_ = 0;
    camera_ = {};
    choice_ = {};
    cursor_ = {};
    details_.forget();
    ground_.forget();
  }
  details_.another_map();
  scene_ = {};
  difference_ = {};
  lens_.clear();
  insides_.clear();
  cards_of_.reset();
  card_pictures_.clear();
  if (!map_) {
    table_.clear();
    lay_out();
    announce();
    if (cursor_ != pointed_at) emit spotChosen();
    return;
  }
  scene_.map = map_;
  scene_.plan = living_plan(map_->family);
  scene_.stack =
      stack && stack->plain() == plain_ ? std::move(stack) : std::make_shared<const LivingStack>(map_, plain_);
  const int lanes = static_cast<int>(map_->lanes.size());
  if (!is_there(cursor_)) cursor_ = {};
  if (!is_there(hovered())) set_hovered({});  // the pointer has not moved, the map has
  if (choice_.lane >= lanes) choice_ = {};
  marks_ = marks ? std::move(*marks) : living_marks(*map_);
  make_words();
  if (pitch > 0 && !other_model) keep_pitch(pitch);
  if (const auto& step = selection_->state().step) {
    unasked_ = false;
    choice_ = {map_->lane_of_step(*step), choice_.candidate};
  } else if (unasked_) {
    choice_ = {telling_output(), -1};
  } else if (!own) {
    choice_ = {};
  }
  take_flow();
  light_selection();
  find_difference();
  if (cursor_ != pointed_at) emit spotChosen();
}

bool LivingView::is_there(const LivingSpot& spot) const {
  using What = LivingSpot::What;
  if (spot.lane >= static_cast<int>(map_->lanes.size()) || spot.station >= static_cast<int>(map_->stations.size()))
    return false;
  if (spot.station < 0 || spot.what == What::lane || spot.what == What::next) return true;
  const LivingStation& station = nth(map_->stations, spot.station);
  if (spot.row >= station.count || spot.part >= static_cast<int>(station.parts.size())) return false;
  if (spot.what == What::number) return place_of(spot).entry >= 0;
  if (spot.part < 0) return true;
  const LivingPart& part = nth(station.parts, spot.part);
  return spot.column < part.columns && spot.head < part.heads;  // -1: none
}

// Who has come near keeps the size of what is seen, however many lanes there are now.
void LivingView::keep_pitch(double pitch) {
  LivingMetrics whole = metrics(viewport()->size());
  whole.camera.lanes = 1;
  whole.chosen = choice_.lane;
  const double fits = scene_.plan->arrange(*map_, whole).sizes().lane;
  if (fits > 0) camera_.lanes = std::max(1.0, pitch / fits);
}

void LivingView::choose(LivingChoice choice) {
  if (!map_ || (choice == choice_ && !unasked_)) return;
  if (choice.lane >= static_cast<int>(map_->lanes.size())) return;  // of a run that is not shown here
  unasked_ = false;
  choice_ = choice;
  take_flow();
  if (choice_.lane < 0) return;
  const LivingLane& lane = nth(map_->lanes, choice_.lane);
  SelectionState state = selection_->state();
  // A lane of the prompt has no step: that of the output before is not chosen any more.
  const std::optional<int> step = unless_none(lane.step);
  if (state.step != step) {
    state.step = step;
    state.entry.reset();
    state.cell.reset();
    select(state);
  }
}

// So far, while somebody steps.
bool LivingView::is_written(const LivingLane& lane) const {
  return written_steps_ < 0 || lane.side != LivingLane::Side::target || lane.step < written_steps_;
}

// The last output that is a word: what ends a text or a sentence tells little. Where the text hides one, that. Of those
// that are written yet; -1: there is none.
int LivingView::telling_output() const {
  const Result& result = *map_->result;
  const std::optional<TokenId> mask = result.model->text.mask;
  int found = -1, best = 0;
  for (std::size_t i = 0; i < map_->lanes.size(); ++i) {
    const LivingLane& lane = map_->lanes[i];
    if (lane.step < 0 || !is_written(lane)) continue;
    const bool hidden = mask && lane.token >= 0 && nth(result.tokens, lane.token).id == mask;
    const bool word = !written_[i].special && std::ranges::any_of(written_[i].text, [](QChar c) {
      return c.isLetterOrNumber() || c.isSurrogate();
    });
    const int telling = hidden ? 3 : word ? 2 : 1;
    if (telling >= best) found = static_cast<int>(i), best = telling;
  }
  return found;
}

void LivingView::choose_unasked() {
  const LivingChoice choice{telling_output(), -1};
  if (choice == choice_) return;
  choice_ = choice;
  take_flow();
}

void LivingView::take_flow() {
  scene_.flow = nullptr;
  lens_.clear();
  percent_.clear();
  scene_.current.clear();
  details_.another_lane();
  if (map_ && choice_.lane >= 0) {
    try {
      scene_.flow = std::make_shared<const LivingFlow>(living_flow(*map_, choice_));
      lens_ = living_lens(*map_, choice_);
      percent_.resize(map_->lanes.size());
      for (const LivingOrigin& each : living_origins(*map_, *scene_.flow))
        if (each.lane >= 0) nth(percent_, each.lane) = each.percent;
      scene_.current = strongest_ribbons(*map_, *scene_.flow, kMostCurrent, LivingInk::kSeen);
    } catch (const UsageError&) {  // no output is read off this lane
      choice_ = {};
      scene_.flow = nullptr;
    }
  }
  update_table();
  content_changed();
  emit choiceChanged(choice_);
}

void LivingView::content_changed() {
  ++content_;
  scene_.chosen = choice_.lane;
  if (map_) {
    const bool recurrent = map_->family == LivingMap::Family::recurrent;
    scene_.ink = LivingInk::now(static_cast<int>(map_->lanes.size()) > kManyLanes ? 0.3 : recurrent ? 0.5 : 0.42);
  }
  lay_out();
  announce();
}

void LivingView::set_plain_weights(bool plain) {
  if (plain == plain_) return;
  plain_ = plain;
  if (!map_) return;
  scene_.stack = std::make_shared<const LivingStack>(map_, plain_);
  content_changed();
}

void LivingView::set_heads_shown(bool shown) {
  heads_ = shown;
  content_changed();
}

void LivingView::set_computed(int entry) {
  int steps = -1;
  if (entry >= 0 && map_) {
    const Trace& trace = *map_->result->trace;
    steps = 0;
    for (int i = 0; i <= entry && i < trace.size(); ++i)
      steps += trace[i].site.step >= 0 && trace[i].site.text.ends_with("output.probs") ? 1 : 0;
  }
  if (steps == written_steps_) return;
  written_steps_ = steps;
  if (unasked_ && map_) choose_unasked();
  content_changed();
}

void LivingView::set_cursor(const LivingSpot& spot) {
  if (spot == cursor_) return;
  cursor_ = spot;
  announce();
  emit spotChosen();
  viewport()->update();
}

// --- the camera

LivingMetrics LivingView::metrics(QSizeF view) const {
  LivingMetrics m;
  m.view = view;
  m.camera = camera_;
  m.line = std::ceil(QFontMetricsF(theme().ui_font()).height());
  m.small = std::ceil(QFontMetricsF(theme().ui_font(type::kHead)).height());
  m.names = std::min(names_width_, kMostNames * view.width());
  if (padding_width_ <= kMostPadding * view.width()) m.names = std::max(m.names, padding_width_);
  m.next = std::min(next_width_, kMostNames * view.width());
  m.chosen = scene_.has_flow() && !lens_.empty() ? choice_.lane : -1;
  m.pictures = heads_;
  const QSizeF zoom = zoom_->sizeHint();
  if (zoom.width() + kMargin <= kMostWide * view.width() && zoom.height() <= kMostHigh * view.height())
    m.corner = {zoom.width() + kMargin, zoom.height() + kZoomTop};
  return m;
}

void LivingView::lay_scene(QSizeF view) {
  if (!map_) return;
  scene_.layout = scene_.plan->arrange(*map_, metrics(view));
  // What is not written yet has its place, but nothing stands there.
  for (std::size_t i = 0; written_steps_ >= 0 && i < map_->lanes.size(); ++i) {
    const LivingLane& lane = map_->lanes[i];
    if (is_written(lane)) continue;
    scene_.layout.rows[i].has_next = false;
    if (!lane.prompt) scene_.layout.rows[i].bed = 0;
  }
  if (written_steps_ >= 0)
    std::erase_if(scene_.layout.strips,
                  [&](const LivingStrip& strip) { return nth(scene_.layout.rows, strip.lane).bed <= 0; });
  camera_.keep(scene_.layout.room());
  scene_.layout.metrics.camera = camera_;
  level_ = living_level(sizes_now(), level_);
  // All of it at once is an overview, however large the window is: who wants more comes nearer.
  if (camera_.is_whole()) level_ = std::min(level_, LivingLevel::lanes);
  cards_of_.reset();
}

QSizeF LivingView::arrange(QSizeF view) {
  lay_scene(view);
  place_zoom();
  return view;
}

void LivingView::place_zoom() {
  const LivingMetrics& m = scene_.layout.metrics;
  zoom_->setVisible(!m.corner.isEmpty());
  if (m.corner.isEmpty()) return;
  zoom_->setGeometry(QRect({qRound(m.view.width() - m.corner.width()), kZoomTop}, zoom_->sizeHint()));
  zoom_->set_zoom(std::max(camera_.depth, camera_.lanes), !camera_.is_whole(),
                  std::min(camera_.depth, camera_.lanes) < kClosest);
}

void LivingView::set_camera(const LivingCamera& camera) {
  camera_ = camera;
  lay_out_at_once();
}

void LivingView::zoom_along(double factor, QPointF point, LivingCamera::Along along) {
  if (!map_) return;
  const LivingLayout& layout = scene_.layout;
  const QPointF inside = point - layout.body.topLeft();
  double above = 0;  // pixels that do not stretch, above the point
  const double page = point.y() + camera_.scroll.y();
  if (layout.fixed.height() > 0 && !layout.rows.empty()) {
    // The lanes stand pitch after pitch; the rest is fixed.
    const LivingRow* best = nullptr;
    int index = 0;
    for (std::size_t i = 0; i < layout.rows.size(); ++i)
      if (layout.rows[i].bed > 0 && (!best || std::abs(layout.rows[i].y - page) < std::abs(best->y - page)))
        best = &layout.rows[i], index = static_cast<int>(i);
    double sum = 0;
    for (int i = 0; best && i < index; ++i) sum += nth(layout.rows, i).pitch;
    if (best) above = best->y - layout.body.top() - sum - best->pitch / 2;
  }
  LivingCamera camera = camera_;
  camera.zoom(factor, inside, along, layout.room(), {kClosest, kClosest}, {0, above});
  set_camera(camera);
}

void LivingView::show_all() { set_camera({}); }

void LivingView::pan(QPointF pixels) {
  LivingCamera camera = camera_;
  camera.pan(pixels, scene_.layout.room());
  set_camera(camera);
}

void LivingView::go_to_level(LivingLevel level) {
  if (!map_) return;
  if (level <= LivingLevel::lanes) show_all();
  if (level == LivingLevel::cell) return go_to_cells();
  const LivingSizes now = scene_.layout.sizes(), wanted = living_sizes(level);
  const QPointF centre = zoom_centre();
  if (wanted.lane > now.lane) zoom_along(1.02 * wanted.lane / now.lane, centre, LivingCamera::Along::lanes);
  if (wanted.layer > now.layer) zoom_along(1.02 * wanted.layer / now.layer, zoom_centre(), LivingCamera::Along::depth);
  if (level >= LivingLevel::layer && camera_.is_whole()) zoom_along(1.02, zoom_centre(), LivingCamera::Along::both);
  if (level_ >= LivingLevel::layer && cards().empty()) show_card();
}

QPointF LivingView::zoom_centre() const {
  const QRectF body = scene_.layout.body;
  const int lane = cursor_.lane >= 0 ? cursor_.lane : choice_.lane;
  QPointF centre = body.center();
  if (lane >= 0 && lane < static_cast<int>(scene_.layout.rows.size()))
    centre.setY(std::clamp(nth(scene_.layout.rows, lane).y - camera_.scroll.y(), body.top(), body.bottom()));
  return centre;
}

QString LivingView::empty_text() const {
  if (map_) return {};
  if (maker_.is_busy()) return maker_.is_late() ? tr("Working out what each state is made of …") : QStringLiteral(" ");
  if (!result() && requests_ && requests_->is_computing()) return tr("Computing …");
  if (!result()) return tr("Type a text to see where each word of the output comes from.");
  return result()->trace ? tr("Of this model there is no such picture. Press D for its diagram.")
                         : tr("This run was not recorded, so there is nothing to show.");
}

void LivingView::forget() {
  details_.forget();
  ground_.forget();
  card_pictures_.clear();
  if (map_) {
    names_width_ = next_width_ = 0;
    make_words();
    scene_.ink = LivingInk::now(scene_.ink.root);
    ++content_;
    update_table();
  }
}

}  // namespace headlight
