// Cards of guesses.
#include "widgets/views/output/output_guesses.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/views/output/output_layout.h"

namespace headlight {

namespace {

constexpr int kGuesses = 10;
constexpr int kLongestWord = 16;  // in digits; longer ones are elided

QFont guess_font() { return theme().ui_font(type::kHead); }

std::optional<double> entropy_of(const Tensor& probabilities) {
  if (!probabilities.defined()) return std::nullopt;
  double sum = 0;
  for (Index i = 0; i < probabilities.size(); ++i) {
    const auto p = static_cast<double>(probabilities[i]);
    if (!std::isfinite(p)) return std::nullopt;
    if (p > 0) sum -= p * std::log(p);
  }
  return sum;
}

}  // namespace

std::vector<HiddenWord> hidden_words(const Result& result) {
  std::vector<HiddenWord> words;
  const std::vector<TokenId> never = result.model->text.never_written();
  for (std::size_t token = 0; token < result.tokens.size(); ++token) {
    if (result.tokens[token].id != result.model->text.mask) continue;
    HiddenWord word;
    word.token = static_cast<int>(token);
    word.step = result.position_of_token[token];
    if (word.step < 0 || word.step >= static_cast<int>(result.steps.size())) continue;
    for (const Candidate& each : nth(result.steps, word.step).top)
      if (std::ranges::find(never, each.id) == never.end()) word.guesses.push_back(each);
    if (result.trace)
      word.entropy = entropy_of(result.trace->value("decoder.step[" + std::to_string(word.step) + "].output.probs"));
    words.push_back(std::move(word));
  }
  return words;
}

// e^H is the number of equally probable words that would be as hard to guess.
QString certainty_in_words(double entropy) {
  const double among = std::exp(entropy);
  if (among < 1.15) return GuessesView::tr("almost certain");
  const QString text = among < 2.5 ? GuessesView::tr("quite sure: like a choice among %1 words")
                       : among < 8 ? GuessesView::tr("torn: like a choice among %1 words")
                                   : GuessesView::tr("unsure: like a choice among %1 words");
  return text.arg(among, 0, 'f', among < 10 ? 1 : 0);
}

GuessesView::GuessesView(const ViewContext& context, QWidget* parent) : PlaceCanvas(Layout::wrapped, context, parent) {
  set_table(&table_);
  connect(selection_, &Selection::changed, viewport(), qOverload<>(&QWidget::update));
  connect(selection_, &Selection::hovered, viewport(), qOverload<>(&QWidget::update));
  announce();
}

GuessesView::~GuessesView() = default;

bool GuessesView::offers(const Result& result) { return guesses_hidden_words(result); }

void GuessesView::refresh() {
  words_ = run() ? hidden_words(*result()) : std::vector<HiddenWord>{};
  set_hovered({});
  lay_out();
  if (cursor_.card >= layout_.cards || cursor_.rank >= layout_.guesses) cursor_ = {};
  announce();
  show_table();
}

void GuessesView::show_table() {
  std::vector<std::pair<const HiddenWord*, int>> lines;  // word and rank
  for (const HiddenWord& word : words_)
    for (int rank = 0; rank < static_cast<int>(word.guesses.size()); ++rank) lines.emplace_back(&word, rank);
  const auto at = [lines](auto value) {
    return [lines, value](int line) {
      const auto& [word, rank] = nth(lines, line);
      return QVariant(value(*word, rank));
    };
  };
  const auto guess = [](const HiddenWord& of, int rank) { return nth(of.guesses, rank); };
  table_.set(
      static_cast<int>(lines.size()),
      {{tr("token"), at([](const HiddenWord& of, int) { return of.token; })},
       {tr("rank"), at([](const HiddenWord&, int rank) { return rank + 1; })},
       {tr("guess"), at([guess](const HiddenWord& of, int rank) { return from_utf8(guess(of, rank).text); })},
       {tr("probability"), at([guess](const HiddenWord& of, int rank) { return guess(of, rank).probability; })},
       {tr("entropy"), at([](const HiddenWord& of, int) { return of.entropy ? QVariant(*of.entropy) : QVariant(); })}});
}

QSizeF GuessesView::arrange(QSizeF view) {
  GuessesLayout::Metrics metrics;
  metrics.width = view.width();
  metrics.side = OutputLayout::side_of(view.width());
  metrics.line = std::ceil(QFontMetricsF(theme().token_font()).height() + 4);
  metrics.smallest_card *= theme().font_scale();
  metrics.largest_card *= theme().font_scale();
  std::size_t guesses = 0;
  for (const HiddenWord& word : words_) guesses = std::max(guesses, word.guesses.size());
  layout_ = GuessesLayout::of(static_cast<int>(words_.size()), std::min(kGuesses, static_cast<int>(guesses)), metrics);
  return {layout_.width, layout_.height};
}

QString GuessesView::place_tooltip(const GuessHit& place) const {
  if (place.card < 0 || place.card >= static_cast<int>(words_.size())) return {};
  const HiddenWord& word = nth(words_, place.card);
  if (place.rank < 0) {
    QString text = tr("Hidden word %1 of %2. Below it are the words that the model holds for most probable.")
                       .arg(counted(place.card))
                       .arg(words_.size());
    if (word.entropy)
      text +=
          '\n' +
          tr("The model is %1 (entropy %2 nats).").arg(certainty_in_words(*word.entropy), short_number(*word.entropy));
    return text;
  }
  if (place.rank >= static_cast<int>(word.guesses.size())) return {};
  const Candidate& guess = nth(word.guesses, place.rank);
  return tr("Guess %1 for hidden word %2: %3, probability %4.")
             .arg(counted(place.rank), counted(place.card), quoted(guess.text), percent(guess.probability)) +
         '\n' + tr("Click to write it into the text.");
}

QString GuessesView::name() const {
  return words_.empty() ? tr("Guesses at hidden words, none") : tr("Guesses at hidden words: %1").arg(words_.size());
}

QString GuessesView::description() const {
  return cursor_.card >= 0 ? place_tooltip(cursor_) : tr("Nothing selected. Arrow keys choose a guess.");
}

QString GuessesView::empty_text() const {
  if (!words_.empty()) return {};
  const auto mask = run() ? result()->model->text.mask : std::nullopt;  // as the model's own tokenizer writes it
  return tr("No word is hidden. Type %1 for a word of the text, and the model guesses it here.")
      .arg(mask ? from_utf8(result()->model->source_vocabulary().text(*mask)) : QStringLiteral("___"));
}

void GuessesView::move_cursor(GuessHit place) {
  if (layout_.cards == 0) return;
  place.card = std::clamp(place.card, 0, layout_.cards - 1);
  const auto guesses = static_cast<int>(nth(words_, place.card).guesses.size());
  place.rank = std::clamp(place.rank, -1, std::min(layout_.guesses, guesses) - 1);
  cursor_ = place;
  const HiddenWord& word = nth(words_, place.card);
  SelectionState state;
  state.source_token = word.token;
  state.step = word.step;
  selection_->set(state);
  reveal(place.rank < 0 ? layout_.sentence(place.card) : layout_.guess(place.card, place.rank));
  choice_changed();
}

void GuessesView::choose(const GuessHit& place) {
  if (place.card < 0 || place.rank < 0) return;
  const HiddenWord& word = nth(words_, place.card);
  if (place.rank >= static_cast<int>(word.guesses.size())) return;
  emit requests_->source(with_guess(*result(), word.token, nth(word.guesses, place.rank).id));
}

void GuessesView::paint(QPainter& painter, const QRectF&, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const auto token = selection_->state().source_token;
  for (int card = 0; card < layout_.cards; ++card) {
    const HiddenWord& word = nth(words_, card);
    const bool under_mouse = selection_->hovered_token() == word.token;
    draw_box(painter, layout_.card(card).adjusted(0.5, 0.5, -0.5, -0.5), 6,
             marks && token == word.token ? QPen(theme().accent(), 1.6)
                                          : QPen(marks && under_mouse ? theme().hover() : theme().grid(), 1.2),
             theme().background());
    paint_sentence(painter, layout_.sentence(card), word);
    const QString certainty = word.entropy ? certainty_in_words(*word.entropy) : QString();
    write_line(painter, layout_.certainty(card), kLeft, certainty, guess_font(), theme().muted_text());
    for (int rank = 0; rank < std::min(layout_.guesses, static_cast<int>(word.guesses.size())); ++rank) {
      const QRectF row = layout_.guess(card, rank);
      const bool current = cursor_ == GuessHit{card, rank};
      if (marks && (current || hovered() == GuessHit{card, rank})) {
        draw_box(painter, row.adjusted(-4, 1, 4, -1), 4, QPen(current ? theme().accent() : theme().hover(), 1.2));
      }
      paint_guess(painter, row, word, rank);
    }
  }
}

// The hidden word always stands in sight; what is before and behind it is shortened.
void GuessesView::paint_sentence(QPainter& painter, const QRectF& rect, const HiddenWord& word) const {
  painter.setFont(theme().ui_font());
  const QFontMetricsF metrics(painter.font());
  const TextToken& token = nth(result()->tokens, word.token);
  const QString before = shown_text(result()->source.substr(0, token.begin));
  const QString behind = shown_text(result()->source.substr(token.end));
  const double slot = metrics.horizontalAdvance(QStringLiteral("_____"));
  const double room = std::max(0.0, rect.width() - slot);
  const double half = room / 2, wants = metrics.horizontalAdvance(before), after = metrics.horizontalAdvance(behind);
  const double left = std::min(wants, std::max(half, room - after)), right = std::min(after, room - left);
  painter.setPen(theme().text());
  draw_text(painter, rect, kLeft, elided_text(before, painter.font(), Qt::ElideLeft, left + 1));
  const QRectF box(rect.left() + left, rect.top() + 2, slot, rect.height() - 4);
  write_line(painter, {box.right(), rect.top(), right + 1, rect.height()}, kLeft, behind);
  draw_box(painter, box.adjusted(1.5, 0, -1.5, 0), 4, QPen(theme().text(), 1.4));
  painter.setPen(theme().text());
  draw_text(painter, box, kCentre, QStringLiteral("?"));
}

void GuessesView::paint_guess(QPainter& painter, const QRectF& rect, const HiddenWord& word, int rank) const {
  const Candidate& guess = nth(word.guesses, rank);
  const bool written = guess.id == nth(result()->steps, word.step).id;
  const TokenText token = token_text(guess.text);
  QFont font = theme().ui_font();
  font.setWeight((written && !token.stand_in) ? QFont::DemiBold : QFont::Normal);
  double names = 0;
  QFont widest = theme().ui_font();
  widest.setWeight(QFont::DemiBold);
  for (const Candidate& each : word.guesses) names = std::max(names, text_width(token_text(each.text).text, widest));
  names = std::min({names, kLongestWord * text_width(QStringLiteral("0"), widest), rect.width() / 2});
  const double number =
      text_width(QStringLiteral("99.9 %"), guess_font()) + text_width(QStringLiteral("> "), guess_font());
  write_line(painter, {rect.left(), rect.top(), names + 1, rect.height()}, kLeft, token.text, font,
             token.stand_in ? theme().muted_text() : theme().text());
  write(painter, rect, kRight, percent(guess.probability), guess_font(), theme().muted_text());
  const double share = std::isnan(guess.probability) ? 0 : std::clamp(guess.probability, 0.0, 1.0);
  const QRectF track(rect.left() + names + 8, rect.center().y() - 4, rect.width() - names - number - 16, 8);
  if (track.width() < 8) return;
  draw_box(painter, track, 3, Qt::NoPen, theme().grid());
  painter.setBrush(theme().weight(written ? 0.72 : 0.5));
  painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(2.0, track.width() * share), track.height())), 3, 3);
}

void GuessesView::hover_changed() {
  const auto card = static_cast<std::size_t>(hovered().card);
  const HiddenWord* word = card < words_.size() ? &words_[card] : nullptr;
  selection_->hover(word ? std::optional(word->token) : std::nullopt, word ? std::optional(word->step) : std::nullopt);
}

void GuessesView::press_place(const GuessHit& place) {
  move_cursor(place);
  choose(place);
}

QRectF GuessesView::cursor_rect() const {
  if (layout_.cards == 0) return {};
  const int card = std::max(0, cursor_.card);
  return cursor_.rank < 0 ? layout_.sentence(card) : layout_.guess(card, cursor_.rank).adjusted(-4, 1, 4, -1);
}

bool GuessesView::go(int right, int down) {
  if (cursor_.card < 0)
    move_cursor({0, -1 + down});
  else
    move_cursor({cursor_.card + right, cursor_.rank + down});
  return true;
}

bool GuessesView::activate() {
  choose(cursor_);
  return cursor_.rank >= 0;
}

}  // namespace headlight
