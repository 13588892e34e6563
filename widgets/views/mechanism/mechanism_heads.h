// Every head of a model as a switch: a row for each layer, a column for each head.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "model/analysis/masks.h"
#include "widgets/views/mechanism/mechanism_grid.h"

class QCheckBox;
class QLabel;

namespace headlight {

class AnalysedRun;
class AttentionChooser;
class HeadBench;
class TargetChip;
struct ViewContext;

class MechanismHeads : public QWidget {
  Q_OBJECT
 public:
  explicit MechanismHeads(const ViewContext& context, QWidget* parent = nullptr);
  static bool offers(const Result& result);
  void set_run(std::shared_ptr<const AnalysedRun> run);
  void set_kind(AttentionMap::Kind kind);
  MechanismGrid* grid() const { return grid_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_grid();
  QString words(int row, int column) const;
  void request(const QList<QPoint>& cells, bool on);

  double effect_of(const AttentionMap& map, Index head) const;  // NaN: not known

  class ViewRequests* requests_;
  HeadBench* bench_;
  std::shared_ptr<const AnalysedRun> run_;
  std::shared_ptr<const Result> result_;
  std::vector<AttentionMap> shown_;  // of the chosen kind
  AttentionChooser* chooser_;
  TargetChip* chip_;
  QCheckBox* effects_;  // whether heads are coloured by what they are worth
  QLabel* note_;
  MechanismGrid* grid_;
};

}  // namespace headlight
