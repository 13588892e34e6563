// The source as a strip of tokens.
#include "widgets/views/tokens/token_strip.h"

#include <QFontMetricsF>
#include <QMenu>
#include <QPainter>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/text_marks.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/what_if_menu.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {
namespace {

constexpr int kLinesInHint = 4;

QFont chip_font(bool characters) { return theme().text_font(characters, characters ? 1.05 : 1.1); }

TokenStripLayout::Metrics metrics_for(double width, bool brackets) {
  TokenStripLayout::Metrics metrics;
  metrics.width = width;
  const double line = QFontMetricsF(chip_font(true)).height();
  metrics.chip_height = std::ceil(line + 10);
  metrics.minimum_chip = std::ceil(line + 4);
  if (brackets) metrics.bracket = 6;
  return metrics;
}

bool looks_same(const TextToken& a, const TextToken& b) {
  return a.text == b.text && a.id.has_value() == b.id.has_value() && a.padding == b.padding && a.unknown == b.unknown &&
         a.voice() == b.voice();
}

bool reads_same(const Result& before, const Result& now) {
  return before.model == now.model && answer_tokens(before) == answer_tokens(now) &&
         std::ranges::equal(before.tokens, now.tokens, looks_same);
}

}  // namespace

TokenStrip::TokenStrip(Selection* selection, QWidget* parent) : Canvas(Layout::wrapped, parent), selection_(selection) {
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(selection_, &Selection::changed, this, &TokenStrip::follow_selection);
  connect(selection_, &Selection::hovered, this, [this] {
    update_tint();
    viewport()->update();
  });
  connect(selection_, &Selection::wholeWordsChanged, this, [this] {
    lay_out();
    updateGeometry();
  });
  measure();
  announce();
}

void TokenStrip::set_result(std::shared_ptr<const Result> result) {
  // What a run reads stands here before its numbers come: then the same is not painted again.
  const bool same = result && result_ && reads_same(*result_, *result);
  result_ = std::move(result);
  if (same) {
    if (const std::vector<double> before = weights_; update_tint(), weights_ != before) viewport()->update();
    return announce();
  }
  answer_ = result_ ? answer_tokens(*result_) : std::nullopt;
  texts_.clear();
  words_.clear();
  if (result_) {
    std::vector<std::string> texts;
    std::vector<AttentionToken> axis;
    for (const TextToken& token : result_->tokens) {
      axis.push_back({token.text, {}, static_cast<int>(texts.size()), -1, token.padding});
      texts.push_back(token.text);
    }
    texts_ = token_texts(texts);
    words_ = word_groups(*result_, axis, false);
    std::erase_if(words_, [&](const TokenGroup& word) { return word.count < 2 || nth(axis, word.first).padding; });
  }
  if (cursor_ >= token_count()) cursor_ = -1;
  measure();
  lay_out();
  update_tint();
  announce();
}

void TokenStrip::measure() {
  const bool characters = std::ranges::all_of(
      texts_, [](const TokenText& token) { return token.special || token.stand_in || token.text.size() <= 1; });
  chip_ = chip_font(characters);
  widths_.clear();
  for (const TokenText& token : texts_) widths_.push_back(text_width(token.text, chip_));
}

TokenStripLayout TokenStrip::layout_for(double width) const {
  return TokenStripLayout::of(widths_, metrics_for(width, selection_->whole_words() && !words_.empty()));
}

QSizeF TokenStrip::arrange(QSizeF view) {
  const int lines_before = layout_.lines;
  layout_ = layout_for(view.width());
  if (layout_.lines != lines_before || scale() != 1) updateGeometry();
  return {view.width(), layout_.height};
}

void TokenStrip::follow_selection() {
  const auto token = selection_->state().source_token;
  cursor_ = token && *token >= 0 && *token < token_count() ? *token : -1;
  if (cursor_ >= 0 && cursor_ < static_cast<int>(layout_.chips.size())) {
    const QRectF chip = nth(layout_.chips, cursor_);
    reveal({0, chip.top(), 0, chip.height()}, 4);
  }
  update_tint();
  choice_changed();
}

