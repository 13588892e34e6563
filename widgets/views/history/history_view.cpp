#include "widgets/views/history/history_view.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/folded_map.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

// The map with its padding in one column.
HeatmapScene scene_of(const AttentionMap& map) {
  HeatmapScene scene;
  scene.colour_bar = false;
  const FoldedMap folded = FoldedMap::of(std::make_shared<const AttentionMap>(map), AttentionMap::kMean, true);
  FoldedMap::Cells cells = folded.cells(AttentionMap::kMean);
  scene.rows = cells.rows;
  scene.columns = cells.columns;
  scene.values = std::make_shared<HeatmapValues>(cells.rows, cells.columns, std::move(cells.values));
  scene.hidden = std::move(cells.hidden);
  scene.set_labels(row_labels(*folded.map), folded.column_labels());
  constexpr int kMany = 64;  // weights are small where there are many
  if (scene.columns > kMany) scene.range = HeatmapScene::Range::automatic;
  return scene;
}

}  // namespace

HistoryView::HistoryView(const ViewContext& context, QWidget* parent) : PlaceCanvas(Layout::wrapped, context, parent) {
  set_table(&table_);
  announce();
}

void HistoryView::set_models(std::vector<ModelDescription> models) {
  models_ = std::move(models);
  if (run()) show_again();
}

void HistoryView::hideEvent(QHideEvent* event) {
  Canvas::hideEvent(event);
  mark_stale();  // what is still on its way is not wanted any more
  emit runsWanted({});
}

// The cards that were there keep their last run until the new one arrives.
void HistoryView::refresh() {
  std::vector<HistoryCard> cards;
  if (run()) cards = history_cards(models_, *result());
  std::vector<Shown> shown(cards.size());
  for (std::size_t i = 0; i < cards.size(); ++i)
    for (std::size_t j = 0; j < cards_.size(); ++j)
      if (cards[i].bundle->folder == cards_[j].bundle->folder) shown[i] = std::move(shown_[j]);
  const bool other = cards.size() != cards_.size() || (run() && cursor_ >= static_cast<int>(cards.size()));
  cards_ = std::move(cards);
  shown_ = std::move(shown);
  card_of_run_.clear();
  std::vector<Request> requests;
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    if (cards_[i].open) {
      if (other) cursor_ = static_cast<int>(i);
      show_run(i, run());
      continue;
    }
    Request request;
    request.model = cards_[i].bundle;
    request.source = result()->source;
    request.decode = result()->decode;
    request.seed = result()->seed;
    request.capture = {attention_sites(), false};
    card_of_run_.push_back(i);
    requests.push_back(std::move(request));
  }
  compare_outputs();
  lay_out();
  announce();
  emit runsWanted(requests);
}

void HistoryView::set_run(int index, std::shared_ptr<const Result> result) {
  if (index < 0 || index >= static_cast<int>(card_of_run_.size())) return;
  show_run(nth(card_of_run_, index), analysed(std::move(result)));
  compare_outputs();
  choice_changed();
}

void HistoryView::set_run_failed(int index, const QString& message) {
  if (index < 0 || index >= static_cast<int>(card_of_run_.size())) return;
  shown_[nth(card_of_run_, index)] = {};
  shown_[nth(card_of_run_, index)].problem = message;
  compare_outputs();
  viewport()->update();
}

void HistoryView::show_run(std::size_t card, std::shared_ptr<const AnalysedRun> run) {
  Shown& shown = shown_[card];
  shown = {};
  shown.result = run->result();
  if (const AttentionMap* map = telling_map(run->maps())) {
    shown.map = scene_of(*map);
    shown.of_itself = map->is_self();
  }
}

bool HistoryView::is_stale(const Shown& shown) const {
  return !shown.result || shown.result->source != result()->source;
}

