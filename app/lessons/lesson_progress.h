// How far a person has come in lessons, and what they answered: one file of their own, nowhere else.
#pragma once

#include <QString>
#include <array>
#include <map>
#include <vector>

namespace headlight {

// What an answer is worth beside the truth.
enum class Worth { unsaid, wrong, close, right };

struct GivenAnswer {
  QString step, question, answer, truth, distance;
  int hints = 0;
  Worth worth = Worth::unsaid;
  bool operator==(const GivenAnswer&) const = default;
};

// A lesson that is not bundled, where it was opened last.
struct OwnLesson {
  QString folder, title;
  bool operator==(const OwnLesson&) const = default;
};

// Hands of a room for each answer: before and after it has talked.
struct RoomVote {
  QString step;
  std::map<QString, std::array<int, 2>> hands;  // of the ids of the choices
  QString right;                                // the id of the right one; empty: not told yet
  QString room = {};                            // the class that voted: when its first vote began
  qint64 when = 0;                              // it was counted last
  bool operator==(const RoomVote&) const = default;
};

struct LessonRecord {
  QString title;
  int step = 0, steps = 0;  // where one stopped, from 0
  bool finished = false;
  qint64 when = 0;  // seconds since 1970
  std::vector<GivenAnswer> answers;
  std::vector<RoomVote> votes;
  const RoomVote* vote(const QString& step) const;  // the newest; null: no room was asked
  const RoomVote* vote(const QString& step, const QString& room) const;
  bool operator==(const LessonRecord&) const = default;
};

class LessonProgress {
 public:
  // The file of this user; empty: nothing is kept (tests, pictures).
  static QString usual_path();
  explicit LessonProgress(QString path);

  const LessonRecord* find(const QString& lesson) const;
  const std::map<QString, LessonRecord>& all() const { return records_; }
  // The lesson that was left last, unfinished; empty: there is none.
  QString latest() const;
  // Each is written at once, whole or not at all. What cannot be written is kept in memory.
  void reach(const QString& lesson, const QString& title, int step, int steps, qint64 now);
  void answer(const QString& lesson, const GivenAnswer& given);
  void vote(const QString& lesson, const RoomVote& vote);
  // The class that voted within the last lesson hour, as after a pause or a crash; empty: there is none.
  QString room(qint64 now) const;
  // Those in folders of one's own, the newest first.
  const std::vector<OwnLesson>& own() const { return own_; }
  void opened(const OwnLesson& lesson);
  void forget(const QString& folder);
  void clear();  // answers, votes and how far one came; what is one's own stays in the list

 private:
  void read();
  void write() const;
  QString path_;
  std::map<QString, LessonRecord> records_;
  std::vector<OwnLesson> own_;
};

}  // namespace headlight
