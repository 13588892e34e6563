// Which token may look at which, as a grid: cells, rows and columns are switched by hand, whole masks by a menu.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "model/analysis/masks.h"
#include "widgets/views/mechanism/mechanism_grid.h"

class QComboBox;
class QLabel;
class QMenu;
class QToolButton;

namespace headlight {

class AnalysedRun;
class MapCursor;
class Selection;
class ViewRequests;
struct ViewContext;

class MechanismMask : public QWidget {
  Q_OBJECT
 public:
  explicit MechanismMask(const ViewContext& context, QWidget* parent = nullptr);
  static bool offers(const Result& result);
  void set_run(std::shared_ptr<const AnalysedRun> run);
  // What the model lacks is replaced by its first.
  void set_mask(AttentionMap::Kind kind, Index layer);
  MechanismGrid* grid() const { return grid_; }
  // The ready-made masks; filled when it opens.
  QMenu* presets() const { return presets_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_choices();
  void show_grid();
  void fill_presets();
  QString words(int row, int column) const;
  void request(const EditChange& change);
  void select(int row, int column);
  void follow_selection();
  const AttentionMask* mask() const;
  MapCursor cursor() const;

  Selection* selection_;
  ViewRequests* requests_;
  std::shared_ptr<const Result> result_;
  std::vector<AttentionMask> masks_;
  AttentionMap::Kind kind_ = AttentionMap::Kind::cross;
  Index layer_ = AttentionMask::kAllLayers;
  QComboBox *kind_box_, *layer_box_;
  QToolButton* preset_button_;
  QMenu* presets_;
  QLabel* note_;
  MechanismGrid* grid_;
};

}  // namespace headlight
