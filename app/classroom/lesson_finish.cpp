#include "app/classroom/lesson_finish.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/text_button.h"
#include "widgets/base/tokens.h"

namespace headlight {

LessonFinish::LessonFinish(const FinishedLesson& lesson, QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("lesson_finish"));
  column_in(this, space::kSmall);
  add_line(tr("You are through."), type::kTitle, true);
  const auto is = [](Worth worth) {
    return [worth](const FinishedLesson::Asked& each) { return each.worth == worth; };
  };
  const auto right = std::ranges::count_if(lesson.asked, is(Worth::right)),
             close = std::ranges::count_if(lesson.asked, is(Worth::close));
  if (!lesson.asked.empty()) {
    QString sum = tr("%1 of %2 answers were right.").arg(right).arg(lesson.asked.size());
    if (close > 0) sum += QLatin1Char(' ') + (close == 1 ? tr("One was close.") : tr("%1 were close.").arg(close));
    add_line(sum, type::kText);
  }
  for (const auto& each : lesson.asked)
    if (each.worth == Worth::right) add_line(QStringLiteral("✓ ") + each.question, type::kText);
  for (const auto& each : lesson.asked)
    if (each.worth == Worth::close)
      add_line(QStringLiteral("≈ ") + each.question + QLatin1Char(' ') + each.distance, type::kText);
  const auto open = std::ranges::count_if(
      lesson.asked, [](const auto& each) { return each.worth == Worth::wrong || each.worth == Worth::unsaid; });
  if (open > 0) add_line(tr("Once more, if you like:"), type::kText, true);
  for (const auto& each : lesson.asked) {
    if (each.worth == Worth::right || each.worth == Worth::close) continue;
    const QString second = each.worth == Worth::wrong ? each.distance : tr("Not answered yet.");
    add_button(each.question, second, QStringLiteral("again_%1").arg(each.step), each.step);
  }
  if (!lesson.next.isEmpty()) {
    add_line(tr("The next lesson:"), type::kText, true);
    add_button(lesson.next, tr("%1 minutes").arg(lesson.minutes), QStringLiteral("next_lesson"), -1);
  }
  setAccessibleName(said_.value(0));
  setAccessibleDescription(words());
}

void LessonFinish::add_line(const QString& text, double size, bool strong) {
  QLabel* label = text_label(this);
  label->setText(text);
  label->setFont(strong ? strong_font(size) : Theme::instance().ui_font(size));
  layout()->addWidget(label);
  said_ << text;
}

// To a step that may be tried again; a negative one: to the next lesson.
void LessonFinish::add_button(const QString& first, const QString& second, const QString& name, int step) {
  auto* button = new TextButton(this);
  button->setObjectName(name);
  button->set_lines(first, second);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  button->set_wrapped();
  layout()->addWidget(button);
  said_ << first + QStringLiteral(" (") + second + QLatin1Char(')');
  connect(button, &TextButton::clicked, this, [this, step] { step < 0 ? emit nextWanted() : emit again(step); });
}

}  // namespace headlight
