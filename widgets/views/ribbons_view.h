// The ribbons of a result: which attention, which layer, which head, and the lines between the tokens.
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/base/selection.h"
#include "widgets/items/matrix_model.h"
#include "widgets/views/ribbons_canvas.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace headlight {

class RibbonsView : public QWidget {
  Q_OBJECT
 public:
  static constexpr Index kAllHeads = -3;

  explicit RibbonsView(Selection* selection, QWidget* parent = nullptr);

  static bool offers(const Result& result);
  void set_result(std::shared_ptr<const Result> result);
  // What is shown; what the model lacks is replaced by its first.
  void show_head(AttentionMap::Kind kind, Index layer, Index head);
  Index head() const { return head_; }
  Index layer() const { return layer_; }
  AttentionMap::Kind kind() const { return kind_; }

  RibbonsCanvas* canvas() const { return canvas_; }
  MatrixModel* table_model();
  void export_to(const QString& path) const;  // PNG, SVG, PDF, CSV; throws FileError, UsageError

  QSize sizeHint() const override { return {420, 360}; }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void take_maps();
  void show_choices();
  void show_texts();
  void show_map();
  void choose(const RibbonsPlace& place, const RibbonsPlace& before);
  void hover(const RibbonsPlace& place);
  void follow_selection();
  void follow_hover();
  const AttentionMap* map() const { return map_.get(); }
  Index matrix_head() const;

  Selection* selection_;
  std::shared_ptr<const Result> result_;
  bool taken_ = false;
  std::vector<AttentionMap> maps_;
  std::shared_ptr<const AttentionMap> map_;
  AttentionMap::Kind kind_ = AttentionMap::Kind::cross;
  Index layer_ = -1, head_ = kAllHeads;
  bool chosen_ = false;  // somebody has said what to show
  MatrixModel table_;
  RibbonsCanvas* canvas_ = nullptr;
  QWidget* bar_ = nullptr;
  QComboBox *kind_box_ = nullptr, *layer_box_ = nullptr, *head_box_ = nullptr;
  QCheckBox* words_box_ = nullptr;
  QLabel *message_ = nullptr, *note_ = nullptr;
};

}  // namespace headlight
