#include "widgets/canvas/canvas_view.h"

#include <QPainter>

#include "model/core/errors.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

CanvasView::CanvasView(Layout kind, const ViewContext& context, QWidget* parent)
    : Canvas(kind, parent), ResultView(this), selection_(context.selection), requests_(context.requests) {}

Figure CanvasView::drawn() {
  if (const QString reason = empty_text(); !reason.isEmpty()) throw UsageError(bytes_of(reason));
  return {picture_size(), [this](QPainter& painter) { paint_picture(painter); }, {}, nullptr};
}

void CanvasView::showEvent(QShowEvent* event) {
  Canvas::showEvent(event);
  bring_up_to_date();
}

}  // namespace headlight
