#include "app/lectures/lecture_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimeEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/file_dialogs.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "model/core/errors.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// How long an entry takes beside the longest one.
class ShareDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    constexpr double kThick = 8;
    const QRectF room = QRectF(option.rect).adjusted(space::kMedium, 0, -space::kMedium, 0);
    QRectF bar(room.left(), room.center().y() - kThick / 2, room.width(), kThick);
    painter->setRenderHint(QPainter::Antialiasing);
    draw_box(*painter, bar, kThick / 2, Qt::NoPen, theme().grid());
    bar.setWidth(bar.width() * index.data(Qt::UserRole).toDouble());
    draw_box(*painter, bar, kThick / 2, Qt::NoPen, theme().muted_text());
  }
};

QString menu_text(const std::string& text) { return from_utf8(text).replace(QLatin1Char('&'), QStringLiteral("&&")); }

QString filter() { return LectureDialog::tr("Lecture lists (*.%1)").arg(QLatin1String(kLectureSuffix)); }

}  // namespace

LectureDialog::LectureDialog(LectureTable* table, Shown shown, QWidget* parent)
    : QDialog(parent), table_(table), shown_(std::move(shown)) {
  setObjectName(QStringLiteral("lecture"));
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(space::kMargin, space::kMargin, space::kMargin, space::kMargin);
  build_head(rows);
  build_cells();
  rows->addWidget(cells_, 1);
  build_foot(rows);
  connect(table_, &LectureTable::changed, this, &LectureDialog::show_lecture);
  connect(table_, &LectureTable::moved, this, [this](int to) { select(to); });
  connect(table_->undo(), &QUndoStack::cleanChanged, this, &LectureDialog::show_lecture);
  retranslates(this, [this] {
    table_->retranslate();
    show_texts();
  });
  show_texts();
  resize(QSize(980, 620));
  cells_->setFocus(Qt::OtherFocusReason);
}

void LectureDialog::build_head(QVBoxLayout* rows) {
  title_ = new QLineEdit(this);
  title_->setObjectName(QStringLiteral("lecture_title"));
  file_ = text_label(this, false);
  set_ink(file_, &Tokens::ink2);
  about_ = text_label(this);
  set_ink(about_, &Tokens::ink2);
  has_begin_ = new QCheckBox(this);
  has_begin_->setObjectName(QStringLiteral("lecture_has_begin"));
  begins_ = new QTimeEdit(this);
  begins_->setObjectName(QStringLiteral("lecture_begins"));
  begins_->setDisplayFormat(QStringLiteral("HH:mm"));
  present_ = new QPushButton(this);
  present_->setObjectName(QStringLiteral("lecture_present"));
  present_->setDefault(true);
  auto* line = new QHBoxLayout;
  line->setSpacing(space::kSmall);
  line->addWidget(title_, 1);
  line->addWidget(has_begin_);
  line->addWidget(begins_);
  line->addWidget(present_);
  rows->addLayout(line);
  rows->addWidget(file_);
  rows->addWidget(about_);
  const auto take = [this](auto change) {
    if (filling_) return;
    Lecture lecture = table_->lecture();
    change(lecture);
    table_->change(std::move(lecture), tr("change the list"));
  };
  connect(title_, &QLineEdit::editingFinished, this, [this, take] {
    if (title_->text() == from_utf8(table_->lecture().title)) return;
    take([this](Lecture& lecture) { lecture.title = bytes_of(title_->text()); });
  });
  const auto begin = [this, take] {
    std::optional<int> minutes;
    if (has_begin_->isChecked()) minutes = begins_->time().hour() * 60 + begins_->time().minute();
    if (table_->lecture().begins == minutes) return;
    take([minutes](Lecture& lecture) { lecture.begins = minutes; });
  };
  connect(begins_, &QTimeEdit::editingFinished, this, begin);
  connect(has_begin_, &QCheckBox::clicked, this, begin);
  connect(present_, &QPushButton::clicked, this, [this] { emit present(std::max(0, row())); });
}

