// A lesson on paper: worksheet, answer key, slides, and what somebody answered. Made from the lesson, never stored.
#pragma once

#include <QString>

#include "app/lessons/lesson_progress.h"
#include "app/lessons/lesson_runs.h"

namespace headlight {

struct LessonPaper {
  LessonRuns* runs = nullptr;
  std::string language;
  bool letter = false;  // US Letter; else A4
};

// Pictures are in the colours of the theme. All throw FileError, and what the runs of the lesson throw.
void write_worksheet(const LessonPaper& paper, const QString& path, bool answers);
// A PDF, or, where `path` does not end in .pdf, a folder of PNG that are numbered from 01.
void write_slides(const LessonPaper& paper, const QString& path);
// `lesson`: its choices name what a room voted for; null: votes are left out.
struct MyAnswers {
  const LessonRecord& record;
  const Lesson* lesson = nullptr;
  std::string language;
};
void write_my_answers(const MyAnswers& mine, const QString& path);

}  // namespace headlight
