#include "app/classroom/lessons_list.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/classroom/class_plan.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_progress.h"
#include "app/messages.h"
#include "app/parts.h"
#include "app/stage/start_item.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"
#include "widgets/base/focus.h"
#include "widgets/base/style.h"
#include "widgets/base/text_button.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

QString title_of(const ListedLesson& lesson) {
  return from_utf8(in_language(lesson.title, lesson_language().toStdString()));
}

TextButton* row(QWidget* parent, const QString& first, const QString& second) {
  auto* button = new TextButton(parent);
  button->set_lines(first, second);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  button->set_wrapped();
  return button;
}

}  // namespace

LessonsColumn::LessonsColumn(const LessonProgress* progress, QWidget* parent)
    : QWidget(parent), progress_(progress), rows_(column_in(this, space::kTight)) {
  setObjectName(QStringLiteral("lessons_column"));
}

void LessonsColumn::refresh() {
  if (isVisible()) fill();
}

void LessonsColumn::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fill();
}

void LessonsColumn::fill() {
  const KeepKeyboard keyboard(this);
  while (QLayoutItem* item = rows_->takeAt(0)) {  // one of them may be what was just clicked
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  int count = 0;
  const ListedLesson *first = nullptr, *next = nullptr, *latest = nullptr;
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons) {
      ++count;
      const LessonRecord* record = progress_->find(from_utf8(lesson.name));
      if (!first) first = &lesson;
      if (!next && !(record && record->finished)) next = &lesson;
      if (progress_->latest() == from_utf8(lesson.name)) latest = &lesson;
    }
  const auto add = [this](const ListedLesson& lesson, const QString& below) {
    auto* item = new StartItem(title_of(lesson), below, this);
    item->setObjectName(from_utf8(lesson.name));
    connect(item, &StartItem::clicked, this, [this, name = from_utf8(lesson.name)] { emit chosen(name); });
    rows_->addWidget(item);
    item->show();  // the layout counts what is shown only
  };
  if (latest)
    add(*latest,
        tr("go on at step %1 of %2").arg(progress_->find(from_utf8(latest->name))->step + 1).arg(latest->steps));
  else if (next)
    add(*next, (next == first ? tr("first lesson, %1 minutes") : tr("%1 minutes")).arg(next->minutes));
  auto* all = new StartItem(tr("All courses"), tr("%1 courses, %2 lessons").arg(courses().size()).arg(count), this);
  all->setObjectName(QStringLiteral("all_lessons"));
  connect(all, &StartItem::clicked, this, &LessonsColumn::allWanted);
  rows_->addWidget(all);
  all->show();
}

LessonsDialog::LessonsDialog(LessonProgress* progress, QWidget* parent)
    : QDialog(parent), progress_(progress), language_(new QComboBox(this)) {
  setObjectName(QStringLiteral("lessons"));
  language_->setObjectName(QStringLiteral("lessons_language"));
  language_->setAccessibleName(tr("Language of the lessons"));
  connect(language_, &QComboBox::activated, this, [this] {
    emit languageChosen(language_->currentData().toString());
    fill();
  });
  setWindowTitle(tr("Lessons"));
  resize(720, 620);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(space::kMargin, space::kMargin, space::kMargin, space::kMargin);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);  // its rows are the stops
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  body_ = new QWidget;
  scroll->setWidget(body_);
  rows->addWidget(language_, 0, Qt::AlignLeft);
  rows->addWidget(scroll, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* folder = buttons->addButton(tr("Open a lesson folder…"), QDialogButtonBox::ActionRole);
  forget_ = buttons->addButton(tr("Delete answers and progress…"), QDialogButtonBox::ActionRole);
  forget_->setObjectName(QStringLiteral("forget_lessons"));
  rows->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(folder, &QPushButton::clicked, this, [this] {
    close();
    emit folderWanted();
  });
  connect(forget_, &QPushButton::clicked, this, [this] {
    ask_to_lose(this,
                {tr("Delete all answers, votes of the room and how far you came? They cannot be brought back."),
                 titles_begun().join(QLatin1Char('\n')), tr("&Delete")},
                [this] {
                  progress_->clear();
                  fill();
                });
  });
  column_in(body_, space::kSmall);
  fill();
  if (auto* first = body_->findChild<TextButton*>()) first->setFocus(Qt::OtherFocusReason);
}

QStringList LessonsDialog::titles_begun() const {
  QStringList titles;
  for (const auto& [name, record] : progress_->all()) titles << (record.title.isEmpty() ? name : record.title);
  return titles;
}

// "5 minutes, 9 steps", with how far one has come in front.
QString LessonsDialog::state_of(const QString& name, int minutes, int steps) const {
  const LessonRecord* record = progress_->find(name);
  const QString size = tr("%1 minutes, %2 steps").arg(minutes).arg(steps);
  if (record && record->finished) return QStringLiteral("✓ ") + tr("done") + QStringLiteral(" · ") + size;
  if (record && record->step > 0)
    return tr("go on at step %1 of %2").arg(record->step + 1).arg(steps) + QStringLiteral(" · ") +
           tr("%1 minutes").arg(minutes);
  return size;
}

void LessonsDialog::choose(const QString& lesson) {
  close();
  emit chosen(lesson);
}

