// Local attention (Luong et al. 2015, section 3.2): where the window of each step stands, what it lets through, and
// sliders for its half width D and for the σ of its Gaussian, which the model follows while they are dragged.
#pragma once

#include <memory>

#include "widgets/canvas/view_panel.h"
#include "widgets/views/local_window/local_window_canvas.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QSlider;

namespace headlight {

class MapCursor;

class LocalWindowView : public ViewPanel {
  Q_OBJECT
 public:
  explicit LocalWindowView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result);

  LocalWindowCanvas* canvas() const { return canvas_; }
  QSlider* half_width_slider() const { return half_width_; }
  QSlider* sigma_slider() const { return sigma_; }  // tenths of a position
  QCheckBox* half_box() const { return half_box_; }
  QPushButton* reset_button() const { return reset_; }

 protected:
  void refresh() override;
  void retranslate() override { show_windows(); }

 private:
  void make_controls();
  void show_windows();
  void show_table();
  void show_texts();
  void show_settings();
  void ask_half_width(int value);
  void ask_sigma(double value);
  MapCursor cursor() const;
  void select(int step, int entry, int position);
  void follow_selection();

  bool showing_ = false;
  std::shared_ptr<const LocalWindows> windows_;
  ColumnTable table_;  // a line for each position at each step
  LocalWindowCanvas* canvas_ = nullptr;
  QSlider *half_width_ = nullptr, *sigma_ = nullptr;
  QLabel *half_width_label_ = nullptr, *sigma_label_ = nullptr;
  QCheckBox* half_box_ = nullptr;
  QPushButton* reset_ = nullptr;
};

}  // namespace headlight
