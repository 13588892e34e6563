// How long single views take for a new content and its first painting: what tests once held against the clock. Each
// line: median, the slowest of a hundred, and the share that is ready within 16.7 ms.
//   build/release/bench_views
#include <QApplication>
#include <QPixmap>
#include <cmath>

#include "frame_times.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "widgets/base/selection.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/matrix/tensor_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight {
namespace {

std::shared_ptr<const Result> result_of(const char* model, const std::string& source) {
  Request request;
  request.model = load_model(model);
  request.source = source;
  return std::make_shared<const Result>(run(request));
}

void measure() {
  Heatmap map;
  map.resize(800, 360);
  map.show();
  QPixmap picture(map.size());
  report("heatmap of 10 x 29, new numbers", timed(200, [&](int i) {
           std::vector<float> values(290);
           for (std::size_t k = 0; k < values.size(); ++k)
             values[k] = static_cast<float>(0.5 + 0.5 * std::sin(static_cast<double>(k) + 0.01 * i));
           map.set_matrix(10, 29, std::move(values), static_cast<quint64>(i));
           map.render(&picture);
         }));

  Tensor numbers({512, 1024});
  for (Index i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<Scalar>(std::sin(static_cast<double>(i)));
  TensorContent content;
  content.values = numbers;
  TensorView matrix;
  matrix.resize(900, 600);
  matrix.set_content(content);
  matrix.show();
  report("matrix of 512 x 1024, moved", timed(200, [&](int i) {
           const double left = i * 97 % 1000, top = i * 53 % 500;
           matrix.set_window({left, left + 24, top, top + 12});
           matrix.grab();
         }));

  const auto result = result_of("addition-attention", "628+521");
  InspectorView inspector;
  inspector.resize(500, 500);
  inspector.show();
  inspector.set_trace(result->trace, trace_labels(*result));
  const int entry = result->trace->find("decoder.step[1].output.logits");
  report("inspector, another cell of a long sum", timed(200, [&](int i) {
           inspector.open(entry, i % 13);
           inspector.grab();
         }));

  Selection selection;
  TokenStrip strip(&selection);
  strip.resize(900, 400);
  strip.show();
  const auto tokens = result_of("copy-transformer", std::string(500, '4'));
  report("strip of 500 tokens, a new result", timed(50, [&](int) {
           strip.set_result(tokens);
           strip.viewport()->repaint();
         }));
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  headlight::measure();
  return 0;
}
