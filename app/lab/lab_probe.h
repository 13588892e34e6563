// What the lab asks: the probe of the recording, or a text that somebody typed in its place, with what the model of the
// moment in front makes of it. Of a typed text each moment is computed when it is looked at, off this thread, and kept;
// until an answer is there the one before stays.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/latest.h"
#include "app/lab/lab_shown.h"

namespace headlight {

class LabProbe : public QObject {
  Q_OBJECT
 public:
  static constexpr int kPatience = 500;  // milliseconds, before "computing" is said

  struct Answer {
    Probe probe;  // with its tokens
    ProbeRun run;
  };
  // Throws Cancelled and Error; off this thread.
  using Ask =
      std::function<Answer(const Recording& recording, int moment, const Probe& probe, const CancelToken& cancel)>;
  static Answer ask_recording(const Recording& recording, int moment, const Probe& probe, const CancelToken& cancel);

  explicit LabProbe(LabShown* shown, QObject* parent = nullptr, Ask ask = ask_recording);

  // A text in place of the probe; empty, or that of the probe: the recording's again.
  void type(const QString& source);
  // What will be asked, before anything was trained.
  void propose(const QString& source);
  bool is_typed() const { return !typed_.source.empty(); }
  bool is_waiting() const { return waiting_; }         // an answer is not there yet, and the person may know
  const QString& problem() const { return problem_; }  // why there is no answer; empty: nothing is wrong
  QString source() const;

  const Probe* probe(int side = 0) const;   // null: the recording has none
  const ProbeRun* run(int side = 0) const;  // at its moment; null: nothing is known yet
  // The most rows and columns that a map has over all moments: the picture has room for them from the beginning.
  struct Size {
    int rows = 0, columns = 0;
  };
  Size size(int map, int side = 0) const;

 signals:
  void changed();         // another text, an answer, or nothing is waited for any more
  void waitingChanged();  // is_waiting(), problem()

 private:
  using Key = std::pair<const void*, Index>;  // of which training, and the update of the moment
  Key key(int side) const;
  bool choose_recorded(const std::string& text);
  void follow();
  void take(const Answer& answer, Key key);
  void ask(int side);
  void set_waiting(bool waiting, const QString& problem = {});

  LabShown* shown_;
  Ask ask_;
  Probe typed_;
  QString proposed_;
  std::map<Key, ProbeRun> answers_;
  std::map<int, Key> last_;  // of each side: the newest answer, while another one is awaited
  struct Made {
    Answer answer;
    Key key;
  };
  Latest<Made> asking_;
  std::optional<Key> asked_;
  QTimer patience_;
  bool waiting_ = false;
  QString problem_;
};

// The names of the columns, or of the rows, of a map: the tokens of the source, or of the text that was read and
// written.
std::vector<std::string> map_names(const Probe& probe, const ProbeRun& run, Index count, bool rows);

}  // namespace headlight
