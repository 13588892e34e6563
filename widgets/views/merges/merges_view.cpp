#include "widgets/views/merges/merges_view.h"

#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kMostWords = 40;             // that stand on top, around the chosen one
constexpr std::size_t kMostText = 10'000;  // bytes, cut while somebody types

QString log_probability(double score) { return plain_number(score, 2); }

QString tried_text(const std::vector<std::string>& texts) {
  QStringList all;
  for (const std::string& each : texts) all << token_text(each).text;
  return all.join(QStringLiteral(", "));
}

}  // namespace

MergesView::MergesView(const ViewContext& context, QWidget* parent) : PlaceCanvas(Layout::scrolled, context, parent) {
  set_table(&table_);
  if (selection_) connect(selection_, &Selection::changed, this, &MergesView::follow_selection);
  announce();
}

const WordCut* MergesView::cut() const {
  return word_ < static_cast<int>(cuts_.size()) ? &cuts_[static_cast<std::size_t>(word_)] : nullptr;
}

void MergesView::refresh() {
  cuts_.clear();
  begins_ = false;
  if (result() && !result()->model->stored) {
    std::string text = result()->source;
    begins_ = text.size() > kMostText;
    if (begins_) text.resize(std::min(text.rfind(' ', kMostText), kMostText));
    cuts_ = result()->model->text.source.cuts(text);
  }
  follow_selection();
  show_word(word_);
}

// The word of the chosen token; while none is chosen the word stays.
void MergesView::follow_selection() {
  if (!selection_ || !result()) return;
  const std::optional<int> chosen = selection_->state().source_token;
  if (!chosen || *chosen >= static_cast<int>(result()->tokens.size())) return;
  const std::size_t at = nth(result()->tokens, *chosen).begin;
  for (std::size_t k = 0; k < cuts_.size(); ++k)
    if (cuts_[k].begin <= at && at < cuts_[k].end && static_cast<int>(k) != word_)
      return show_word(static_cast<int>(k));
}

void MergesView::show_word(int word) {
  word_ = std::clamp(word, 0, std::max(0, static_cast<int>(cuts_.size()) - 1));
  first_ = std::clamp(word_ - kMostWords / 2, 0, std::max(0, static_cast<int>(cuts_.size()) - kMostWords));
  const int last = cut() ? static_cast<int>(cut()->steps.size()) - 1 : -1;
  cursor_ = last < 0 ? MergesPlace{} : MergesPlace{Kind::piece, last, 0};
  show_table();
  lay_out();
  choice_changed();
}

void MergesView::choose_word(int word) {
  if (cuts_.empty()) return;
  show_word(word);
  if (!selection_ || !result()) return;
  SelectionState state;
  state.step = selection_->state().step;
  for (std::size_t i = 0; i < result()->tokens.size() && !state.source_token; ++i)
    if (const TextToken& token = result()->tokens[i];
        token.begin >= cut()->begin && token.end <= cut()->end && token.begin < token.end)
      state.source_token = static_cast<int>(i);
  if (state.source_token) selection_->set(state);
}

// --- what stands in the rows

QString MergesView::piece_text(const CutPiece& piece) const { return token_text(piece.text).text; }

const CutPiece* MergesView::piece(const MergesPlace& place) const {
  if (!cut() || place.kind != Kind::piece || place.row >= static_cast<int>(cut()->steps.size())) return nullptr;
  const CutStep& step = nth(cut()->steps, place.row);
  return place.at < static_cast<int>(step.pieces.size()) ? &nth(step.pieces, place.at) : nullptr;
}

bool MergesView::is_made(int row, int piece) const {
  return std::ranges::find(nth(cut()->steps, row).made, piece) != nth(cut()->steps, row).made.end();
}

bool MergesView::is_next(int row, int piece) const {
  if (cut()->rule != Rule::merges || row + 1 >= static_cast<int>(cut()->steps.size())) return false;
  // Each merge that stands before it took one place away.
  const std::vector<int>& made = nth(cut()->steps, row + 1).made;
  for (std::size_t k = 0; k < made.size(); ++k)
    if (const int left = made[k] + static_cast<int>(k); piece == left || piece == left + 1) return true;
  return false;
}

