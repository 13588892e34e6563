// The map of a model, in two ways: the living map, in which shares flow from the words to an output, and the diagram of
// every value as boxes and links. D goes from one to the other; models that the first does not know have the second.
#pragma once

#include <QWidget>

#include "widgets/canvas/captioned.h"
#include "widgets/canvas/result_view.h"

class QStackedLayout;

namespace headlight {

class LivingView;
class MapView;

class MapPanel : public QWidget, public ResultView, public Captioned {
  Q_OBJECT
 public:
  explicit MapPanel(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);
  LivingView* living() const { return living_; }
  MapView* boxes() const { return boxes_; }
  bool shows_boxes() const;
  void show_boxes(bool shown);
  // While somebody steps through the run: what comes behind this entry of the trace is not there yet; -1: all is.
  void set_computed(int entry);
  ColourKey colour_key() const override { return {}; }
  QString caption() const override;
  QString what_to_do(bool changing) const override;
  QStringList reading() const override;

 signals:
  void stateShown();  // the caption may be another one

 protected:
  void refresh() override;
  Figure drawn() override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void choose();  // which of the two is seen

  LivingView* living_;
  MapView* boxes_;
  QStackedLayout* stack_;
  bool wants_boxes_ = false;
};

}  // namespace headlight
