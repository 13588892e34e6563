// What moves an output or a state, by layer and by distance (gradients), and what can reach a state at all (the cone).
// Derivatives that take longer than a frame are measured in a worker; the newest question wins.
//
// Keys: see InfluenceCanvas.
#pragma once

#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/living_maker.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/influence/influence_canvas.h"

namespace headlight {

class Segments;

class InfluenceView : public ViewPanel {
  Q_OBJECT
 public:
  enum class Kind { gradients, cone };
  InfluenceView(Kind kind, const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);
  InfluenceCanvas* canvas() const { return canvas_; }
  Segments* modes() const { return modes_; }  // of gradients
  bool is_measuring() const { return maker_.is_busy(); }

 protected:
  void refresh() override { measure(); }
  void retranslate() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;
  Figure picture() override;

 private:
  InfluenceMode mode() const;
  struct Question {
    InfluenceMode mode = InfluenceMode::layers;
    int layer = -1, lane = -1, step = -1;  // layer: of influence_layers(); -1: not chosen
  };
  using Picture = std::shared_ptr<InfluencePicture>;
  static Picture asked(const AnalysedRun& run, const std::shared_ptr<const LivingMap>& map, const Question& question);
  static bool is_long(const InfluencePicture& picture);
  static void fill(InfluencePicture& picture, InfluenceMode mode, const CancelToken& cancel);
  Question question() const;
  void measure();
  void measure_later(Picture begun);
  void show_picture(Picture picture);
  void show_table();
  void show_texts();
  void take(StateAt state);
  void follow_selection();
  void choose_step(int step);

  const Kind kind_;
  std::shared_ptr<const InfluencePicture> shown_;
  int layer_ = -1, lane_ = -1;  // chosen by a person
  int step_ = -1;               // of the output that is asked; -1: the one in the middle
  bool lags_ = false;
  ColumnTable table_;  // a line for each state
  InfluenceCanvas* canvas_;
  Segments* modes_ = nullptr;
  LivingMaker maker_;
};

}  // namespace headlight