bool MergesView::on_best_path(int arc) const {
  const CutArc& wanted = nth(cut()->arcs, arc);
  std::size_t at = 0;
  for (const CutPiece& piece : cut()->tokens()) {
    if (at == wanted.begin && piece.text == wanted.text) return true;
    for (std::size_t k = 0; k < cut()->arcs.size(); ++k)
      if (cut()->arcs[k].begin == at && cut()->arcs[k].text == piece.text) {
        at = cut()->arcs[k].end;
        break;
      }
  }
  return false;
}

QString MergesView::label(int row) const {
  const CutStep& step = nth(cut()->steps, row);
  const bool last = row + 1 == static_cast<int>(cut()->steps.size());
  switch (cut()->rule) {
    case Rule::merges:
      return row == 0 ? tr("characters") : step.rank >= 0 ? tr("rule %1").arg(step.rank + 1) : tr("all rules");
    case Rule::longest_match:
      return row == 0 ? tr("word") : tr("match %1").arg(row);
    case Rule::best_path:
      return row == 0 ? tr("characters") : last ? tr("best") : tr("second best");
    default:
      return tr("tokens");
  }
}

QString MergesView::what(int row) const {
  const CutStep& step = nth(cut()->steps, row);
  if (step.rank >= 0) return QStringLiteral("%1 + %2").arg(token_text(step.left).text, token_text(step.right).text);
  if (!step.tried.empty()) return tr("not %1").arg(tried_text(step.tried));
  return {};
}

QString MergesView::behind(int row) const {
  const CutStep& step = nth(cut()->steps, row);
  return std::isnan(step.score) ? QString() : tr("log probability %1").arg(log_probability(step.score));
}

QString MergesView::title() const {
  const auto count = static_cast<int>(cut()->tokens().size());
  const QString word = in_quotes(token_text(cut()->word).text);
  const bool unknown = std::ranges::any_of(cut()->tokens(), &CutPiece::unknown);
  QString said;
  switch (cut()->rule) {
    case Rule::merges:
      said = tr("%1 · merges: %2 · tokens: %3").arg(word).arg(cut()->merges()).arg(count);
      break;
    case Rule::longest_match:
      said = tr("%1 · the longest match from the left · tokens: %2").arg(word).arg(count);
      break;
    case Rule::best_path:
      said = tr("%1 · the most probable way through its pieces · tokens: %2").arg(word).arg(count);
      break;
    case Rule::characters:
      said = tr("Each character is one token · tokens: %1").arg(count);
      break;
    case Rule::whole:
      said = unknown ? tr("%1 is not in the vocabulary").arg(word) : tr("%1 is one token").arg(word);
      return said;
  }
  return unknown ? tr("%1 · some of them unknown").arg(said) : said;
}

QString MergesView::step_words(int row) const {
  const CutStep& step = nth(cut()->steps, row);
  if (step.rank >= 0)
    return tr("Rule %1 of the tokenizer: %2 and %3 become one piece.")
        .arg(step.rank + 1)
        .arg(in_quotes(token_text(step.left).text), in_quotes(token_text(step.right).text));
  if (!step.tried.empty()) return tr("Tried first, and not in the vocabulary: %1").arg(tried_text(step.tried));
  if (!std::isnan(step.score))
    return tr("The logarithms of the probabilities of its pieces add up to %1.").arg(log_probability(step.score));
  return {};
}

