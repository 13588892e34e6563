// How the output is chosen: greedily, by drawing, or by beam search, with the settings of that way only.
//
// Every change is asked for at once, also while a slider is dragged; what is shown is what the result used.
#pragma once

#include <QWidget>
#include <vector>

#include "model/decode/run.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;
class QToolButton;

namespace headlight {

class Segments;
class ViewRequests;

class DecodingBar : public QWidget {
  Q_OBJECT
 public:
  using Kind = DecodeSettings::Kind;
  explicit DecodingBar(ViewRequests* requests, QWidget* parent = nullptr);

  void set_result(const Result& result);
  const DecodeSettings& settings() const { return settings_; }

  // The temperature slider: 0 at its beginning, then even in the logarithm from 0.1 to 2.
  static constexpr int kLastPlace = 100;
  static double temperature_at(int place);
  static int place_of_temperature(double temperature);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  // A control with its name, shown where it means something.
  struct Group {
    QWidget* box = nullptr;
    QLabel* name = nullptr;
    std::vector<QWidget*> controls;
    Kind kind = Kind::greedy;
  };
  void build_kinds();
  void name_kinds();
  void build_sampling();
  template <class Box, class Setting>
  void bind(Box* box, Setting* setting);
  void build_beam();
  void build_forced();
  Group& add_group(Kind kind, const std::vector<QWidget*>& controls);
  QDoubleSpinBox* number_box(double largest, double step);
  void ask();
  void show_settings();
  void show_texts();
  void explain(QWidget* control, const QString& name, const QString& help);

  ViewRequests* requests_;
  DecodeSettings settings_;
  std::uint64_t seed_ = 1;
  bool edited_ = false;                       // of the run that is shown
  bool forced_ = false, all_forced_ = false;  // its output: the beginning at least, or the whole
  bool showing_ = false;                      // the controls are being set from here

  std::vector<Group> groups_;
  Segments* kinds_;
  QSlider* temperature_;
  QLabel *temperature_text_, *forced_text_, *by_stages_;
  QSpinBox *top_k_, *seed_box_, *width_;
  QDoubleSpinBox *top_p_, *alpha_, *beta_;
  QComboBox* norm_;
  QToolButton* draw_again_;
  QPushButton* let_choose_;
  QWidget* forced_box_;
};

}  // namespace headlight
