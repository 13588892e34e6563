// How far a person has come in lessons, and what they answered: one file of their own, nowhere else.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <map>
#include <optional>
#include <vector>

namespace headlight {

struct GivenAnswer {
  QString step, question, answer, truth, distance;
  int hints = 0;
  bool operator==(const GivenAnswer&) const = default;
};

struct LessonRecord {
  QString title;
  int step = 0, steps = 0;  // where one stopped, from 0
  bool finished = false;
  qint64 when = 0;  // seconds since 1970
  std::vector<GivenAnswer> answers;
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
  void clear();

 private:
  void read();
  void write() const;
  QString path_;
  std::map<QString, LessonRecord> records_;
};

}  // namespace headlight
