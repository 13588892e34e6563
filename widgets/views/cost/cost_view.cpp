#include "widgets/views/cost/cost_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "model/decode/run.h"
#include "widgets/base/controls.h"
#include "widgets/base/segments.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

using Picture = CostCanvas::Picture;

namespace {

constexpr const char *kPictureChoice = "picture", *kPaceChoice = "pace";

// The slider of lengths: ten steps to a doubling, up to 4096 tokens.
constexpr int kStepsOfDoubling = 10, kLastStep = 120;
Index length_at(int step) { return std::max<Index>(1, std::llround(std::exp2(step / double{kStepsOfDoubling}))); }
int step_of(Index length) {
  return std::clamp(static_cast<int>(std::lround(kStepsOfDoubling * std::log2(static_cast<double>(length)))), 0,
                    kLastStep);
}

AxisLabel label_of(const std::string& token, bool padding) {
  if (padding) {
    AttentionToken blank;
    blank.text = token;
    blank.padding = true;
    return axis_label(blank);
  }
  const TokenText text = token_text(token);
  return {text.text, text.stand_in, text.name, text.special};
}

}  // namespace

CostView::CostView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  make_bar();
  build(canvas_ = new CostCanvas(this), {720, 520});
  set_table(&table_);
  connect(canvas_, &CostCanvas::chosen, this, [this](int row) { selection_->set(place_of(row)); });
  connect(canvas_, &CostCanvas::hovered_row, this, [this](int row) {
    const SelectionState place = row < 0 ? SelectionState{} : place_of(row);
    selection_->hover(place.source_token, place.step);
  });
  connect(selection_, &Selection::changed, this, &CostView::follow_selection);
  show_texts();
  show_bar();
}

void CostView::make_bar() {
  QHBoxLayout* row = bar_row();
  row->addWidget(pictures_ = new Segments(bar()));
  row->addWidget(paces_ = new Segments(bar()));
  row->addWidget(length_name_ = new QLabel(bar()));
  row->addWidget(length_ = new QSlider(Qt::Horizontal, bar()), 1);
  row->addWidget(heads_name_ = new QLabel(bar()));
  row->addWidget(heads_ = new QSlider(Qt::Horizontal, bar()), 1);
  row->addWidget(reset_ = new QPushButton(bar()));
  row->addWidget(measure_ = new QPushButton(bar()));
  for (QSlider* slider : {length_, heads_}) slider->setMinimumWidth(50);
  for (QPushButton* button : {reset_, measure_}) button->setAutoDefault(false);
  length_->setRange(0, kLastStep);
  connect(pictures_, &Segments::chosen, this, [this](int at) { show_picture(static_cast<Picture>(at), pace_); });
  connect(paces_, &Segments::chosen, this, [this](int at) { show_picture(picture_, static_cast<Pace>(at)); });
  connect(length_, &QSlider::valueChanged, this, [this](int step) {
    length_wanted_ = length_at(step);
    show_run();
  });
  connect(heads_, &QSlider::valueChanged, this, [this](int at) {
    heads_wanted_ = nth(possible_heads(*result()->model->model), at);
    show_run();
  });
  connect(reset_, &QPushButton::clicked, this, [this] {
    length_wanted_ = heads_wanted_ = 0;
    show_run();
  });
  connect(measure_, &QPushButton::clicked, this, &CostView::measure);
}

bool CostView::offers(const Result& result) { return result.model && result.model->model && !result.model->stored; }

void CostView::refresh() {
  measured_.clear();
  if (std::exchange(awaited_, 0) > 0) emit runsWanted({});
  show_run();
  follow_selection();
}

void CostView::show_run() {
  cost_ = nullptr;
  if (run() && offers(*result()) && !result()->steps.empty()) {
    auto made = std::make_shared<CostRun>();
    made->lengths = run_lengths(*result());
    for (const Pace pace : {Pace::learns, Pace::writes})
      made->timelines[static_cast<int>(pace)] = headlight::timeline(*result(), pace).value();
    made->cost = model_cost(*result()).value();
    const std::vector<Index> possible = possible_heads(*result()->model->model);
    const bool known = std::ranges::find(possible, heads_wanted_) != possible.end();
    made->what_if_cost = known ? model_cost(*result(), heads_wanted_).value() : made->cost;
    made->what_if = length_wanted_ > 0 ? made->lengths.of(length_wanted_) : made->lengths;
    made->labels = row_labels();
    made->first_written = made->timelines[0].source_rows + static_cast<int>(made->lengths.prompt);
    find_padding(*made);
    made->seconds = result()->seconds;
    made->measured = measured_;
    for (const CostPart part : kCostParts)
      if (made->cost.multiplications(part, made->lengths, Pace::learns) > 0) made->parts.push_back(part);
    cost_ = std::move(made);
  }
  canvas_->set_run(cost_);
  show_bar();
  show_texts();
  show_table();
}