// Those that were trained on the same task should write the same.
void HistoryView::compare_outputs() {
  std::vector<const Result*> results;
  for (std::size_t i = 0; i < cards_.size(); ++i)
    if (cards_[i].bundle->task == result()->model->task && !is_stale(shown_[i]))
      results.push_back(shown_[i].result.get());
  common_ = common_output(results);
  comparable_ = results.size() > 1;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    Shown& each = shown_[i];
    if (!each.result) continue;
    const bool judged = cards_[i].bundle->task == result()->model->task;
    each.output = agreement(judged ? common_ : output_tokens(*each.result), *each.result);
    each.differences = static_cast<std::size_t>(
        std::ranges::count_if(each.output, [](const PlacePair& place) { return !place.same; }));
  }
  show_table();
}

void HistoryView::show_table() {
  const auto of_run = [this](auto value) {
    return [this, value](int card) {
      const Shown& shown = nth(shown_, card);
      return shown.result ? QVariant(value(shown)) : QVariant();
    };
  };
  const auto card = [this](auto value) { return [this, value](int at) { return QVariant(value(nth(cards_, at))); }; };
  table_.set(static_cast<int>(cards_.size()),
             {{tr("model"), card([](const HistoryCard& at) { return QString::fromStdString(at.bundle->title); })},
              {tr("year"), card([](const HistoryCard& at) { return at.year; })},
              {tr("paper"), card([](const HistoryCard& at) { return QString::fromUtf8(at.paper); })},
              {tr("output"), of_run([](const Shown& shown) { return from_utf8(shown.result->output); })},
              {tr("different"), of_run([](const Shown& shown) { return static_cast<int>(shown.differences); })},
              {tr("parameters"), of_run([](const Shown& shown) {
                 return static_cast<qlonglong>(shown.result->model->model->parameters().count());
               })},
              {tr("milliseconds"), of_run([](const Shown& shown) { return shown.result->seconds * 1000; })}});
}

void HistoryView::forget() {
  painter_.forget_colours();
  for (Shown& each : shown_) each.picture = {};
  show_table();
}

QSizeF HistoryView::arrange(QSizeF view) {
  HistoryLayout::Metrics m;
  m.view = view;
  m.line = std::ceil(QFontMetricsF(theme().ui_font()).height() + 2);
  m.small_line = std::ceil(QFontMetricsF(theme().ui_font(type::kHead)).height() + 1);
  m.chip_line = std::ceil(QFontMetricsF(theme().token_font()).height() + 4);
  m.smallest_card *= theme().font_scale();
  m.largest_card *= theme().font_scale();
  m.strip_card *= theme().font_scale();
  layout_ = HistoryLayout::of(static_cast<int>(cards_.size()), m);
  // A name that is longer than its card goes on in a second line, in all cards: they stay alike.
  QFont bold = theme().ui_font();
  bold.setWeight(QFont::DemiBold);
  for (std::size_t i = 0; i < cards_.size() && m.title_lines == 1; ++i)
    if (text_width(title(cards_[i]), bold) > (layout_.strip ? layout_.cards[i].paper : layout_.cards[i].title).width())
      m.title_lines = 2;
  if (m.title_lines > 1)
    for (const HistoryCard& card : cards_)
      m.title = std::max(m.title, QFontMetricsF(bold).size(0, title(card) + '\n' + title(card)).height());
  if (m.title_lines > 1) layout_ = HistoryLayout::of(static_cast<int>(cards_.size()), m);
  return {layout_.width, layout_.height};
}

QString HistoryView::title(const HistoryCard& card) const {
  return QCoreApplication::translate("ModelCard", card.bundle->title.c_str());
}

QString HistoryView::paper(const HistoryCard& card) const {
  return card.year > 0 ? QStringLiteral("%1 · %2").arg(card.year).arg(QString::fromUtf8(card.paper)) : QString();
}

QString HistoryView::map_text(const Shown& shown) const {
  if (!shown.problem.isEmpty()) return shown.problem;
  if (!shown.result) return tr("computing …");
  return tr("no attention: one vector carries the whole text");
}

