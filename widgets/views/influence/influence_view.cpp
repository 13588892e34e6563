#include "widgets/views/influence/influence_view.h"

#include <QHBoxLayout>
#include <algorithm>

#include "widgets/base/segments.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/views/influence/influence_words.h"

namespace headlight {

InfluenceView::InfluenceView(Kind kind, const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent),
      kind_(kind),
      canvas_(new InfluenceCanvas(kind == Kind::cone ? InfluenceMode::cone : InfluenceMode::layers, this)) {
  if (kind_ == Kind::cone) {
    bar()->hide();
  } else {
    bar_row()->addWidget(modes_ = new Segments(bar()));
    bar_row()->addStretch(1);
    connect(modes_, &Segments::chosen, this, [this](int at) {
      lags_ = at == 1;
      show_again();
    });
  }
  build(canvas_, {640, 460});
  set_table(&table_);
  connect(canvas_, &InfluenceCanvas::moved, this, &InfluenceView::take);
  connect(canvas_, &InfluenceCanvas::opened, this, [this](StateAt state) {
    const LivingStation& station = nth(shown_->map->stations, state.station);
    const LivingPlace& place = nth(station.places, state.lane - station.first);
    emit requests_->open(place.entry, place.first);
  });
  connect(canvas_, &InfluenceCanvas::lane_chosen, this,
          [this](int lane) { choose_step(nth(shown_->map->lanes, lane).step); });
  connect(canvas_, &InfluenceCanvas::other_output_wanted, this,
          [this](int by) { choose_step(nth(shown_->map->lanes, shown_->of.lane).step + by); });
  connect(canvas_, &InfluenceCanvas::lane_hovered, this, [this](int lane) {
    if (!shown_ || lane < 0) return selection_->hover({}, {});
    const LivingLane& at = nth(shown_->map->lanes, lane);
    selection_->hover(unless_none(at.token), unless_none(at.step));
  });
  connect(selection_, &Selection::changed, this, &InfluenceView::follow_selection);
  connect(selection_, &Selection::hovered, this, [this](std::optional<int> token, std::optional<int> step) {
    if (!shown_ || !is_fresh() || canvas_->underMouse()) return;
    canvas_->set_hovered_lane(step    ? shown_->map->lane_of_step(*step)
                              : token ? shown_->map->lane_of_token(*token)
                                      : -1);
  });
  connect(&maker_, &LivingMaker::late, this, [this] { set_note(tr("Measuring …")); });
  show_texts();
}

// Of a long text, of which only what is seen was kept, it is asked again with all of it.
bool InfluenceView::offers(const AnalysedRun& run) {
  const Result& result = *run.result();
  return has_influence(result) || (result.only_shown && result.model && result.model->model &&
                                   result.model->model->traits().architecture != "ntm");
}

InfluenceMode InfluenceView::mode() const {
  return kind_ == Kind::cone ? InfluenceMode::cone : lags_ ? InfluenceMode::lags : InfluenceMode::layers;
}

InfluenceView::Question InfluenceView::question() const { return {mode(), layer_, lane_, step_}; }

// --- what is asked, on any thread

namespace {

// The last layer of the text that is read, or of the only one.
int top_layer(const LivingMap& map, const std::vector<int>& layers) {
  const auto side =
      map.range(LivingLane::Side::source).second > 0 ? LivingLane::Side::source : LivingLane::Side::target;
  for (auto at = layers.rbegin(); at != layers.rend(); ++at) {
    const LivingStation& station = nth(map.stations, *at);
    if (station.side == side && station.kind != LivingStation::Kind::start) return *at;
  }
  return layers.back();
}

int lane_of_output(const LivingMap& map, int step) {
  const auto steps = static_cast<int>(map.result->steps.size());
  return steps == 0 ? -1 : map.lane_of_step(std::clamp(step < 0 ? steps / 2 : step, 0, steps - 1));
}

}  // namespace

InfluenceView::Picture InfluenceView::asked(const AnalysedRun& run, const std::shared_ptr<const LivingMap>& map,
                                            const Question& question) {
  if (!map) return nullptr;
  const std::vector<int> layers = influence_layers(*map);
  if (layers.empty()) return nullptr;
  auto made = std::make_shared<InfluencePicture>();
  made->map = map;
  made->rows.assign(layers.rbegin(), layers.rend());
  const int output = question.mode == InfluenceMode::layers ? lane_of_output(*map, question.step) : -1;
  if (output >= 0 && output_score(*map, output).entry >= 0) {
    made->of = {-1, output};
    return made;
  }
  const int layer = question.layer >= 0 && question.layer < static_cast<int>(layers.size())
                        ? nth(layers, question.layer)
                        : top_layer(*map, layers);
  const LivingStation& station = nth(map->stations, layer);
  const int last = station.first + station.count - 1,
            usual = question.mode == InfluenceMode::lags ? last : station.first + station.count / 2;
  made->of = {layer, std::clamp(question.lane < 0 ? usual : question.lane, station.first, last)};
  if (question.mode != InfluenceMode::cone) return made;
  made->links = std::make_shared<const StateLinks>(*map, run.maps());
  made->field = receptive_field(*map, *made->links, made->of);
  return made;
}

// By how many walks through how much.
bool InfluenceView::is_long(const InfluencePicture& picture) {
  constexpr double kLong = 5e5;
  double numbers = 0;
  for (const int row : picture.rows) {
    const LivingStation& station = nth(picture.map->stations, row);
    numbers += static_cast<double>(station.units) * station.count;
  }
  const double walks =
      picture.of.station < 0 ? 1 : static_cast<double>(nth(picture.map->stations, picture.of.station).units);
  return walks * numbers > kLong;
}

void InfluenceView::fill(InfluencePicture& picture, InfluenceMode mode, const CancelToken& cancel) {
  const LivingMap& map = *picture.map;
  const StateAt of = picture.of;
  picture.numbers = influences(map, of.station < 0 ? output_score(map, of.lane) : numbers_of(map, of), cancel);
  picture.means = layer_means(picture.numbers);
  if (mode != InfluenceMode::lags) return;
  const LivingStation& asked = nth(map.stations, of.station);
  for (const int row : picture.rows) {
    const LivingStation& station = nth(map.stations, row);
    const bool twin = station.kind == asked.kind && station.side == asked.side && station.layer == asked.layer;
    if (row != of.station && !twin) continue;
    const StateNumbers numbers =
        row == of.station ? picture.numbers : influences(map, numbers_of(map, {row, of.lane}), cancel);
    InfluencePicture::Curve curve{row, {}};
    for (int lane = 0; lane < static_cast<int>(map.lanes.size()); ++lane) {
      const int inputs = map.embedding(nth(map.lanes, lane).side);
      const bool has = inputs >= 0 && nth(map.stations, inputs).has(lane) && !nth(numbers, inputs).empty();
      curve.values.push_back(has ? nth(nth(numbers, inputs), lane - nth(map.stations, inputs).first) : 0);
    }
    picture.curves.insert(row == of.station ? picture.curves.begin() : picture.curves.end(), std::move(curve));
  }
}

// --- the window's thread

void InfluenceView::measure() {
  maker_.stop();
  step_ = selection_->state().step.value_or(step_);
  if (!run() || !has_influence(*result())) return show_picture(nullptr);
  if (isVisible() && LivingMaker::is_long(*run())) return measure_later(nullptr);
  Picture made = asked(*run(), run()->living(), question());
  if (made && isVisible() && is_long(*made)) {
    show_picture(made);
    return measure_later(std::make_shared<InfluencePicture>(*made));
  }
  if (made) fill(*made, mode(), {});
  show_picture(made);
}

void InfluenceView::measure_later(Picture begun) {
  maker_.start(run(),
               [this, begun, of = run(), question = question()](const std::shared_ptr<const LivingMap>& map,
                                                                const CancelToken& cancel) -> LivingMaker::Done {
                 const Picture made = begun ? begun : asked(*of, map, question);
                 if (made) fill(*made, question.mode, cancel);
                 return [this, made] { show_picture(made); };
               });
  show_texts();
}

void InfluenceView::show_picture(Picture picture) {
  if (picture) {
    picture->lanes.clear();  // it is shown before it is measured, too
    for (const LivingLane& lane : picture->map->lanes)
      picture->lanes.push_back(axis_label({lane.text, lane.written, lane.token, lane.step, lane.padding}));
  }
  shown_ = picture;
  canvas_->set_picture(mode(), shown_);
  show_texts();
  show_table();
}

void InfluenceView::show_texts() {
  if (modes_) {
    modes_->set_choices({{tr("By layer"), tr("How much each state of each layer moves the chosen output.")},
                         {tr("By distance"), tr("How much each token still moves a state, the farther it is away.")}});
    modes_->set_current(lags_ ? 1 : 0);
    modes_->set_words(tr("What gradients are compared by"), {});
    bar()->setVisible(shown_ != nullptr);
  }
  show_message(shown_ || maker_.is_busy() ? QString()
               : result() && result()->only_shown
                   ? tr("Measuring …")
                   : reason(tr("Type a source to see what its tokens move."),
                            tr("Of this model no derivatives are known: choose a recurrent model, a Transformer or one "
                               "of convolutions.")));
  set_note(canvas_->sentence());
}

void InfluenceView::retranslate() {
  if (shown_) return show_picture(std::make_shared<InfluencePicture>(*shown_));
  show_texts();
}

void InfluenceView::show_table() {
  if (!shown_) return table_.clear();
  std::vector<std::pair<int, int>> lines;  // row, lane
  for (int row = 0; row < static_cast<int>(shown_->rows.size()); ++row)
    for (int i = 0; i < shown_->station(row).count; ++i) lines.emplace_back(row, shown_->station(row).first + i);
  const auto of = [lines, shown = shown_](auto value) {
    return [lines, shown, value](int line) {
      return QVariant(value(*shown, nth(lines, line).first, nth(lines, line).second));
    };
  };
  using Of = const InfluencePicture&;
  std::vector<ColumnTable::Column> columns = {
      {tr("layer"), of([](Of at, int row, int) { return layer_of_states(at.station(row)); })},
      ColumnTable::counting(tr("place"),
                            [lines, shown = shown_](int line) {
                              return nth(lines, line).second - shown->station(nth(lines, line).first).first;
                            }),
      {tr("token"), of([](Of at, int, int lane) { return nth(at.lanes, lane).text; })},
      {tr("derivative"),
       of([](Of at, int row, int lane) { return at.numbers.empty() ? QVariant() : QVariant(at.number(row, lane)); })}};
  if (mode() == InfluenceMode::cone)
    columns.push_back({tr("steps"), of([](Of at, int row, int lane) {
                         return at.steps(row, lane) < 0 ? QVariant() : QVariant(at.steps(row, lane));
                       })});
  table_.set(static_cast<int>(lines.size()), std::move(columns));
}

void InfluenceView::take(StateAt state) {
  if (mode() == InfluenceMode::layers || !shown_ || state == shown_->of) return;
  const auto row = std::ranges::find(shown_->rows, state.station) - shown_->rows.begin();
  layer_ = static_cast<int>(shown_->rows.size()) - 1 - static_cast<int>(row);
  lane_ = state.lane;
  measure();
}

void InfluenceView::choose_step(int step) {
  if (!run() || step < 0 || step >= static_cast<int>(result()->steps.size())) return;
  SelectionState state;
  state.step = step;
  selection_->set(state);
}

// A step is the output that is asked; a token the state.
void InfluenceView::follow_selection() {
  if (!shown_ || !is_fresh()) return;
  const SelectionState& state = selection_->state();
  const int lane = state.step           ? shown_->map->lane_of_step(*state.step)
                   : state.source_token ? shown_->map->lane_of_token(*state.source_token)
                                        : -1;
  if (lane < 0 || lane == shown_->of.lane) return;
  if (mode() != InfluenceMode::layers) {
    if (!nth(shown_->map->stations, shown_->of.station).has(lane)) return;
    lane_ = lane;
  } else if (!state.step) {
    return canvas_->set_cursor({canvas_->cursor().station, lane});
  }
  measure();
}

QVariantMap InfluenceView::own_choices() const {
  QVariantMap made;
  if (lags_) made[QStringLiteral("by")] = QStringLiteral("distance");
  if (layer_ >= 0) made[QStringLiteral("layer")] = layer_;
  return made;
}

void InfluenceView::set_own_choices(const QVariantMap& choices) {
  lags_ = kind_ == Kind::gradients && choices.value(QStringLiteral("by")).toString() == QLatin1String("distance");
  bool known = false;
  const int layer = choices.value(QStringLiteral("layer")).toInt(&known);
  layer_ = known && layer >= 0 ? layer : -1;
  show_texts();
}

// Into files goes what is asked, however long it takes.
Figure InfluenceView::picture() {
  if (maker_.is_busy()) {
    maker_.stop();
    Picture made = asked(*run(), run()->living(), question());
    if (made) fill(*made, mode(), {});
    show_picture(made);
  }
  return ViewPanel::picture();
}

}  // namespace headlight
