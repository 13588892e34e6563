// The living map of a bundled model in a view, with the mouse and the keys of a person.
#pragma once

#include <QTest>
#include <map>

#include "model/analysis/living/map.h"
#include "model/io/model_folder.h"
#include "tests/widgets/image_test.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/living/view.h"

namespace headlight {

inline std::shared_ptr<const Result> living_run(const char* name, const std::string& text,
                                                const std::vector<Intervention>& edits = {}) {
  static std::map<std::string, std::shared_ptr<const ModelBundle>> models;
  auto& model = models[name];
  if (!model) model = load_model(name);
  Request request;
  request.model = model;
  request.source = text;
  request.interventions = edits;
  return std::make_shared<const Result>(run(request));
}

// A model of each kind, with a text and an output of it.
struct LivingExample {
  const char *kind, *model, *text;
  int step;
};
inline constexpr LivingExample kLivingExamples[] = {
    {"decoder_only", "story-gpt", "tom in the garden. he carries a red box. he gives", 0},
    {"encoder_only", "masked-bert", "the keys to the old cabinet [MASK] on the table.", 6},
    {"encoder_decoder", "tatoeba-transformer", "we did not know that she was ill .", 7},
    {"convolution", "toy-mt-convs2s", "the girl sees the big red house", 2},
    {"recurrent", "date-attention", "November 22, 2026", 5},
    {"two_directions", "toy-mt-bahdanau", "the girl sees the big red house", 2},
    {"deep", "toy-mt-deep", "the girl sees the dog", 2},
    {"without_attention", "date-peeky", "November 22, 2026", 5},
    {"memory", "copy-ntm", "Headlight", 4},
};

struct LivingShown {
  explicit LivingShown(const LivingExample& example, QSize size = {904, 624})
      : LivingShown(living_run(example.model, example.text), size) {
    choose_step(example.step);
  }
  explicit LivingShown(std::shared_ptr<const Result> result, QSize size = {904, 624}) {
    view.set_result(std::move(result));
    show_at(view, size);
  }
  void choose_step(int step) {
    SelectionState state;
    state.step = step;
    selection.set(state);
  }
  int lane(const char* text) const {
    for (std::size_t i = 0; i < view.map()->lanes.size(); ++i)
      if (view.map()->lanes[i].text == text) return static_cast<int>(i);
    return -1;
  }
  void click(QPointF point) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, point.toPoint()); }
  void key(int which, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&view, static_cast<Qt::Key>(which), modifiers);
  }
  // Sharp and at rest.
  QImage picture() {
    QImage image = view.grab().toImage();
    for (int i = 0; i < 500 && !view.is_sharp(); ++i) {
      QTest::qWait(10);
      image = view.grab().toImage();
    }
    return image;
  }

  Selection selection;
  ViewRequests requests;
  LivingView view{ViewContext{&selection, &requests}};
};

}  // namespace headlight
