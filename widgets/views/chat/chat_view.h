// What the chat template of a model does: which line of it wrote which part of the text (ChatText::pieces).
#pragma once

#include "widgets/canvas/view_panel.h"
#include "widgets/views/chat/chat_canvas.h"

namespace headlight {

class ChatView : public ViewPanel {
  Q_OBJECT
 public:
  explicit ChatView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result);  // it read messages

  ChatCanvas* canvas() const { return canvas_; }

 protected:
  void refresh() override;
  void retranslate() override;
  Figure picture() override { return figure_of(canvas_); }

 private:
  void follow_selection();
  void show_table();

  ColumnTable table_;  // a row for each part
  ChatCanvas* canvas_;
};

}  // namespace headlight
