// What the lab shows: a recording in front or two beside each other, others of the same as thin lines, and which moment
// of each. All bands of the lab follow it; whoever moves the handle tells it.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "model/recording/recording.h"

namespace headlight {

class LabShown : public QObject {
  Q_OBJECT
 public:
  using Run = std::shared_ptr<const Recording>;
  // Two runs: the same count of examples read; where each first had 95 %; the end of each. Two moments of one (the same
  // run twice): each has a handle of its own, and go_to() moves that of side().
  enum class Together { same_moment, same_score, end, apart };

  explicit LabShown(QObject* parent = nullptr) : QObject(parent) {}

  // One run, or two beside each other. The handle stays at the count of examples read, or goes to the end where
  // `follow` (a training that runs and whose handle was not moved).
  void show(std::vector<Run> runs);
  void grow(int side, Run run);  // a moment more of the same
  void set_thin(std::vector<Run> runs);
  void set_probe(int probe);
  void set_map(int map);  // of Recording::maps
  void set_together(Together together);
  void set_side(int side);  // that keys act on

  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<Run>& thin() const { return thin_; }
  bool empty() const { return runs_.empty() || runs_[0]->moments.empty(); }
  int moment(int side = 0) const;  // within its run
  const Moment& now(int side = 0) const { return runs_[static_cast<std::size_t>(side)]->at(moment(side)); }
  int probe() const { return probe_; }
  int map() const { return map_; }
  int side() const { return side_; }
  Together together() const { return together_; }
  bool at_end() const;  // the handle stands at the newest moment, and goes with it

  void go_to(int moment);        // of side(); the other side follows as `together` says
  void go_to_read(double read);  // examples read
  void go_by(int moments);
  void go_to_mark(int direction);

 signals:
  void runsChanged();    // other runs, or a moment more
  void moved();          // the handle
  void chosenChanged();  // probe, map, side, together

 private:
  void follow();  // the other side
  std::vector<Run> runs_, thin_;
  std::vector<int> moments_;
  int probe_ = 0, map_ = 0, side_ = 0;
  Together together_ = Together::same_moment;
};

}  // namespace headlight
