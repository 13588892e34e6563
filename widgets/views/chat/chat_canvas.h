// The text that a chat template made of messages: each part of it in a line, with the line of the template that wrote
// it, and whose words it has.
//
// Up and down walk the parts; the token of the selection is in the marked one.
#pragma once

#include <memory>
#include <vector>

#include "widgets/canvas/place_canvas.h"

namespace headlight {

struct Result;
enum class Voice : std::uint8_t;

// A part of the text that one line of the template wrote, of one voice.
struct ChatPiece {
  std::size_t begin = 0, end = 0;  // bytes of the text
  int line = 0;                    // of the template, from 1
  Voice voice{};
  int first = -1, last = -1;  // tokens; -1: none begins in it
};
std::vector<ChatPiece> chat_pieces(const Result& result);
// Of the template, without blanks around it.
QString template_line(const Result& result, int line);

struct ChatHit {
  int piece = -1;
  bool operator==(const ChatHit&) const = default;
};

class ChatCanvas : public PlaceCanvas<ChatHit> {
  Q_OBJECT
 public:
  explicit ChatCanvas(QWidget* parent = nullptr);

  void set_result(std::shared_ptr<const Result> result);
  int count() const { return static_cast<int>(pieces_.size()); }
  const ChatPiece& piece(int at) const { return pieces_.at(static_cast<std::size_t>(at)); }
  QString text_of(int piece) const;
  QRectF place_of(int piece) const;
  void show_token(int token);  // the piece with this token is the marked one
  int cursor() const { return cursor_; }
  QString place_tooltip(const ChatHit& place) const override;

 signals:
  void moved(int piece);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  ChatHit place_at(QPointF point) const override;
  void press_place(const ChatHit& place) override;
  QRectF cursor_rect() const override { return place_of(cursor_); }
  bool go(int right, int down) override;

 private:
  void paint_legend(QPainter& painter) const;

  std::shared_ptr<const Result> result_;
  std::vector<ChatPiece> pieces_;
  int cursor_ = 0;
  double width_ = 0, row_ = 0, top_ = 0, text_width_ = 0, number_ = 0;
};

}  // namespace headlight
