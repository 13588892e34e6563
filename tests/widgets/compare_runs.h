// Two runs that differ, and a view that compares them.
#pragma once

#include <QSignalSpy>
#include <algorithm>

#include "tests/widgets/sample_result.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight::compared {

inline std::shared_ptr<const ModelBundle> model() {
  static const auto made = sample::bundle();
  return made;
}

inline std::shared_ptr<const Result> run_of(const std::string& source, const std::string& output, int shift = 0,
                                            std::uint64_t id = 1) {
  sample::Options options;
  options.source = source;
  options.output = output;
  options.id = id;
  for (int& token : options.looked_at) token = std::max(0, token - shift);
  auto made = std::make_shared<Result>(*sample::result(options));
  made->model = model();
  return made;
}

inline std::shared_ptr<const Result> before() { return run_of("september 27, 1994", "1994-09-27"); }
// The same text after an edit: another question.
inline std::shared_ptr<const Result> after() {
  auto made = std::make_shared<Result>(*run_of("september 27, 1994", "1995-09-2", 2, 2));
  made->interventions.push_back({"decoder.step[0].attention.weights", Intervention::Kind::pin, 3, Scalar(0.9), {}});
  return made;
}

struct Setup {
  Selection selection;
  ViewRequests requests;
  CompareView view{ViewContext{&selection, &requests}};
  QSignalSpy wanted{&view, &CompareView::runsWanted};
  Setup() { qRegisterMetaType<std::vector<Request>>(); }
  std::vector<Request> last_wanted() { return wanted.last()[0].value<std::vector<Request>>(); }
};

}  // namespace headlight::compared
