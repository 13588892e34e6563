// A view that is a canvas as a whole, without controls around it.
#pragma once

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/result_view.h"

namespace headlight {

class CanvasView : public Canvas, public ResultView {
  Q_OBJECT
 protected:
  CanvasView(Layout kind, const ViewContext& context, QWidget* parent);

  Figure drawn() override;  // all of it without marks; throws UsageError with the text that stands there instead
  void showEvent(QShowEvent* event) override;

  Selection* const selection_;
  ViewRequests* const requests_;
};

}  // namespace headlight