// A lesson, and behind it what a teacher does with it.
QMenu* LessonsDialog::add_row(TextButton* button, const QString& title, const QString& lesson) {
  auto* line = new QWidget(body_);
  QHBoxLayout* row = row_in(line, space::kTight);
  row->addWidget(button, 1);
  connect(button, &TextButton::clicked, this, [this, lesson] { choose(lesson); });
  QToolButton* more = sign_button(line, Sign::more);
  more->setObjectName(QStringLiteral("for_teacher_") + lesson);
  more->setFocusPolicy(Qt::StrongFocus);
  more->setPopupMode(QToolButton::InstantPopup);
  describe(more, tr("For the teacher: %1").arg(title), tr("Worksheet, answers and slides of this lesson"));
  auto* menu = new QMenu(more);
  menu->addAction(tr("Worksheet and answers…"), this, [this, lesson] { emit worksheetWanted(lesson); });
  menu->addAction(tr("Slides…"), this, [this, lesson] { emit slidesWanted(lesson); });
  more->setMenu(menu);
  row->addWidget(more, 0, Qt::AlignTop);
  body_->layout()->addWidget(line);
  return menu;
}

void LessonsDialog::add_title(const QString& title, const QString& summary, const Course* course) {
  auto* rows = static_cast<QVBoxLayout*>(body_->layout());
  if (rows->count() > 0) rows->addSpacing(space::kMargin);  // a course is a part by itself
  auto* line = new QWidget(body_);
  QHBoxLayout* row = row_in(line, space::kSmall);
  QLabel* label = text_label(line);
  label->setFont(strong_font(type::kQuestion));
  label->setText(title);
  row->addWidget(label, 1);
  if (course && !course->words.empty()) {
    auto* plan = new QPushButton(tr("Class plan"), line);
    plan->setObjectName(QStringLiteral("plan_") + from_utf8(course->name));
    plan->setAutoDefault(false);
    plan->setToolTip(tr("Minutes, typical answers, and what each lesson says to its teacher"));
    connect(plan, &QPushButton::clicked, this, [this, course] {
      auto* window = new ClassPlan(*course, this);
      connect(window, &ClassPlan::followed, this, [this](const QString& target) {
        close();
        emit followed(target);
      });
      window->open();
    });
    row->addWidget(plan, 0, Qt::AlignTop);
  }
  rows->addWidget(line);
  QLabel* below = text_label(body_);
  below->setText(summary);
  set_ink(below, &Tokens::ink2);
  rows->addWidget(below);
}

void LessonsDialog::add_lesson(const ListedLesson& lesson) {
  const QString name = from_utf8(lesson.name), title = title_of(lesson);
  auto* button = row(body_, title,
                     state_of(name, lesson.minutes, lesson.steps) + QStringLiteral(" · ") +
                         from_utf8(in_language(lesson.summary, lesson_language().toStdString())));
  button->setObjectName(name);
  add_row(button, title, name);
}

void LessonsDialog::add_own(const OwnLesson& own) {
  QString title = own.title, state;
  bool there = true;
  try {
    const std::shared_ptr<const Lesson> lesson = read_lesson(bytes_of(own.folder));
    title = from_utf8(lesson->in(lesson_language().toStdString()).title);
    state = state_of(from_utf8(lesson->name), lesson->minutes, static_cast<int>(lesson->steps.size()));
  } catch (const Error& error) {
    there = false;
    state = message_text(QString::fromUtf8(error.what()));
  }
  auto* button = row(body_, title, state + QStringLiteral(" · ") + message_text(own.folder));
  button->setObjectName(QStringLiteral("own_") + own.folder);
  button->setEnabled(there);
  QMenu* menu = add_row(button, title, own.folder);
  if (!there)
    for (QAction* each : menu->actions()) each->setEnabled(false);
  menu->addAction(tr("Forget this lesson"), this,
                  [this, folder = own.folder] {
                    // The menu that was chosen from goes with its row.
                    QMetaObject::invokeMethod(
                        this,
                        [this, folder] {
                          progress_->forget(folder);
                          fill();
                        },
                        Qt::QueuedConnection);
                  })
      ->setToolTip(tr("The folder stays as it is; it is not in this list any more."));
}

// Those of the courses, and of the lessons of one's own.
void LessonsDialog::fill_languages() {
  QStringList all;
  for (const std::string& each : course_languages()) all << from_utf8(each);
  for (const OwnLesson& own : progress_->own())
    for (const std::string& each : languages_in(bytes_of(own.folder)))
      if (!all.contains(from_utf8(each))) all << from_utf8(each);
  const QSignalBlocker block(language_);
  language_->clear();
  language_->addItem(tr("Lessons in the language of the window"), QString());
  for (const QString& each : all) language_->addItem(tr("Lessons in: %1").arg(language_name(each)), each);
  language_->setCurrentIndex(std::max(0, language_->findData(chosen_lesson_language())));
}

void LessonsDialog::fill() {
  const KeepKeyboard keyboard(this);
  auto* rows = static_cast<QVBoxLayout*>(body_->layout());
  while (QLayoutItem* item = rows->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  forget_->setEnabled(!progress_->all().empty());
  fill_languages();
  const std::string language = lesson_language().toStdString();
  for (const Course& course : courses()) {
    auto words = course.words.find(language);
    if (words == course.words.end()) words = course.words.find(kLessonLanguages[0]);
    if (words == course.words.end()) words = course.words.begin();
    if (words != course.words.end())
      add_title(from_utf8(words->second.title), from_utf8(words->second.summary), &course);
    for (const ListedLesson& lesson : course.lessons) add_lesson(lesson);
  }
  if (!progress_->own().empty())
    add_title(tr("Your own lessons"), tr("Folders that were opened; they stay where they are."), nullptr);
  for (const OwnLesson& own : progress_->own()) add_own(own);
  rows->addStretch(1);
}

}  // namespace headlight