QString MergesView::place_tooltip(const MergesPlace& place) const {
  if (!cut()) return {};
  if (place.kind == Kind::word) {
    const auto at = static_cast<std::size_t>(first_ + place.at);
    return at < cuts_.size()
               ? tr("%1 · tokens: %2").arg(in_quotes(token_text(cuts_[at].word).text)).arg(cuts_[at].tokens().size())
               : QString();
  }
  if (place.kind == Kind::arc) {
    const CutArc& arc = nth(cut()->arcs, place.at);
    const QString said =
        arc.unknown ? tr("%1: no piece of the vocabulary, so it costs %2") : tr("%1: log probability %2");
    return said.arg(in_quotes(token_text(arc.text).text), log_probability(arc.score));
  }
  const CutPiece* found = piece(place);
  if (!found) return {};
  QStringList lines = {in_quotes(token_text(found->text).text)};
  if (found->unknown) lines << tr("It is not in the vocabulary.");
  const CutStep& step = nth(cut()->steps, place.row);
  if (place.at < static_cast<int>(step.scores.size()) && step.scores.size() == step.pieces.size())
    lines << tr("log probability %1").arg(log_probability(nth(step.scores, place.at)));
  if (is_next(place.row, place.at)) lines << tr("It is merged in the next step.");
  if (step.rest && place.at + 1 == static_cast<int>(step.pieces.size())) lines << tr("The rest, still to be cut.");
  lines << step_words(place.row);
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

QString MergesView::rule_words() const {
  switch (cut()->rule) {
    case Rule::merges:
      return tr("Byte-pair encoding: of all pairs side by side, the one whose rule was learned first is merged.");
    case Rule::longest_match:
      return tr("WordPiece: the longest piece of the vocabulary from the left, then again from where it ends.");
    case Rule::best_path:
      return tr("Unigram: of all ways to cut the word, the one whose pieces are the most probable together.");
    case Rule::characters:
      return tr("This model reads character by character.");
    case Rule::whole:
      break;
  }
  return tr("A word of this model is one token, or unknown.");
}

QString MergesView::caption() const {
  if (!cut()) return {};
  return begins_ ? tr("%1 Only the beginning of this long text is cut here.").arg(rule_words()) : rule_words();
}

QString MergesView::name() const {
  return cut() ? tr("Word pieces of %1").arg(in_quotes(token_text(cut()->word).text)) : tr("Word pieces, empty");
}

QString MergesView::empty_text() const {
  if (result() && result()->model->stored) return tr("Nobody stored how these texts were cut.");
  return cut() ? QString() : tr("Type a text to see how it is cut into tokens.");
}

QString MergesView::description() const {
  if (!cut()) return empty_text();
  QStringList said = {title()};
  if (cursor_.kind == Kind::piece) {
    QStringList pieces;
    for (const CutPiece& each : nth(cut()->steps, cursor_.row).pieces) pieces << piece_text(each);
    said << label(cursor_.row) + QStringLiteral(": ") + pieces.join(QLatin1Char(' '));
  }
  said << place_tooltip(cursor_);
  return said.join(QLatin1Char('\n'));
}

void MergesView::show_table() {
  if (!cut()) return table_.clear();
  const int steps = static_cast<int>(cut()->steps.size()), arcs = static_cast<int>(cut()->arcs.size());
  const auto of_step = [this, steps](auto value) {
    return [this, steps, value](int row) { return row < steps ? QVariant(value(row)) : QVariant(); };
  };
  const auto pieces = [this, steps](int row) -> QVariant {
    if (row >= steps) return from_utf8(nth(cut()->arcs, row - steps).text);
    QStringList all;
    for (const CutPiece& each : nth(cut()->steps, row).pieces) all << from_utf8(each.text);
    return all.join(QLatin1Char(' '));
  };
  const auto score = [this, steps](int row) -> QVariant {
    const double found = row < steps ? nth(cut()->steps, row).score : nth(cut()->arcs, row - steps).score;
    return std::isnan(found) ? QVariant() : QVariant(found);
  };
  const auto step = [this, steps](int row) -> QVariant {
    return row < steps ? label(row)
                       : tr("possible piece, from character %1").arg(nth(cut()->arcs, row - steps).begin + 1);
  };
  table_.set(
      steps + arcs,
      {{tr("step"), step},
       {tr("what it did"), of_step([this](int row) { return what(row); })},
       {tr("pieces"), pieces},
       {tr("tokens"), of_step([this](int row) { return static_cast<int>(nth(cut()->steps, row).pieces.size()); })},
       {tr("log probability"), score}});
}

// --- the keyboard and the mouse

void MergesView::move_to(const MergesPlace& place) {
  cursor_ = place;
  reveal(layout_.rect(cursor_));
  choice_changed();
}

void MergesView::press_place(const MergesPlace& place) {
  if (place.kind == Kind::word)
    choose_word(first_ + place.at);
  else
    move_to(place);
}

// Through the steps, the possible pieces standing between the characters and the ways through them.
bool MergesView::go(int right, int down) {
  if (!cut()) return false;
  const int arcs = static_cast<int>(cut()->arcs.size()), rows = static_cast<int>(cut()->steps.size());
  int line = cursor_.kind == Kind::arc ? 1 : cursor_.row + (arcs > 0 && cursor_.row > 0 ? 1 : 0);
  line = std::clamp(line + std::clamp(down, -rows - 1, rows + 1), 0, rows - 1 + (arcs > 0 ? 1 : 0));
  const bool on_arcs = arcs > 0 && line == 1;
  const int row = arcs > 0 && line > 1 ? line - 1 : line;
  const int count = on_arcs ? arcs : static_cast<int>(nth(cut()->steps, row).pieces.size());
  const int at = std::clamp(cursor_.at + std::clamp(right, -count, count), 0, std::max(0, count - 1));
  move_to(on_arcs ? MergesPlace{Kind::arc, -1, at} : MergesPlace{Kind::piece, row, at});
  return true;
}

bool MergesView::go_to_other(int step) {
  if (cuts_.size() < 2) return false;
  choose_word(word_ + step);
  return true;
}

// --- the picture

QSizeF MergesView::arrange(QSizeF view) {
  if (!cut()) {
    layout_ = {};
    return view;
  }
  for (const double zoom : {1.6, 1.45, 1.3, 1.15, 1.0}) {  // as large as fits
    zoom_ = zoom;
    layout_ = MergesLayout::of(needs(view.width()), view.width());
    if (layout_.width <= view.width() && layout_.height <= view.height()) break;
  }
  return {layout_.width, layout_.height};
}

MergesNeeds MergesView::needs(double width) const {
  const QFont words = theme().ui_font(zoom_), pieces = piece_font(), small = theme().ui_font(type::kHead * zoom_);
  MergesNeeds n;
  n.line = std::ceil(Theme::line_height(words));
  n.tile = std::ceil(Theme::line_height(pieces)) + space::kTight;
  n.gap = space::kTight;
  n.margin = space::kMargin;
  n.inset = space::kSmall;
  for (int k = first_; k < std::min<int>(static_cast<int>(cuts_.size()), first_ + kMostWords); ++k)
    n.words.push_back(std::min(text_width(token_text(nth(cuts_, k).word).text, words), 0.5 * width));
  for (int row = 0; row < static_cast<int>(cut()->steps.size()); ++row) {
    std::vector<double>& wide = n.rows.emplace_back();
    for (const CutPiece& each : nth(cut()->steps, row).pieces) wide.push_back(text_width(piece_text(each), pieces));
    n.label = std::max(n.label, text_width(label(row), words) + space::kLarge);
    n.what = std::max(n.what, text_width(what(row), words));
  }
  n.what = n.what > 0 ? std::min(n.what, 0.3 * width) + space::kLarge : 0;
  for (const CutArc& arc : cut()->arcs) {
    n.arcs.emplace_back(static_cast<int>(arc.begin), static_cast<int>(arc.end));
    const double text =
        std::max(text_width(token_text(arc.text).text, pieces), text_width(log_probability(arc.score), small));
    n.arc = std::max(n.arc, (text + space::kSmall) / static_cast<double>(arc.end - arc.begin) + n.gap);
  }
  return n;
}

QFont MergesView::piece_font() const { return theme().token_font(type::kTitle * zoom_); }

void MergesView::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (!cut()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paint_words(painter);
  write_line(painter, layout_.title, kLeft, title(), bold_font(type::kTitle * zoom_), tokens().ink);
  for (int arc = 0; arc < static_cast<int>(layout_.arcs.size()); ++arc) paint_arc(painter, arc);
  for (int row = 0; row < static_cast<int>(layout_.rows.size()); ++row) paint_row(painter, row);
  if (marks && hovered().kind != Kind::none)
    draw_box(painter, layout_.rect(hovered()).adjusted(-1, -1, 1, 1), radius::kCell, QPen(theme().hover(), 2));
  if (marks && cursor_.kind != Kind::none) draw_ring(painter, layout_.rect(cursor_), tokens().accent);
}

void MergesView::paint_words(QPainter& painter) const {
  const Tokens& t = tokens();
  for (std::size_t k = 0; k < layout_.words.size(); ++k) {
    const WordCut& word = nth(cuts_, first_ + static_cast<int>(k));
    const bool chosen = first_ + static_cast<int>(k) == word_;
    const bool unknown = std::ranges::any_of(word.tokens(), &CutPiece::unknown);
    draw_box(painter, layout_.words[k], radius::kCell,
             chosen    ? QPen(t.accent, 2)
             : unknown ? QPen(t.bad, 1.5, Qt::DashLine)
                       : QPen(t.line, 1),
             chosen ? t.wash : t.paper);
    write_line(painter, layout_.words[k], kCentre, token_text(word.word).text, theme().ui_font(zoom_), t.ink);
  }
}

void MergesView::paint_row(QPainter& painter, int row) const {
  const Tokens& t = tokens();
  const MergesLayout::Row& place = nth(layout_.rows, row);
  write_line(painter, place.label, kLeft, label(row), theme().ui_font(zoom_), t.ink2);
  write_line(painter, place.what.adjusted(0, 0, -space::kSmall, 0), kLeft, what(row), theme().ui_font(zoom_), t.ink);
  for (int at = 0; at < static_cast<int>(place.pieces.size()); ++at) paint_piece(painter, row, at);
  write_line(painter, place.behind, kLeft, behind(row), theme().ui_font(zoom_), t.ink2);
}

void MergesView::paint_piece(QPainter& painter, int row, int at) const {
  const Tokens& t = tokens();
  const CutStep& step = nth(cut()->steps, row);
  const CutPiece& piece = nth(step.pieces, at);
  const QRectF& rect = nth(nth(layout_.rows, row).pieces, at);
  const bool last = row + 1 == static_cast<int>(cut()->steps.size());
  const bool rest = step.rest && at + 1 == static_cast<int>(step.pieces.size());
  const bool strong = is_made(row, at) || (last && cut()->rule == Rule::best_path);
  const QColor fill = rest || piece.unknown ? t.paper : theme().weight(strong ? 0.7 : 0.15);
  draw_box(painter, rect, radius::kCell,
           piece.unknown ? QPen(t.bad, 1.5, Qt::DashLine)
           : rest        ? QPen(t.edge, 1, Qt::DotLine)
                         : QPen(Qt::NoPen),
           fill);
  write_line(painter, rect, kCentre, piece_text(piece), piece_font(), Theme::readable_on(fill));
  // The pair that is merged next is underlined.
  if (is_next(row, at))
    draw_line(painter, rect.bottomLeft() + QPointF(2, 1), rect.bottomRight() + QPointF(-2, 1),
              QPen(t.ink, theme().line(2)));
}

void MergesView::paint_arc(QPainter& painter, int at) const {
  const Tokens& t = tokens();
  const CutArc& arc = nth(cut()->arcs, at);
  const QRectF& rect = nth(layout_.arcs, at);
  const QColor fill = on_best_path(at) ? theme().weight(0.7) : arc.unknown ? t.paper : theme().weight(0.15);
  draw_box(painter, rect, radius::kCell, arc.unknown ? QPen(t.bad, 1.5, Qt::DashLine) : QPen(Qt::NoPen), fill);
  const QColor ink = Theme::readable_on(fill);
  const double half = rect.height() / 2;
  write_line(painter, rect.adjusted(0, 0, 0, -half), kCentre, token_text(arc.text).text, piece_font(), ink);
  write_line(painter, rect.adjusted(0, half, 0, 0), kCentre, log_probability(arc.score),
             theme().ui_font(type::kHead * zoom_), ink);
}

}  // namespace headlight
