// The fields of answers that are typed: a number, with a slider; a text.
#pragma once

#include "app/classroom/answers/lesson_answers.h"

namespace headlight {

AnswerField* make_number_field(const LessonAnswer& answer, QWidget* parent);
int decimals_of(double step);  // that a number of so many steps needs
AnswerField* make_text_field(const LessonAnswer& answer, QWidget* parent);

}  // namespace headlight