void LectureDialog::build_cells() {
  cells_ = new QTableView(this);
  cells_->setObjectName(QStringLiteral("lecture_cells"));
  cells_->setModel(table_);
  cells_->setFrameShape(QFrame::NoFrame);
  cells_->setShowGrid(false);
  cells_->setTabKeyNavigation(false);
  cells_->setSelectionBehavior(QAbstractItemView::SelectRows);
  cells_->setSelectionMode(QAbstractItemView::SingleSelection);
  cells_->setDragDropMode(QAbstractItemView::InternalMove);
  cells_->setDragDropOverwriteMode(false);
  cells_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
  cells_->setWordWrap(false);
  cells_->setItemDelegateForColumn(LectureTable::share, new ShareDelegate(cells_));
  cells_->verticalHeader()->hide();
  cells_->horizontalHeader()->setHighlightSections(false);
  cells_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  cells_->horizontalHeader()->setSectionResizeMode(LectureTable::what, QHeaderView::Stretch);
  cells_->horizontalHeader()->setSectionResizeMode(LectureTable::share, QHeaderView::Fixed);
  cells_->setColumnWidth(LectureTable::share, 140);
  cells_->installEventFilter(this);
  connect(cells_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
    if (at.column() != LectureTable::minutes) edit_own(at.row());
  });
  // A list that is changed keeps the row that one was at.
  connect(table_, &LectureTable::modelAboutToBeReset, this, [this] { kept_row_ = row(); });
  connect(table_, &LectureTable::modelReset, this, [this] { select(std::min(kept_row_, table_->rowCount() - 1)); });
  connect(cells_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { show_lecture(); });
}

void LectureDialog::build_foot(QVBoxLayout* rows) {
  sum_ = text_label(this, false);
  hint_ = text_label(this);
  set_ink(hint_, &Tokens::ink2);
  standing_ = text_label(this, false);
  standing_->setObjectName(QStringLiteral("lecture_standing"));
  auto* sums = new QHBoxLayout;
  sums->addWidget(sum_);
  sums->addStretch(1);
  sums->addWidget(standing_);
  rows->addLayout(sums);
  rows->addWidget(hint_);
  const auto button = [this](const char* name, auto what) {
    auto* made = new QPushButton(this);
    made->setObjectName(QString::fromUtf8(name));
    made->setAutoDefault(false);
    if constexpr (!std::is_null_pointer_v<decltype(what)>) connect(made, &QPushButton::clicked, this, what);
    return made;
  };
  lesson_ = button("lecture_lesson", nullptr);
  auto* lessons = new QMenu(this);
  connect(lessons, &QMenu::aboutToShow, this, [this, lessons] { fill_lessons(lessons); });
  lesson_->setMenu(lessons);
  step_ = button("lecture_step", nullptr);
  step_->setMenu(new QMenu(this));
  edit_ = button("lecture_edit", [this] { edit_own(row()); });
  remove_ = button("lecture_remove", [this] { remove_row(); });
  up_ = button("lecture_up", [this] { move_row(-1); });
  down_ = button("lecture_down", [this] { move_row(1); });
  new_ = button("lecture_new", [this] {
    const auto begin = [this] { table_->set_lecture({}, {}); };
    if (may_leave(begin)) begin();
  });
  open_ = button("lecture_open", [this] {
    ask_for_file(this, {"lecture", tr("Open a lecture list"), {}, {filter()}},
                 [this](const QString& path) { open_file(path); });
  });
  save_ = button("lecture_save", [this] { save(); });
  auto* line = new QHBoxLayout;
  line->setSpacing(space::kSmall);
  for (QPushButton* each : {lesson_, step_, edit_, up_, down_, remove_}) line->addWidget(each);
  line->addStretch(1);
  for (QPushButton* each : {new_, open_, save_}) line->addWidget(each);
  rows->addLayout(line);
}

