#include "app/lectures/lecture_walk.h"

#include <algorithm>
#include <utility>

#include "app/classroom/classroom.h"
#include "app/classroom/speaker_window.h"
#include "app/lectures/lecture_dialog.h"
#include "model/core/errors.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// The classroom knows entries by names that no lesson has; two entries may be the same lesson.
const QLatin1String kEntryName("lecture:");
constexpr int kSecond = 1000;  // milliseconds
constexpr double kMinute = 60 * kSecond;

std::filesystem::path place_of(const LectureTable& table) {
  return table.file().empty() ? std::filesystem::path(".") : table.file();
}

QString name_of(int key) { return kEntryName + QString::number(key); }

bool is_entry(const QString& lesson) { return lesson.startsWith(kEntryName); }

int row_of(const LectureTable& table, const QString& lesson) {
  return is_entry(lesson) ? table.row_of(lesson.mid(kEntryName.size()).toInt()) : -1;
}

double minutes_of(const QElapsedTimer& since) {
  return since.isValid() ? static_cast<double>(since.elapsed()) / kMinute : 0;
}

// What an own step says; lessons do not change here.
QString words_of(const LectureTable& table, int row) {
  if (row < 0) return {};
  const LectureEntry& entry = table.lecture().entries[static_cast<std::size_t>(row)];
  return entry.lesson.empty() ? from_utf8(entry.title + "\n" + entry.words) : QString();
}

}  // namespace

LectureWalk::LectureWalk(Classroom* classroom, std::function<std::optional<LectureEntry>()> shown,
                         std::function<void()> present, QWidget* window)
    : QObject(window), classroom_(classroom), shown_(std::move(shown)), present_(std::move(present)), window_(window) {
  const auto row = [this](const QString& lesson) { return row_of(table_, lesson); };
  LessonOrder order;
  order.has = is_entry;
  order.comes = [this](const LessonPlace& here, int direction) { return comes(here, direction); };
  order.load = [this](const QString& lesson) { return load(lesson); };
  order.title = [this, row](const QString& lesson) { return table_.title(row(lesson)); };
  order.minutes = [this, row](const QString& lesson) {
    const int at = row(lesson);
    return at < 0 ? 0 : table_.lecture().entries[static_cast<std::size_t>(at)].minutes;
  };
  order.place = [this, row](const QString& lesson) {
    return row(lesson) < 0 ? tr("not in the list any more")
                           : tr("Entry %1 of %2").arg(row(lesson) + 1).arg(table_.rowCount());
  };
  classroom_->set_order(std::move(order));
  connect(classroom_, &Classroom::changed, this, &LectureWalk::entry_shown);
  connect(&table_, &LectureTable::changed, this, &LectureWalk::list_changed);
  connect(&table_, &LectureTable::replaced, this, [this] { at_ = 0; });
  connect(&second_, &QTimer::timeout, this, &LectureWalk::tell_time);
}

bool LectureWalk::leads() const { return classroom_->is_open() && is_entry(classroom_->opened_as()); }

// What took the place of an entry that is gone comes after it.
std::optional<LessonPlace> LectureWalk::comes(const LessonPlace& here, int direction) const {
  const int step = here.step + direction, row = row_of(table_, here.lesson);
  if (step >= 0 && step < static_cast<int>(classroom_->lesson()->steps.size())) return LessonPlace{here.lesson, step};
  const int entry = row >= 0 ? row + direction : direction > 0 ? at_ : at_ - 1;
  if (entry < 0 || entry >= table_.rowCount()) return std::nullopt;
  return LessonPlace{name_of(table_.key_of(entry)), direction > 0 ? 0 : LessonPlace::kLast};
}

std::shared_ptr<const Lesson> LectureWalk::load(const QString& lesson) const {
  const int row = row_of(table_, lesson);
  if (row < 0) throw UsageError("the lecture list has this entry no more");
  return lesson_of(table_.lecture().entries[static_cast<std::size_t>(row)], place_of(table_));
}

void LectureWalk::entry_shown() {
  const int row = leads() ? row_of(table_, classroom_->opened_as()) : -1;
  table_.set_now(row);
  if (row >= 0) at_ = row;
  shown_words_ = words_of(table_, row);
  if (const int key = table_.key_of(row); key && std::exchange(entered_, key) != key) since_entry_.start();
  if (row >= 0 && !second_.isActive()) begin();
  if (!leads()) {
    second_.stop();
    entered_ = 0;
  }
  tell_time();
}

// Whatever moves, the room goes on with what it sees; an own step that was written anew is shown anew.
void LectureWalk::list_changed() {
  const int row = leads() ? row_of(table_, classroom_->opened_as()) : -1;
  if (row >= 0) {
    at_ = row;
    if (words_of(table_, row) != shown_words_) go(row);
  }
  at_ = std::clamp(at_, 0, table_.rowCount());
  tell_time();
}

int LectureWalk::behind(const Lecture& lecture, int from, int entry, double used) {
  double begins = 0;
  for (int i = std::max(0, from); i < entry; ++i) begins += lecture.entries[static_cast<std::size_t>(i)].minutes;
  return SpeakerWindow::behind(used, begins, begins + lecture.entries[static_cast<std::size_t>(entry)].minutes);
}

// The clock of the lecture runs from the entry that is shown now.
void LectureWalk::begin() {
  begun_from_ = entered_;
  since_begin_.start();
  since_entry_.start();
  second_.start(kSecond);
}

void LectureWalk::tell_time() {
  if (!dialog_) return;
  const int row = table_.now();
  if (row < 0) return dialog_->set_standing(std::nullopt);
  dialog_->set_standing(
      LectureDialog::Standing{row, static_cast<int>(minutes_of(since_entry_)),
                              behind(table_.lecture(), table_.row_of(begun_from_), row, minutes_of(since_begin_))});
}

LectureDialog* LectureWalk::dialog() {
  if (dialog_) return dialog_;
  dialog_ = new LectureDialog(&table_, shown_, window_);
  connect(dialog_, &LectureDialog::failed, this, &LectureWalk::failed);
  connect(dialog_, &LectureDialog::openEntry, this, &LectureWalk::go);
  connect(dialog_, &LectureDialog::present, this, [this](int entry) {
    go(entry);
    if (!leads()) return;
    begin();
    dialog_->close();
    present_();
  });
  return dialog_;
}

void LectureWalk::show_list() {
  dialog()->show();  // the window goes on: what it shows can become a step
  dialog_->raise();
  dialog_->activateWindow();
  tell_time();
}

void LectureWalk::open(const QString& path) {
  show_list();
  dialog_->open_file(path);
}

bool LectureWalk::may_leave(const std::function<void()>& go_on) { return !dialog_ || dialog_->may_leave(go_on); }

void LectureWalk::go(int entry) {
  if (entry >= 0 && entry < table_.rowCount()) classroom_->open(name_of(table_.key_of(entry)), 0);
}

}  // namespace headlight
