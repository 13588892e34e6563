#include "widgets/views/chat/chat_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <set>

#include "model/decode/run.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/text_marks.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr double kTextShare = 0.55;  // of the width; the rest is the template's

}  // namespace

std::vector<ChatPiece> chat_pieces(const Result& result) {
  std::vector<ChatPiece> pieces;
  if (!result.chat_text) return pieces;
  const ChatText& chat = *result.chat_text;
  // Where something else begins.
  std::set<std::size_t> edges{0, chat.text.size()};
  for (const ChatText::Piece& piece : chat.pieces) edges.insert(std::min(piece.begin, chat.text.size()));
  for (const ChatText::Part& part : chat.parts) edges.insert({part.begin, part.end});
  for (auto edge = edges.begin(); std::next(edge) != edges.end(); ++edge) {
    ChatPiece made{*edge, *std::next(edge)};
    for (const ChatText::Piece& piece : chat.pieces)
      if (piece.begin <= made.begin) made.line = piece.line;
    for (const ChatText::Part& part : chat.parts)
      if (part.begin <= made.begin && made.end <= part.end) made.voice = voice_of(part.role);
    for (int token = 0; token < static_cast<int>(result.tokens.size()); ++token) {
      const TextToken& at = nth(result.tokens, token);
      if (at.begin < made.begin || at.begin >= made.end) continue;
      if (made.first < 0) made.first = token;
      made.last = token;
    }
    pieces.push_back(made);
  }
  return pieces;
}

QString template_line(const Result& result, int line) {
  if (!result.chat_text || line < 1) return {};
  const std::string& source = result.chat_text->source;
  std::size_t begin = 0;
  for (int at = 1; at < line; ++at) {
    begin = source.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  return shown_text(source.substr(begin, source.find('\n', begin) - begin)).trimmed();
}

ChatCanvas::ChatCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void ChatCanvas::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  pieces_ = result_ ? chat_pieces(*result_) : std::vector<ChatPiece>();
  set_hovered({});
  cursor_ = std::clamp(cursor_, 0, std::max(0, count() - 1));
  lay_out();
  announce();
}

QString ChatCanvas::text_of(int piece) const {
  const ChatPiece& at = nth(pieces_, piece);
  return shown_text(std::string_view(result_->chat_text->text).substr(at.begin, at.end - at.begin));
}

void ChatCanvas::show_token(int token) {
  for (int piece = 0; piece < count(); ++piece)
    if (nth(pieces_, piece).first >= 0 && nth(pieces_, piece).first <= token && token <= nth(pieces_, piece).last &&
        move_mark(cursor_, piece))
      announce();
}

QSizeF ChatCanvas::arrange(QSizeF view) {
  const QFontMetricsF body(theme().ui_font());
  width_ = view.width();
  row_ = std::ceil(body.height() + space::kSmall);
  top_ = space::kLarge + 2 * row_;
  const double room = std::max(0.0, width_ - 2 * space::kMargin);
  text_width_ = std::floor(kTextShare * room);
  number_ = std::ceil(text_width(QStringLiteral("0000"), theme().ui_font()) + space::kMedium);
  return {width_, top_ + count() * row_ + space::kMedium};
}

QRectF ChatCanvas::place_of(int piece) const {
  if (piece < 0 || piece >= count()) return {};
  return {space::kMargin - space::kSmall, top_ + piece * row_, width_ - 2 * space::kMargin + 2 * space::kSmall, row_};
}

ChatHit ChatCanvas::place_at(QPointF point) const {
  const int piece = row_ > 0 && point.y() >= top_ ? static_cast<int>((point.y() - top_) / row_) : -1;
  return place_of(piece).contains(point) ? ChatHit{piece} : ChatHit{};
}