void LectureDialog::show_texts() {
  title_->setPlaceholderText(tr("Title of the lecture"));
  title_->setAccessibleName(tr("Title of the lecture"));
  about_->setText(tr("Lessons and own steps in one order. PageDown walks through all of it."));
  has_begin_->setText(tr("&Begins at"));
  begins_->setAccessibleName(tr("When the lecture begins"));
  present_->setText(tr("&Present"));
  present_->setToolTip(tr("Show it to the room, from the selected entry on"));
  lesson_->setText(tr("Add a &lesson"));
  step_->setText(tr("Add a &step"));
  step_->menu()->clear();
  step_->menu()->addAction(tr("What the window shows now…"), this, &LectureDialog::add_shown);
  step_->menu()->addAction(tr("Words alone: a break, a question…"), this, &LectureDialog::add_words);
  edit_->setText(tr("&Edit…"));
  edit_->setToolTip(tr("Title and words of a step of your own"));
  remove_->setText(tr("&Remove"));
  remove_->setToolTip(tr("Take the selected entry out of the list (Delete). Ctrl+Z brings it back."));
  up_->setText(tr("&Up"));
  up_->setToolTip(tr("Earlier (Alt+↑)"));
  down_->setText(tr("&Down"));
  down_->setToolTip(tr("Later (Alt+↓)"));
  new_->setText(tr("&New"));
  new_->setToolTip(tr("Begin another list"));
  open_->setText(tr("&Open…"));
  save_->setText(tr("Sa&ve"));
  save_->setToolTip(tr("Save the list as a file (Ctrl+S)"));
  hint_->setText(
      tr("Drag or Alt+↑, Alt+↓ to move; F2 changes the minutes, or a click on them. Enter opens the entry."));
  cells_->setAccessibleName(tr("Entries of the lecture"));
  show_lecture();
}

void LectureDialog::show_lecture() {
  filling_ = true;
  const Lecture& lecture = table_->lecture();
  const int count = table_->rowCount(), at = row();
  if (!title_->hasFocus()) title_->setText(from_utf8(lecture.title));
  has_begin_->setChecked(lecture.begins.has_value());
  begins_->setEnabled(lecture.begins.has_value());
  if (lecture.begins && !begins_->hasFocus()) begins_->setTime(QTime(*lecture.begins / 60, *lecture.begins % 60));
  const QString name = table_->file().empty() ? tr("not saved yet") : path_text(table_->file().filename());
  file_->setText(table_->undo()->isClean() ? name : tr("%1, changed").arg(name));
  setWindowTitle(tr("Lecture list"));
  const auto ends = lecture.begins_at(count);
  const int minutes = lecture.minutes();
  const QString sum = (count == 1 ? tr("1 entry") : tr("%1 entries").arg(count)) + QStringLiteral(" · ") +
                      (minutes == 1 ? tr("1 minute") : tr("%1 minutes").arg(minutes));
  sum_->setText(ends ? tr("%1, until %2").arg(sum, QTime(*ends / 60, *ends % 60).toString(QStringLiteral("HH:mm")))
                     : sum);
  present_->setEnabled(count > 0);
  remove_->setEnabled(at >= 0);
  edit_->setEnabled(at >= 0 && lecture.entries[static_cast<std::size_t>(at)].lesson.empty());
  up_->setEnabled(at > 0);
  down_->setEnabled(at >= 0 && at + 1 < count);
  cells_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 2 * space::kMedium);
  filling_ = false;
}

void LectureDialog::fill_lessons(QMenu* menu) {
  menu->clear();
  const std::string language = current_language().toStdString();
  for (const Course& course : courses()) {
    const auto words = course.words.contains(language) ? course.words.find(language) : course.words.begin();
    if (words == course.words.end()) continue;
    QMenu* of_course = menu->addMenu(menu_text(words->second.title));
    for (const ListedLesson& lesson : course.lessons)
      of_course->addAction(menu_text(in_language(lesson.title, language)), this, [this, &lesson] {
        add({lesson.name, {}, {}, {}, {}, lesson.minutes});
      });
  }
  menu->addSeparator();
  menu->addAction(tr("A lesson folder…"), this, [this] {
    ask_for_folder(this, {"lesson", tr("Open a lesson folder")}, [this](const QString& folder) {
      try {
        const int minutes = load_lesson(bytes_of(folder))->minutes;
        add({bytes_of(folder), {}, {}, {}, {}, minutes});
      } catch (const Error& error) {
        emit failed(from_utf8(error.what()));
      }
    });
  });
}

