#include "app/lectures/lecture_table.h"

#include <QFont>
#include <QMimeData>
#include <QTime>
#include <QUndoCommand>
#include <algorithm>
#include <utility>

#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "model/core/errors.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

const QString kRowType = QStringLiteral("application/x-headlight-lecture-row");

const ListedLesson* listed_lesson(const std::string& name, const Course** of) {
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons)
      if (lesson.name == name) {
        *of = &course;
        return &lesson;
      }
  return nullptr;
}

int asked_in(const Lesson& lesson) { return static_cast<int>(std::ranges::count_if(lesson.steps, &LessonStep::asks)); }

QString clock_at(const std::optional<int>& minutes) {
  return minutes ? QTime(*minutes / 60, *minutes % 60).toString(QStringLiteral("HH:mm")) : QString();
}

}  // namespace

class LectureTable::Changed : public QUndoCommand {
 public:
  Changed(LectureTable* table, Lecture after, const QString& text)
      : QUndoCommand(text), table_(table), before_(table->lecture_), after_(std::move(after)) {}
  void undo() override { table_->take(before_); }
  void redo() override { table_->take(after_); }

 private:
  LectureTable* table_;
  Lecture before_, after_;
};

LectureTable::LectureTable(QObject* parent) : QAbstractTableModel(parent) {}

void LectureTable::set_lecture(Lecture lecture, std::filesystem::path file) {
  file_ = std::move(file);
  undo_.clear();
  now_ = 0;
  for (LectureEntry& each : lecture.entries) each.key = ++keys_;
  take(std::move(lecture));
  emit replaced();
}

void LectureTable::set_file(std::filesystem::path file) {
  file_ = std::move(file);
  undo_.setClean();
  emit changed();
}

void LectureTable::take(Lecture lecture) {
  // Who writes into a cell goes on where the rows are the same.
  const bool same = std::ranges::equal(lecture.entries, lecture_.entries, {}, &LectureEntry::key, &LectureEntry::key);
  if (!same) beginResetModel();
  lecture_ = std::move(lecture);
  known_.clear();
  for (const LectureEntry& entry : lecture_.entries) known_.push_back(know(entry));
  if (!same)
    endResetModel();
  else if (rowCount() > 0)
    emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
  emit changed();
}

LectureTable::Known LectureTable::know(const LectureEntry& entry) const {
  if (entry.lesson.empty()) return {from_utf8(entry.title), tr("own step"), {}, 1, 0};
  const std::string language = current_language().toStdString();
  try {
    const std::shared_ptr<const Lesson> lesson = lesson_of(entry, file_.empty() ? "." : file_);
    Known known{
        from_utf8(lesson->in(language).title), {}, {}, static_cast<int>(lesson->steps.size()), asked_in(*lesson)};
    const Course* listed = nullptr;
    if (listed_lesson(entry.lesson, &listed) && !listed->words.empty()) {
      const auto words = listed->words.find(language);
      known.course = from_utf8((words != listed->words.end() ? words : listed->words.begin())->second.title);
    } else {
      known.course = tr("own lesson");
    }
    return known;
  } catch (const Error& error) {
    return {from_utf8(entry.lesson), tr("cannot be opened"), from_utf8(error.what()), 0, 0};
  }
}

void LectureTable::change(Lecture lecture, const QString& text) {
  undo_.push(new Changed(this, std::move(lecture), text));
}

void LectureTable::insert(int row, LectureEntry entry) {
  Lecture lecture = lecture_;
  entry.key = ++keys_;
  lecture.entries.insert(lecture.entries.begin() + std::clamp(row, 0, rowCount()), std::move(entry));
  change(std::move(lecture), tr("add an entry"));
}

void LectureTable::remove(int row) {
  if (row < 0 || row >= rowCount()) return;
  Lecture lecture = lecture_;
  lecture.entries.erase(lecture.entries.begin() + row);
  change(std::move(lecture), tr("remove an entry"));
}

void LectureTable::move(int from, int to) {
  if (from < 0 || from >= rowCount() || to < 0 || to >= rowCount() || from == to) return;
  Lecture lecture = lecture_;
  LectureEntry entry = lecture.entries[static_cast<std::size_t>(from)];
  lecture.entries.erase(lecture.entries.begin() + from);
  lecture.entries.insert(lecture.entries.begin() + to, std::move(entry));
  change(std::move(lecture), tr("move an entry"));
}

