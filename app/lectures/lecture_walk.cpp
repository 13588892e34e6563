#include "app/lectures/lecture_walk.h"

#include <QFileInfo>

#include "app/classroom/classroom.h"
#include "app/lectures/lecture_dialog.h"
#include "model/core/errors.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

LectureWalk::LectureWalk(Classroom* classroom, std::function<std::optional<LectureEntry>()> shown,
                         std::function<void()> present, QWidget* window)
    : QObject(window), classroom_(classroom), shown_(std::move(shown)), present_(std::move(present)), window_(window) {
  classroom_->set_beyond([this](int direction) { return entry() >= 0 && go(entry() + direction, direction < 0); });
  // Who opens another lesson, or closes it, has left the list.
  connect(classroom_, &Classroom::opened, this, [this] {
    if (!opening_) table_.set_now(-1);
  });
}

LectureDialog* LectureWalk::dialog() {
  if (dialog_) return dialog_;
  dialog_ = new LectureDialog(&table_, shown_, window_);
  connect(dialog_, &LectureDialog::failed, this, &LectureWalk::failed);
  connect(dialog_, &LectureDialog::openEntry, this, [this](int entry) { go(entry); });
  connect(dialog_, &LectureDialog::present, this, [this](int entry) {
    if (!go(entry)) return;
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

bool LectureWalk::go(int entry, bool from_behind) {
  if (entry < 0 || entry >= table_.rowCount()) return false;
  try {
    const auto lesson = lesson_of(table_.lecture().entries[static_cast<std::size_t>(entry)],
                                  table_.file().empty() ? "." : table_.file());
    opening_ = true;
    classroom_->open(lesson, from_behind ? static_cast<int>(lesson->steps.size()) - 1 : 0);
    opening_ = false;
    table_.set_now(entry);
    since_.start();
    return true;
  } catch (const Error& error) {
    opening_ = false;
    emit failed(from_utf8(error.what()));
    return false;
  }
}

QString LectureWalk::where() const {
  if (entry() < 0) return {};
  const int planned = table_.lecture().entries[static_cast<std::size_t>(entry())].minutes;
  return tr("%1 of %2: %3, minute %4 of %5")
      .arg(entry() + 1)
      .arg(table_.rowCount())
      .arg(table_.title(entry()))
      .arg(since_.elapsed() / 60'000 + 1)
      .arg(planned);
}

}  // namespace headlight