void LectureDialog::ask_for_words(const LectureEntry& entry, const std::function<void(const LectureEntry&)>& take) {
  auto* asked = new QDialog(this);
  asked->setAttribute(Qt::WA_DeleteOnClose);
  asked->setWindowTitle(tr("A step of your own"));
  auto* rows = column_in(asked, space::kSmall);
  rows->setContentsMargins(space::kMargin, space::kMargin, space::kMargin, space::kMargin);
  auto* title = new QLineEdit(from_utf8(entry.title), asked);
  title->setPlaceholderText(tr("Title"));
  title->setAccessibleName(tr("Title"));
  auto* words = new QPlainTextEdit(from_utf8(entry.words), asked);
  words->setPlaceholderText(tr("What the room reads; **strong** and *meant* as in lessons"));
  words->setAccessibleName(tr("Words"));
  words->setTabChangesFocus(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, asked);
  connect(buttons, &QDialogButtonBox::accepted, asked, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, asked, &QDialog::reject);
  const auto fits = [=] { buttons->button(QDialogButtonBox::Ok)->setEnabled(!title->text().trimmed().isEmpty()); };
  connect(title, &QLineEdit::textChanged, asked, fits);
  fits();
  rows->addWidget(title);
  rows->addWidget(words, 1);
  rows->addWidget(buttons);
  asked->resize(460, 300);
  connect(asked, &QDialog::accepted, this, [=, this] {
    LectureEntry given = entry;
    given.title = bytes_of(title->text().trimmed());
    given.words = bytes_of(words->toPlainText().trimmed());
    take_words(given, take);
  });
  asked->open();
}

void LectureDialog::take_words(LectureEntry entry, const std::function<void(const LectureEntry&)>& take) {
  try {
    lesson_of(entry, table_->file().empty() ? "." : table_->file());
  } catch (const Error& error) {
    return emit failed(from_utf8(error.what()));
  }
  take(entry);
}

// After the one that is selected, else at the end.
void LectureDialog::add(LectureEntry entry) {
  const int to = row() >= 0 ? row() + 1 : table_->rowCount();
  table_->insert(to, std::move(entry));
  select(to);
}

void LectureDialog::add_shown() {
  const std::optional<LectureEntry> entry = shown_();
  if (!entry) return emit failed(tr("The window shows no model yet: open one first, then add it as a step."));
  ask_for_words(*entry, [this](const LectureEntry& given) { add(given); });
}

void LectureDialog::add_words() {
  ask_for_words({}, [this](const LectureEntry& given) { add(given); });
}

// An own step is written anew; a lesson opens.
void LectureDialog::edit_own(int at) {
  if (at < 0 || at >= table_->rowCount()) return;
  const LectureEntry& entry = table_->lecture().entries[static_cast<std::size_t>(at)];
  if (!entry.lesson.empty()) return emit openEntry(at);
  ask_for_words(entry, [this, key = table_->key_of(at)](const LectureEntry& given) { write_own(key, given); });
}

void LectureDialog::write_own(int key, const LectureEntry& entry) {
  const int at = table_->row_of(key);
  if (at < 0) return;
  Lecture lecture = table_->lecture();
  lecture.entries[static_cast<std::size_t>(at)] = entry;
  table_->change(std::move(lecture), tr("change a step"));
  select(at);
}

void LectureDialog::move_row(int by) {
  const int from = row(), to = from + by;
  if (from < 0 || to < 0 || to >= table_->rowCount()) return;
  table_->move(from, to);
  select(to);
}

void LectureDialog::remove_row() {
  table_->remove(row());
  cells_->setFocus(Qt::OtherFocusReason);
}

