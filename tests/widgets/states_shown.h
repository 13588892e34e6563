// The states view with a run, linked with a selection and with what it asks for.
#pragma once

#include <memory>

#include "tests/widgets/image_test.h"
#include "tests/widgets/small_runs.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/views/states/states_view.h"

namespace headlight::sample {

// Beside QObject, a base of the class of a test.
struct StatesShown {
  Selection selection_;
  ViewRequests requests_;
  std::unique_ptr<StatesView> shown(std::shared_ptr<const Result> result, QSize size = {640, 420}) {
    auto view = std::make_unique<StatesView>(ViewContext{&selection_, &requests_});
    view->set_result(std::move(result));
    show_at(*view, size);
    return view;
  }
};

}  // namespace headlight::sample