bool CostView::is_padding(int row) const {
  const int at = nth(result()->token_of_position, row);
  return at < 0 || nth(result()->tokens, at).padding;
}

void CostView::find_padding(CostRun& run) const {
  constexpr int kTogether = 3;  // fewer are named each
  for (int row = 0; row < run.first_written; ++row) {
    int end = row;
    while (end < run.first_written && is_padding(end)) ++end;
    if (end - row >= std::max(kTogether, run.padding_rows + 1)) run.padding_from = row, run.padding_rows = end - row;
    row = std::max(row, end - 1);
  }
}

// A row for each token that is read, and for each that is written. A model that goes on with its text writes each one
// while it reads the one before, which has no row of its own: "gives → it".
std::vector<AxisLabel> CostView::row_labels() const {
  std::vector<AxisLabel> labels;
  const RunLengths lengths = run_lengths(*result());
  for (Index position = 0; position < lengths.source + lengths.prompt; ++position) {
    const int at = nth(result()->token_of_position, position);
    labels.push_back(label_of(at < 0 ? " " : nth(result()->tokens, at).text, is_padding(static_cast<int>(position))));
  }
  for (std::size_t i = 0; i < result()->steps.size(); ++i) {
    AxisLabel& label = labels.emplace_back(label_of(result()->steps[i].text, false));
    if (lengths.source > 0) continue;
    label.name = label.words();
    label.text = label_of(result()->fed[i], false).text + QStringLiteral(" → ") + label.text;
  }
  return labels;
}

SelectionState CostView::place_of(int row) const {
  SelectionState place;
  if (!cost_) return place;
  if (row < cost_->first_written)
    place.source_token = unless_none(nth(result()->token_of_position, row));
  else
    place.step = row - cost_->first_written;
  return place;
}

int CostView::row_of(const SelectionState& state) const {
  if (state.step) return cost_->first_written + *state.step;
  if (!state.source_token) return -1;
  for (int row = 0; row < cost_->first_written; ++row)
    if (nth(result()->token_of_position, row) == *state.source_token) return row;
  return -1;
}

void CostView::follow_selection() {
  if (!cost_ || !is_fresh()) return;
  const int row = row_of(selection_->state());
  canvas_->set_row(row < static_cast<int>(cost_->labels.size()) ? row : -1);
}

void CostView::show_picture(Picture picture, Pace pace) {
  picture_ = picture;
  pace_ = pace;
  canvas_->set_picture(picture, pace);
  show_bar();
  show_table();
}

void CostView::show_bar() {
  bar()->setVisible(cost_ != nullptr);
  pictures_->set_current(static_cast<int>(picture_));
  paces_->set_current(static_cast<int>(pace_));
  if (!cost_) return;
  const bool costs = picture_ == Picture::cost;
  const std::vector<Index> possible = possible_heads(*result()->model->model);
  for (QWidget* each : std::initializer_list<QWidget*>{length_name_, length_, reset_, measure_})
    each->setVisible(costs);
  for (QWidget* each : std::initializer_list<QWidget*>{heads_name_, heads_})
    each->setVisible(costs && possible.size() > 1);
  const QSignalBlocker quiet(length_), quiet_too(heads_);
  const Index length = std::max<Index>(1, cost_->what_if.longest());
  if (!length_->isSliderDown()) length_->setValue(step_of(length));
  length_name_->setText(tr("n = %1").arg(length));
  const Index heads = cost_->what_if_cost.heads;
  heads_->setRange(0, std::max(0, static_cast<int>(possible.size()) - 1));
  const auto at = std::ranges::find(possible, heads);
  if (!heads_->isSliderDown() && at != possible.end()) heads_->setValue(static_cast<int>(at - possible.begin()));
  heads_name_->setText(tr("h = %1").arg(heads));
  reset_->setEnabled(cost_->is_what_if());
  measure_->setEnabled(awaited_ == 0);
  keep_room(length_name_);
  keep_room(heads_name_);
}

void CostView::show_texts() {
  pictures_->set_words(tr("Which picture"), {});
  pictures_->set_choices({{tr("What waits for what"), tr("Each layer at each token, in the first step of time in which "
                                                         "all that it needs is there.")},
                          {tr("What it costs"), tr("Multiplications by part of the model, counted, and the clock.")}});
  paces_->set_words(tr("While it learns or writes"), {});
  paces_->set_choices({{pace_name(Pace::learns), tr("The right output is known: no step waits for a token that is "
                                                    "written (teacher forcing).")},
                       {pace_name(Pace::writes), tr("Each token is read before the next one is written.")}});
  describe(length_, tr("Length of a text to compare with, in tokens"),
           tr("What if the text had so many tokens? Lighter bars count it. The run stays as it is."));
  describe(heads_, tr("Number of heads to compare with"),
           tr("What if the same columns were shared by so many heads? As many multiplications, but each head has "
              "weights, and exponentials, of its own."));
  reset_->setText(tr("As it is"));
  reset_->setToolTip(tr("Length and heads as they are in this run."));
  measure_->setText(tr("Measure"));
  measure_->setToolTip(
      tr("Runs this model in the background on its text at several lengths, and says how long each "
         "took. What is typed next ends it."));
  show_message(cost_
                   ? QString()
                   : reason(tr("Type a source to see what it costs to read it."),
                            tr("The attention of this model was stored: nothing is computed that could be counted.")));
}

