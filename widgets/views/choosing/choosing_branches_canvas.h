// The tree of outputs that were seen for this text: what each would say from where it parts from the one above it.
//
// Up and down walk the outputs, Enter or a click goes to one, Delete forgets one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "widgets/canvas/place_canvas.h"
#include "widgets/views/choosing/choosing_branches.h"

namespace headlight {

struct ChoosingBranchHit {
  int line = -1;
  bool operator==(const ChoosingBranchHit&) const = default;
};

class ChoosingBranchesCanvas : public PlaceCanvas<ChoosingBranchHit> {
  Q_OBJECT
 public:
  explicit ChoosingBranchesCanvas(QWidget* parent = nullptr);

  // The run that is shown, and the outputs for its text; null: nothing.
  void set_branches(std::shared_ptr<const Result> result, const ChoosingBranches& branches);
  int count() const { return static_cast<int>(lines_.size()); }
  const ChoosingBranchLine& line(int at) const { return lines_.at(static_cast<std::size_t>(at)).line; }
  QRectF place_of(int line) const;
  QString said(int line) const;   // what it says, from where it parts
  QString note(int line) const;   // what is to know of it
  bool is_shown(int line) const;  // it is the output of the run
  QString place_tooltip(const ChoosingBranchHit& place) const override;

 signals:
  void wanted(int branch);
  void removed(int branch);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  ChoosingBranchHit place_at(QPointF point) const override;
  void press_place(const ChoosingBranchHit& place) override;
  QRectF cursor_rect() const override { return place_of(cursor_); }
  bool go(int right, int down) override;
  bool activate() override;
  bool press_key(const QKeyEvent& event) override;

 private:
  struct Line {
    ChoosingBranchLine line;
    ChoosingBranch branch;
  };
  double head() const;  // the height of the words above

  std::shared_ptr<const Result> result_;
  std::vector<Line> lines_;
  int shown_ = -1, cursor_ = 0;
  double width_ = 0, row_ = 0, top_ = 0;
};

}  // namespace headlight