QString HistoryView::verdict(int card) const {
  const Shown& shown = nth(shown_, card);
  if (!comparable_ || !shown.result || nth(cards_, card).bundle->task != result()->model->task) return {};
  if (shown.differences > 0) return tr("%1 different").arg(shown.differences);
  return tr("agrees");
}

QString HistoryView::note(int card) const {
  const Shown& shown = nth(shown_, card);
  if (!shown.result) return {};
  const auto count = static_cast<double>(shown.result->model->model->parameters().count());
  return QStringLiteral("%1 · %2").arg(tr("%1 numbers").arg(large_number(count)),
                                       tr("%1 ms").arg(plain_number(1000 * shown.result->seconds, 1)));
}

QString HistoryView::place_tooltip(const HistoryPlace& place) const {
  const int card = place.card;
  if (card < 0 || card >= static_cast<int>(cards_.size())) return {};
  const HistoryCard& at = nth(cards_, card);
  const Shown& shown = nth(shown_, card);
  QStringList lines{title(at)};
  if (at.year > 0) lines << paper(at);
  if (shown.result) {
    lines << tr("It writes: %1").arg(shown_text(shown.result->output)) << note(card);
    if (shown.map.rows == 0)
      lines << map_text(shown);
    else if (shown.of_itself)
      lines << tr("The picture: which of its tokens each token looks at, the mean of the last layer's heads.");
    else
      lines << tr("The picture: which tokens of the text each output step looks at.");
    if (const QString text = verdict(card); !text.isEmpty())
      lines << (shown.differences == 0 ? tr("It writes what most of these models write.")
                                       : tr("Underlined is what most of these models write differently."));
  } else {
    lines << map_text(shown);
  }
  lines << (at.open ? tr("This is the open model.") : tr("Click or press Enter to open this model."));
  return lines.join('\n');
}

QString HistoryView::name() const {
  return cards_.empty() ? tr("One history, empty") : tr("One history: %1 models").arg(cards_.size());
}

QString HistoryView::empty_text() const {
  return cards_.empty() ? tr("Type a text to see what every model that can read it makes of it.") : QString();
}

void HistoryView::set_cursor(int card) {
  if (cards_.empty()) return;
  cursor_ = std::clamp(card, 0, static_cast<int>(cards_.size()) - 1);
  reveal(nth(layout_.cards, cursor_).frame);
  choice_changed();
}

void HistoryView::open(int card) {
  if (card < 0 || card >= static_cast<int>(cards_.size()) || nth(cards_, card).open) return;
  emit modelWanted(path_text(nth(cards_, card).bundle->folder));
}

void HistoryView::press_place(const HistoryPlace& place) {
  set_cursor(place.card);
  open(place.card);
}

Qt::CursorShape HistoryView::pointer(const HistoryPlace& place) const {
  const auto card = static_cast<std::size_t>(place.card);
  return card < cards_.size() && !cards_[card].open ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

QRectF HistoryView::cursor_rect() const {
  const int last = static_cast<int>(layout_.cards.size()) - 1;
  return last < 0 ? QRectF() : nth(layout_.cards, std::clamp(cursor_, 0, last)).frame;
}

bool HistoryView::go(int right, int down) {
  const int columns = std::max(1, layout_.columns), last = static_cast<int>(cards_.size()) - 1;
  if (last < 0) return false;
  const int rows = std::clamp(down, -cursor_ / columns, (last - cursor_) / columns);  // stays in its column
  const int first = (cursor_ + rows * columns) / columns * columns;
  if (std::abs(right) == kEnd)
    set_cursor(right < 0 ? first : first + columns - 1);
  else
    set_cursor(cursor_ + right + rows * columns);
  return true;
}

bool HistoryView::activate() {
  open(cursor_);
  return true;
}
}  // namespace headlight
