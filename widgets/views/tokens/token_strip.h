// The source as the model sees it: one chip for each token, in reading order.
//
// Hover marks a token everywhere, a click or the cursor selects it. Unknown characters are underlined, padding is
// muted, and chips are tinted by the attention weights of the hovered or selected step. Where views show whole words, a
// bracket stands over the pieces of each.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/analysis/word_groups.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/canvas.h"
#include "widgets/text/token_text.h"
#include "widgets/views/tokens/token_strip_layout.h"

namespace headlight {

class ViewRequests;

class TokenStrip : public Canvas {
  Q_OBJECT
 public:
  explicit TokenStrip(Selection* selection, QWidget* parent = nullptr);

  void set_result(std::shared_ptr<const Result> result);
  // With it, a menu (right click, or the menu key) blanks a token or hides it from the attention.
  void set_requests(ViewRequests* requests) { requests_ = requests; }
  int token_count() const { return static_cast<int>(texts_.size()); }
  int cursor() const { return cursor_; }  // token under the keyboard cursor, -1
  const TokenStripLayout& strip_layout() const { return layout_; }
  // What hovering over a token says.
  QString token_tooltip(int token) const;

  QSize sizeHint() const override { return {640, heightForWidth(std::max(320, width()))}; }
  QSize minimumSizeHint() const override { return {160, heightForWidth(100000)}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override { measure(); }
  QString name() const override { return tr("Source tokens"); }
  QString description() const override;
  QString tooltip(QPointF point) const override { return token_tooltip(layout_.chip_at(point)); }
  Qt::CursorShape hover(QPointF point) override;
  void leave() override;
  void press(QPointF point, Qt::KeyboardModifiers) override { select(layout_.chip_at(point)); }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool menu(std::optional<QPointF> point, const QPoint& global) override;

 private:
  void measure();
  void follow_selection();
  void update_tint();
  void select(int token);
  TokenStripLayout layout_for(double width) const;
  void paint_chip(QPainter& painter, int token, const QRectF& rect, bool marks) const;
  void paint_brackets(QPainter& painter) const;

  Selection* selection_;
  ViewRequests* requests_ = nullptr;
  std::shared_ptr<const Result> result_;
  std::vector<TokenText> texts_;
  QFont chip_;
  std::vector<TokenGroup> words_;  // of several tokens
  std::vector<double> widths_;
  std::vector<double> weights_;  // by token, of the step that tints; empty: none
  TokenStripLayout layout_;
  int cursor_ = -1;
  std::optional<std::pair<int, int>> answer_;
};

}  // namespace headlight
