#include "widgets/views/chat/chat_view.h"

#include "model/decode/run.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/token_text.h"

namespace headlight {

ChatView::ChatView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  build(canvas_ = new ChatCanvas(this), {900, 420});
  set_table(&table_);
  connect(canvas_, &ChatCanvas::moved, this, [this](int piece) {
    if (const int token = canvas_->piece(piece).first; token >= 0) {
      SelectionState state;
      state.step = selection_->state().step;
      state.source_token = token;
      selection_->set(state);
    }
  });
  connect(selection_, &Selection::changed, this, &ChatView::follow_selection);
  retranslate();
}

bool ChatView::offers(const Result& result) { return result.chat_text != nullptr; }

void ChatView::refresh() {
  canvas_->set_result(result() && offers(*result()) ? run()->result() : nullptr);
  follow_selection();
  retranslate();
}

void ChatView::follow_selection() {
  if (is_fresh() && selection_->state().source_token) canvas_->show_token(*selection_->state().source_token);
}

void ChatView::retranslate() {
  show_message(canvas_->count() > 0 ? QString()
                                    : reason(tr("Type a message to see what the template makes of it."),
                                             tr("The model reads a text as it is: choose Chat beside it.")));
  show_table();
}

void ChatView::show_table() {
  const auto piece = [this](int row) -> const ChatPiece& { return canvas_->piece(row); };
  if (canvas_->count() == 0) return table_.clear();
  const std::shared_ptr<const Result> shown = run()->result();
  table_.set(
      canvas_->count(),
      {{tr("what was written"), [this](int row) { return QVariant(canvas_->text_of(row)); }},
       {tr("said by"), [piece](int row) { return QVariant(voice_name(piece(row).voice)); }},
       {tr("line"), [piece](int row) { return QVariant(piece(row).line); }},
       {tr("of the template"), [shown, piece](int row) { return QVariant(template_line(*shown, piece(row).line)); }}});
}

}  // namespace headlight