QString LectureTable::title(int row) const {
  return row >= 0 && row < rowCount() ? known_[static_cast<std::size_t>(row)].title : QString();
}

int LectureTable::row_of(int key) const {
  const auto found = std::ranges::find(lecture_.entries, key, &LectureEntry::key);
  return found == lecture_.entries.end() ? -1 : static_cast<int>(found - lecture_.entries.begin());
}

int LectureTable::key_of(int row) const {
  return row >= 0 && row < rowCount() ? lecture_.entries[static_cast<std::size_t>(row)].key : 0;
}

void LectureTable::set_now(int row) {
  const int key = key_of(row);
  if (std::exchange(now_, key) == key) return;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

// Titles and courses were read in the language of before.
void LectureTable::retranslate() {
  take(Lecture(lecture_));
  emit headerDataChanged(Qt::Horizontal, 0, columns - 1);
}

int LectureTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lecture_.entries.size());
}

int LectureTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant LectureTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Known& known = known_[static_cast<std::size_t>(index.row())];
  const LectureEntry& entry = lecture_.entries[static_cast<std::size_t>(index.row())];
  if (role == Qt::EditRole && index.column() == minutes) return entry.minutes;
  if (role == Qt::ToolTipRole) return known.problem.isEmpty() ? QVariant() : QVariant(known.problem);
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((index.column() == what || index.column() == course ? Qt::AlignLeft : Qt::AlignRight) |
                            Qt::AlignVCenter);
  if (role == Qt::ForegroundRole) {
    if (index.row() == now()) return theme().accent();
    return index.column() == what && known.problem.isEmpty() ? QVariant() : QVariant(theme().muted_text());
  }
  if (role == Qt::FontRole && index.row() == now()) {
    QFont strong;
    strong.setWeight(QFont::DemiBold);
    return strong;
  }
  // The share of the longest entry, 0 to 1: drawn as a bar.
  if (role == Qt::UserRole && index.column() == share) {
    int longest = 1;
    for (const LectureEntry& each : lecture_.entries) longest = std::max(longest, each.minutes);
    return static_cast<double>(entry.minutes) / longest;
  }
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case number:
      return index.row() + 1;
    case what:
      return known.title;
    case course:
      return known.course;
    case steps:
      return known.steps > 0 ? QVariant(known.steps) : QVariant();
    case questions:
      return known.questions > 0 ? QVariant(known.questions) : QVariant(QStringLiteral("–"));
    case minutes:
      return entry.minutes;
    case at:
      return clock_at(lecture_.begins_at(index.row()));
    default:
      return {};
  }
}

QVariant LectureTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == what || section == course ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case what:
      return tr("what");
    case course:
      return tr("course");
    case steps:
      return tr("steps");
    case questions:
      return tr("questions");
    case minutes:
      return tr("minutes");
    case at:
      return tr("at");
    default:
      return QString();
  }
}

Qt::ItemFlags LectureTable::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;  // between the rows
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
  if (index.column() == minutes) flags |= Qt::ItemIsEditable;
  return flags;
}

bool LectureTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || index.column() != minutes) return false;
  const int given = std::clamp(value.toInt(), 1, 240);
  Lecture lecture = lecture_;
  int& now = lecture.entries[static_cast<std::size_t>(index.row())].minutes;
  if (std::exchange(now, given) == given) return false;
  change(std::move(lecture), tr("change the minutes"));
  return true;
}

QStringList LectureTable::mimeTypes() const { return {kRowType}; }

QMimeData* LectureTable::mimeData(const QModelIndexList& indexes) const {
  auto* data = new QMimeData;
  if (!indexes.isEmpty()) data->setData(kRowType, QByteArray::number(indexes.first().row()));
  return data;
}

bool LectureTable::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) {
  if (action != Qt::MoveAction || !data->hasFormat(kRowType)) return false;
  const int from = data->data(kRowType).toInt();
  int to = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
  if (to > from) --to;
  move(from, to);
  emit moved(std::clamp(to, 0, rowCount() - 1));
  return false;  // it was moved here: the view has nothing to remove
}

}  // namespace headlight
