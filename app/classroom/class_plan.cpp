#include "app/classroom/class_plan.h"

#include <QDialogButtonBox>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/classroom/lesson_text.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr QSize kPlanSize(620, 640);

// The plan of the course, then what each lesson says to the teacher.
RichText plan_of(const Course& course, const std::string& language) {
  RichText all;
  for (const std::string& wanted : {language, std::string(kLessonLanguages[0])})
    if (const auto words = course.words.find(wanted); words != course.words.end() && all.empty())
      all = words->second.plan;
  for (const ListedLesson& each : course.lessons) {
    try {
      const std::shared_ptr<const Lesson> lesson = read_lesson(each.folder);
      const LessonWords& words = lesson->in(language);
      if (words.teacher.empty()) continue;
      all.push_back(words_block(words.title, true));
      all.insert(all.end(), words.teacher.begin(), words.teacher.end());
    } catch (const Error&) {  // opening it says what is wrong
    }
  }
  return all;
}

}  // namespace

ClassPlan::ClassPlan(const Course& course, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("class_plan"));
  setAttribute(Qt::WA_DeleteOnClose);
  const std::string language = lesson_language().toStdString();
  std::map<std::string, std::string> titles;
  for (const auto& [each, words] : course.words) titles[each] = words.title;
  setWindowTitle(tr("Class plan: %1").arg(from_utf8(in_language(titles, language))));
  resize(kPlanSize);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* body = new QWidget;
  auto* text = new LessonText(body);
  QVBoxLayout* column = column_in(body, space::kSmall);
  column->addWidget(text);
  column->addStretch(1);
  scroll->setWidget(body);
  text->set_words(plan_of(course, language), nullptr, type::kText);
  connect(text, &LessonText::followed, this, &ClassPlan::followed);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  QVBoxLayout* rows = column_in(this, space::kMedium);
  rows->setContentsMargins(space::kMargin, space::kMargin, space::kMargin, space::kMargin);
  rows->addWidget(scroll, 1);
  rows->addWidget(buttons);
}

}  // namespace headlight
