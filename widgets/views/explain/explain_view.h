// How one output came about, in words for everybody: what was compared, shared out, mixed and chosen, each number one
// click from its arithmetic. Buttons walk from output to output, by hand or by themselves.
#pragma once

#include <QTimer>

#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/tables/table.h"

class QLabel;
class QToolButton;

namespace headlight {

class ExplainCanvas;

class ExplainView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  static constexpr int kPause = 1600;  // milliseconds of an output, when they are played
  explicit ExplainView(const ViewContext& context, QWidget* parent = nullptr);
  ExplainCanvas* canvas() const { return canvas_; }
  QString heading() const;
  int step() const;  // of the output that is shown; -1: none
  void walk(int steps);
  void play(bool on);
  void set_folded(bool folded);  // columns of padding, as the picture above has them
  ColourKey colour_key() const override { return {}; }
  ShownAttention attention() const override;
  bool is_playing() const { return timer_.isActive(); }

 protected:
  void refresh() override;
  void retranslate() override;
  Figure picture() override;  // with the tokens of its columns

 private:
  void show_step();
  void show_table();
  void show_texts();
  int wanted_step() const;

  bool folded_ = true;
  ExplainCanvas* canvas_;
  ColumnTable table_;
  QTimer timer_;
  QLabel* which_;
  QToolButton *back_, *forth_, *play_;
};

}  // namespace headlight
