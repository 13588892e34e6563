#include "app/lectures/lecture_walk.h"

#include "app/classroom/classroom.h"
#include "app/lectures/lecture_dialog.h"

namespace headlight {

namespace {

// The classroom knows entries by names that no lesson has; two entries may be the same lesson.
const QLatin1String kEntryName("lecture:");

std::filesystem::path place_of(const LectureTable& table) {
  return table.file().empty() ? std::filesystem::path(".") : table.file();
}

}  // namespace

LectureWalk::LectureWalk(Classroom* classroom, std::function<std::optional<LectureEntry>()> shown,
                         std::function<void()> present, QWidget* window)
    : QObject(window), classroom_(classroom), shown_(std::move(shown)), present_(std::move(present)), window_(window) {
  classroom_->set_order({[this](const QString& lesson) { return entry_of(lesson).has_value(); },
                         [this](const LessonPlace& here, int direction) -> std::optional<LessonPlace> {
                           const int step = here.step + direction;
                           if (step >= 0 && step < static_cast<int>(classroom_->lesson()->steps.size()))
                             return LessonPlace{here.lesson, step};
                           const int entry = entry_of(here.lesson).value_or(0) + direction;
                           if (entry < 0 || entry >= table_.rowCount()) return std::nullopt;
                           return LessonPlace{name_of(entry), direction > 0 ? 0 : LessonPlace::kLast};
                         },
                         [this](const QString& lesson) {
                           return lesson_of(table_.lecture().entries[static_cast<std::size_t>(*entry_of(lesson))],
                                            place_of(table_));
                         },
                         [this](const QString& lesson) { return table_.title(entry_of(lesson).value_or(-1)); }});
  connect(classroom_, &Classroom::changed, this,
          [this] { table_.set_now(classroom_->is_open() ? entry_of(classroom_->opened_as()).value_or(-1) : -1); });
}

QString LectureWalk::name_of(int entry) { return kEntryName + QString::number(entry); }

std::optional<int> LectureWalk::entry_of(const QString& lesson) const {
  if (!lesson.startsWith(kEntryName)) return std::nullopt;
  bool is_number = false;
  const int entry = lesson.mid(kEntryName.size()).toInt(&is_number);
  return is_number && entry >= 0 && entry < table_.rowCount() ? std::optional(entry) : std::nullopt;
}

LectureDialog* LectureWalk::dialog() {
  if (dialog_) return dialog_;
  dialog_ = new LectureDialog(&table_, shown_, window_);
  connect(dialog_, &LectureDialog::failed, this, &LectureWalk::failed);
  connect(dialog_, &LectureDialog::openEntry, this, &LectureWalk::go);
  connect(dialog_, &LectureDialog::present, this, [this](int entry) {
    go(entry);
    if (!classroom_->is_open()) return;
    dialog_->close();
    present_();
  });
  return dialog_;
}

void LectureWalk::show_list() {
  dialog()->show();  // the window goes on: what it shows can become a step
  dialog_->raise();
  dialog_->activateWindow();
}

void LectureWalk::open(const QString& path) {
  show_list();
  dialog_->open_file(path);
}

void LectureWalk::go(int entry) {
  if (entry >= 0 && entry < table_.rowCount()) classroom_->open(name_of(entry), 0);
}

}  // namespace headlight