void TokenStrip::update_tint() {
  weights_.clear();
  const auto step = selection_->hovered_step() ? selection_->hovered_step() : selection_->state().step;
  if (!result_ || !result_->trace || !step) return;
  const Tensor weights = result_->trace->value("decoder.step[" + std::to_string(*step) + "].attention.weights");
  if (!weights.defined()) return;
  for (const int position : result_->position_of_token)
    weights_.push_back(position < 0 || position >= weights.size() ? 0 : static_cast<double>(weights[position]));
}

void TokenStrip::select(int token) {
  if (token < 0 || token >= token_count()) return;
  SelectionState state;
  state.source_token = token;
  state.step = selection_->state().step;  // the cell, if one was selected, is another one now
  selection_->set(state);
  if (cursor_ != token) follow_selection();
}

QString TokenStrip::token_tooltip(int token) const {
  if (token < 0 || token >= token_count()) return {};
  const TextToken& shown = nth(result_->tokens, token);
  const TokenText& text = nth(texts_, token);
  const QString name = text.name == text.text ? in_quotes(text.text) : text.name;
  if (!shown.id) return tr("%1 is not in this model's vocabulary; it is left out.").arg(name);
  QString tip = shown.padding ? tr("Padding: short sources are filled up to the length that the model was trained on.")
                              : tr("%1, token %2 of the source.").arg(name).arg(counted(token));
  if (result_->model && result_->model->text.token_types > 0)
    tip += '\n' + tr("Of sentence %1: its kind is %2.").arg(shown.sentence + 1).arg(shown.type);
  else if (!result_->second.empty() || shown.is_second())
    tip += '\n' + tr("Of sentence %1.").arg(shown.sentence + 1);
  if (result_->chat_text)
    tip += '\n' + (shown.speaker == Voice::none ? tr("The template wrote it.")
                                                : tr("Said by: %1.").arg(voice_name(shown.speaker)));
  if (answer_ && token >= answer_->first && token <= answer_->second)
    tip += '\n' + tr("The answer that the model has found.");
  if (shown.unknown) tip += '\n' + tr("It is not in this model's vocabulary and read as an unknown word.");
  const int position = nth(result_->position_of_token, token);
  if (position >= 0)
    tip += '\n' + tr("It is read as number %1 of %2.").arg(position + 1).arg(result_->token_of_position.size());
  if (static_cast<int>(weights_.size()) > token)
    tip += '\n' + tr("Attention weight at the marked step: %1.").arg(short_number(nth(weights_, token)));
  return tip;
}

QString TokenStrip::description() const {
  return cursor_ >= 0 ? token_tooltip(cursor_) : tr("%n token(s)", nullptr, token_count());
}

void TokenStrip::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (texts_.empty()) {
    return write(painter, QRectF(12, 0, layout_.width - 24, layout_.height), kLeft,
                 tr("The tokens of the source appear here."), theme().ui_font(), theme().muted_text());
  }
  for (std::size_t i = 0; i < layout_.chips.size(); ++i)
    if (layout_.chips[i].intersects(sight)) paint_chip(painter, static_cast<int>(i), layout_.chips[i], marks);
  if (layout_.bracket > 0) paint_brackets(painter);
}

void TokenStrip::paint_brackets(QPainter& painter) const {
  painter.setPen(QPen(theme().muted_text(), 1.2));
  for (const TokenGroup& word : words_)
    for (const QRectF& rect : layout_.brackets(static_cast<int>(word.first), static_cast<int>(word.count))) {
      const QRectF box = rect.adjusted(1, 1.5, -1, -1);
      const QPointF corners[] = {box.bottomLeft(), box.topLeft(), box.topRight(), box.bottomRight()};
      painter.drawPolyline(corners, 4);
    }
}