void LectureDialog::select(int to) {
  if (to >= 0 && to < table_->rowCount()) cells_->setCurrentIndex(table_->index(to, LectureTable::what));
}

int LectureDialog::row() const { return cells_->currentIndex().isValid() ? cells_->currentIndex().row() : -1; }

void LectureDialog::open_file(const QString& path) {
  try {
    const auto open = [this, path, lecture = read_lecture(bytes_of(path))] {
      table_->set_lecture(lecture, bytes_of(path));
      select(0);
    };
    if (may_leave(open)) open();
  } catch (const Error& error) {
    emit failed(from_utf8(error.what()));
  }
}

void LectureDialog::save(const std::function<void()>& then) {
  title_->clearFocus();  // what was typed there counts
  begins_->clearFocus();
  const auto write = [this, then](const QString& path) {
    if (save_to(path) && then) then();
  };
  if (const QString path = path_text(table_->file()); !path.isEmpty()) return write(path);
  ask_where_to_write(this, {"lecture", tr("Save the lecture list"), tr("lecture.%1").arg(kLectureSuffix), {filter()}},
                     write);
}

bool LectureDialog::save_to(const QString& path) {
  try {
    write_lecture(table_->lecture(), bytes_of(path));
    table_->set_file(bytes_of(path));
    return true;
  } catch (const Error& error) {
    emit failed(from_utf8(error.what()));
    return false;
  }
}

bool LectureDialog::may_leave(const std::function<void()>& go_on) {
  if (table_->undo()->isClean() || table_->rowCount() == 0) return true;
  if (asked_ && asked_->isVisible()) return false;
  const auto leave = [this, go_on](bool save_first) {
    if (save_first) return save(go_on);
    table_->undo()->setClean();  // given up
    go_on();
  };
  asked_ = ask_to_save(isVisible() ? this : parentWidget(),
                       tr("Save the changes of the list ‘%1’?").arg(from_utf8(table_->lecture().title)), {}, leave);
  return false;
}

void LectureDialog::set_standing(const std::optional<Standing>& standing) {
  if (!standing) return standing_->clear();
  const int late = standing->late;
  const QString plan = late > 0   ? tr("%1 min behind the plan").arg(late)
                       : late < 0 ? tr("%1 min ahead of the plan").arg(-late)
                                  : tr("as planned");
  const auto entry = static_cast<std::size_t>(standing->entry);
  standing_->setText(tr("Entry %1: minute %2 of %3, %4")
                         .arg(standing->entry + 1)
                         .arg(standing->used + 1)
                         .arg(table_->lecture().entries[entry].minutes)
                         .arg(plan));
  set_ink(standing_, late > 0 ? &Tokens::bad : &Tokens::ink);
}

void LectureDialog::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Undo)) return table_->undo()->undo();
  if (event->matches(QKeySequence::Redo)) return table_->undo()->redo();
  if (event->matches(QKeySequence::Save)) return void(save());
  // What was typed above the entries is done; nobody is shown anything yet.
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && (focusWidget() == title_ || focusWidget() == begins_)) return cells_->setFocus(Qt::OtherFocusReason);
  QDialog::keyPressEvent(event);
}

bool LectureDialog::eventFilter(QObject* watched, QEvent* event) {
  const bool ours = watched == cells_ && event->type() == QEvent::KeyPress;
  return (ours && take_key(*static_cast<QKeyEvent*>(event))) || QDialog::eventFilter(watched, event);
}

bool LectureDialog::take_key(const QKeyEvent& key) {
  if (row() < 0) return false;
  switch (key.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (key.modifiers() != Qt::AltModifier) return false;
      move_row(key.key() == Qt::Key_Up ? -1 : 1);
      return true;
    case Qt::Key_Delete:
      remove_row();
      return true;
    case Qt::Key_F2:
      cells_->setCurrentIndex(table_->index(row(), LectureTable::minutes));
      cells_->edit(cells_->currentIndex());
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit openEntry(row());
      return true;
    default:
      return false;
  }
}

}  // namespace headlight