void CostView::retranslate() {
  show_texts();
  show_bar();
  show_table();
}

QVariantMap CostView::own_choices() const {
  if (picture_ == Picture::time && pace_ == Pace::writes) return {};
  return {{kPictureChoice, static_cast<int>(picture_)}, {kPaceChoice, static_cast<int>(pace_)}};
}

void CostView::set_own_choices(const QVariantMap& choices) {
  const auto picture = choices.value(kPictureChoice, static_cast<int>(Picture::time)).toInt();
  const auto pace = choices.value(kPaceChoice, static_cast<int>(Pace::writes)).toInt();
  show_picture(picture == static_cast<int>(Picture::cost) ? Picture::cost : Picture::time,
               pace == static_cast<int>(Pace::learns) ? Pace::learns : Pace::writes);
}

// The text at a quarter, half, twice and four times its length, and as it is: only what is written, without a trace.
void CostView::measure() {
  if (!cost_) return;
  measured_.clear();
  std::set<Index> lengths;
  for (const double share : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    Index typed = 0;
    for (const TextToken& token : result()->tokens) typed += token.padding ? 0 : 1;
    lengths.insert(std::clamp<Index>(std::llround(share * static_cast<double>(typed)), 1, kMaxSourceTokens));
  }
  std::vector<Request> requests;
  for (const Index length : lengths) {
    Request request;
    request.model = result()->model;
    request.source = text_of_length(result()->model->text.source, result()->source, static_cast<int>(length));
    request.second = result()->second;
    request.decode = result()->decode;
    request.seed = result()->seed;
    request.trace = false;
    requests.push_back(std::move(request));
  }
  awaited_ = static_cast<int>(requests.size());
  show_run();
  emit runsWanted(requests);
}

void CostView::set_run(int, const std::shared_ptr<const Result>& result) {
  if (awaited_ == 0 || !cost_) return;
  --awaited_;
  const RunLengths lengths = run_lengths(*result);
  const MeasuredLength made{lengths.longest(), cost_->cost.multiplications(lengths, Pace::writes), result->seconds};
  const auto same = std::ranges::find(measured_, made.tokens, &MeasuredLength::tokens);
  if (same == measured_.end())
    measured_.push_back(made);
  else
    same->seconds = std::min(same->seconds, made.seconds);
  std::ranges::sort(measured_, {}, &MeasuredLength::tokens);
  show_run();
}

void CostView::set_run_failed(int, const QString&) {  // a text that is too long for the model: the others tell enough
  if (awaited_ == 0) return;
  --awaited_;
  show_bar();
}

void CostView::show_table() {
  if (!cost_) return table_.clear();
  picture_ == Picture::time ? show_boxes() : show_parts();
}

void CostView::show_boxes() {
  const auto of = [cost = cost_, pace = pace_](auto value) {
    return [cost, pace, value](int line) { return QVariant(value(*cost, nth(cost->timeline(pace).boxes, line))); };
  };
  table_.set(static_cast<int>(cost_->timeline(pace_).boxes.size()),
             {{tr("step"), of([](const CostRun&, const TimelineBox& box) { return box.column + 1; })},
              {tr("token"),
               of([](const CostRun& run, const TimelineBox& box) { return nth(run.labels, run.row_of(box)).words(); })},
              {tr("computes"), of([](const CostRun&, const TimelineBox& box) { return box_name(box.kind); })},
              {tr("layer"), of([](const CostRun&, const TimelineBox& box) { return box.layer + 1; })}});
}

void CostView::show_parts() {
  const auto products = [cost = cost_](Pace pace, bool what_if) {
    return [cost, pace, what_if](int line) {
      const CostPart part = nth(cost->parts, line);
      return QVariant(what_if ? cost->what_if_cost.multiplications(part, cost->what_if, pace)
                              : cost->cost.multiplications(part, cost->lengths, pace));
    };
  };
  std::vector<ColumnTable::Column> columns = {
      {tr("part"), [cost = cost_](int line) { return QVariant(part_name(nth(cost->parts, line))); }},
      {tr("multiplications, learns"), products(Pace::learns, false)},
      {tr("multiplications, writes"), products(Pace::writes, false)}};
  if (cost_->is_what_if()) {
    columns.push_back({tr("what if, learns"), products(Pace::learns, true)});
    columns.push_back({tr("what if, writes"), products(Pace::writes, true)});
  }
  table_.set(static_cast<int>(cost_->parts.size()), std::move(columns));
}

}  // namespace headlight