void TokenStrip::paint_chip(QPainter& painter, int token, const QRectF& rect, bool marks) const {
  const auto at = static_cast<std::size_t>(token);
  const TextToken& shown = result_->tokens[at];
  const bool left_out = !shown.id, unknown = left_out || shown.unknown,
             muted = shown.padding || texts_[at].stand_in || texts_[at].special;
  const bool tinted = at < weights_.size() && !left_out;
  const QColor fill = tinted ? theme().weight(weights_[at]) : shown.padding ? theme().background() : theme().panel();
  const bool selected = marks && token == cursor_;
  const bool hovered = marks && selection_->hovered_token() == token;
  const QRectF box = rect.adjusted(0.5, 0.5, -0.5, -0.5);
  QPen border(selected  ? theme().accent()
              : hovered ? theme().hover()
              : unknown ? theme().warning()
                        : theme().grid(),
              selected  ? 2
              : hovered ? 1.6
                        : 1);
  if (shown.padding && !selected && !hovered) border.setStyle(Qt::DotLine);
  draw_box(painter, box, 4, border, fill);
  if (answer_ && token >= answer_->first && token <= answer_->second)
    draw_box(painter, box, 4, Qt::NoPen, answer_tint());
  if (shown.voice() != Voice::none)
    painter.fillRect(QRectF(box.left() + 4, box.bottom() - kVoiceBar - 1, box.width() - 8, kVoiceBar),
                     voice_tint(shown.voice()));
  QColor ink = unknown  ? theme().warning()
               : tinted ? Theme::readable_on(fill)
               : muted  ? theme().muted_text()
                        : theme().text();
  if (muted && !unknown) ink.setAlphaF(0.65f);
  QFont font = chip_;
  font.setUnderline(unknown);
  font.setItalic(texts_[at].special);
  write_line(painter, rect.adjusted(3, 0, -3, 0), kCentre, texts_[at].text, font, ink, Qt::ElideMiddle);
}

Qt::CursorShape TokenStrip::hover(QPointF point) {
  const int token = layout_.chip_at(point);
  selection_->hover(unless_none(token), std::nullopt);
  return Qt::ArrowCursor;
}

void TokenStrip::leave() { selection_->hover(std::nullopt, std::nullopt); }

QRectF TokenStrip::cursor_rect() const {
  if (layout_.chips.empty()) return {};
  return nth(layout_.chips, std::clamp(cursor_, 0, static_cast<int>(layout_.chips.size()) - 1));
}

bool TokenStrip::go(int right, int down) {
  const int last = token_count() - 1;
  if (last < 0) return false;
  int to = std::abs(down) == kEnd      ? (down < 0 ? 0 : last)
           : down != 0 && cursor_ >= 0 ? layout_.chip_in_line(cursor_, down)
                                       : std::max(0, cursor_);
  const auto line = [&](int token) { return nth(layout_.line_of_chip, token); };
  if (const int step = right < 0 ? -1 : 1; std::abs(right) == kEnd)
    while (to + step >= 0 && to + step <= last && line(to + step) == line(to)) to += step;
  else if (cursor_ >= 0)
    to = std::clamp(to + right, 0, last);
  select(to);
  return true;
}

bool TokenStrip::menu(std::optional<QPointF> point, const QPoint& global) {
  const int token = point ? layout_.chip_at(*point) : cursor_;
  if (!requests_ || !result_ || token < 0) return false;
  select(token);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  add_token_actions(menu, *result_, token, requests_);
  const QPointF chip = viewport_point(nth(layout_.chips, token).center());
  menu->popup(point ? global : viewport()->mapToGlobal(chip.toPoint()));
  return true;
}

int TokenStrip::heightForWidth(int width) const {
  const TokenStripLayout::Metrics metrics = metrics_for(width, selection_->whole_words() && !words_.empty());
  const double most = 2 * metrics.margin + kLinesInHint * (metrics.chip_height + metrics.gap + metrics.bracket);
  return static_cast<int>(std::ceil(std::min(most, layout_for(width / scale()).height) * scale()));
}

}  // namespace headlight
