#include "app/classroom/lessons_list.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_progress.h"
#include "app/parts.h"
#include "app/stage/start_item.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"
#include "widgets/base/focus.h"
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

LessonsDialog::LessonsDialog(LessonProgress* progress, QWidget* parent) : QDialog(parent), progress_(progress) {
  setObjectName(QStringLiteral("lessons"));
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

void LessonsDialog::fill() {
  const KeepKeyboard keyboard(this);
  auto* rows = static_cast<QVBoxLayout*>(body_->layout());
  while (QLayoutItem* item = rows->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  forget_->setEnabled(!progress_->all().empty());
  const std::string language = lesson_language().toStdString();
  for (const Course& course : courses()) {
    const auto words = course.words.contains(language) ? course.words.find(language) : course.words.begin();
    if (words != course.words.end()) {
      if (rows->count() > 0) rows->addSpacing(space::kMargin);  // a course is a part by itself
      QLabel* title = text_label(body_);
      title->setFont(strong_font(type::kQuestion));
      title->setText(from_utf8(words->second.title));
      rows->addWidget(title);
      QLabel* summary = text_label(body_);
      summary->setText(from_utf8(words->second.summary));
      set_ink(summary, &Tokens::ink2);
      rows->addWidget(summary);
    }
    for (const ListedLesson& lesson : course.lessons) {
      const LessonRecord* record = progress_->find(from_utf8(lesson.name));
      QString state = tr("%1 minutes, %2 steps").arg(lesson.minutes).arg(lesson.steps);
      if (record && record->finished)
        state = QStringLiteral("✓ ") + tr("done");
      else if (record && record->step > 0)
        state = tr("go on at step %1 of %2").arg(record->step + 1).arg(lesson.steps);
      auto* button = row(body_, title_of(lesson),
                         state + QStringLiteral(" · ") + from_utf8(in_language(lesson.summary, language)));
      button->setObjectName(from_utf8(lesson.name));
      rows->addWidget(button);
      connect(button, &TextButton::clicked, this, [this, name = from_utf8(lesson.name)] {
        close();
        emit chosen(name);
      });
    }
  }
  rows->addStretch(1);
}

}  // namespace headlight