void ChatCanvas::paint_legend(QPainter& painter) const {
  const Tokens& t = tokens();
  std::set<Voice> voices;
  for (const ChatPiece& piece : pieces_) voices.insert(piece.voice);
  double x = space::kMargin;
  const double middle = space::kLarge + row_ / 2;
  for (const Voice voice : voices) {
    const QString name = voice == Voice::none ? tr("no bar: the template's own") : voice_name(voice);
    if (voice != Voice::none) {
      painter.fillRect(QRectF(x, middle - 6, kVoiceBar, 12), voice_tint(voice));
      x += space::kSmall;
    }
    const double wide = text_width(name, theme().ui_font());
    write(painter, QRectF(x, middle - row_ / 2, wide + 1, row_), kLeft, name, theme().ui_font(), t.ink2);
    x += wide + space::kLarge;
  }
}

void ChatCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (pieces_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const Tokens& t = tokens();
  paint_legend(painter);
  const double left = space::kMargin, head = top_ - row_, number = left + text_width_ + space::kLarge;
  const QFont heads = theme().ui_font(type::kHead);
  write_line(painter, QRectF(left, head, text_width_, row_), kLeft, tr("what was written"), heads, t.ink2);
  write_line(painter, QRectF(number, head, width_ - space::kMargin - number, row_), kLeft,
             tr("line of the template that wrote it"), heads, t.ink2);
  for (int at = 0; at < count(); ++at) {
    const QRectF place = place_of(at);
    if (!place.intersects(sight)) continue;
    const ChatPiece& piece = nth(pieces_, at);
    const bool here = marks && at == cursor_;
    if (here || (marks && hovered().piece == at))
      draw_box(painter, place, radius::kButton, Qt::NoPen, here ? t.wash : t.hover);
    if (piece.voice != Voice::none)
      painter.fillRect(QRectF(left - space::kTight, place.top() + 3, kVoiceBar, row_ - 6), voice_tint(piece.voice));
    write_line(painter, QRectF(left + space::kTight, place.top(), text_width_ - space::kTight, row_), kLeft,
               text_of(at), piece.voice == Voice::none ? theme().ui_font() : bold_font(),
               here                         ? t.accent
               : piece.voice == Voice::none ? t.ink2
                                            : t.ink);
    write(painter, QRectF(number, place.top(), number_ - space::kMedium, row_), kRight, QString::number(piece.line),
          theme().ui_font(), t.ink2);
    write_line(painter, QRectF(number + number_, place.top(), width_ - space::kMargin - number - number_, row_), kLeft,
               template_line(*result_, piece.line), theme().ui_font(), t.ink);
  }
}

QString ChatCanvas::name() const { return tr("Text of the chat template, parts: %1").arg(count()); }

QString ChatCanvas::description() const {
  return count() > 0 ? place_tooltip({cursor_}) : tr("There are no messages.");
}

QString ChatCanvas::place_tooltip(const ChatHit& place) const {
  if (place.piece < 0 || place.piece >= count()) return {};
  const ChatPiece& piece = nth(pieces_, place.piece);
  QStringList said{piece.voice == Voice::none
                       ? tr("%1, written by the template itself.").arg(in_quotes(text_of(place.piece)))
                       : tr("%1, said by: %2.").arg(in_quotes(text_of(place.piece)), voice_name(piece.voice))};
  said << tr("Line %1 of the template: %2").arg(piece.line).arg(template_line(*result_, piece.line));
  if (piece.first >= 0) said << tr("tokens: %1").arg(piece.last - piece.first + 1);
  return said.join('\n');
}

void ChatCanvas::press_place(const ChatHit& place) {
  cursor_ = place.piece;
  choice_changed();
  emit moved(cursor_);
}

bool ChatCanvas::go(int right, int down) {
  if (count() == 0) return false;
  cursor_ = std::clamp(cursor_ + std::clamp(right + down, -count(), count()), 0, count() - 1);
  reveal(place_of(cursor_));
  choice_changed();
  emit moved(cursor_);
  return true;
}

}  // namespace headlight
