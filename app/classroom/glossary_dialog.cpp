#include "app/classroom/glossary_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "app/classroom/lesson_text.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

TextSpan span_of(const std::string& text, const std::string& link = {}) {
  TextSpan span;
  span.text = text;
  span.link = link;
  return span;
}

}  // namespace

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent), title_(new LessonText(this)), text_(new LessonText(this)), used_(new LessonText(this)) {
  setObjectName(QStringLiteral("glossary"));
  QVBoxLayout* rows = column_in(this, space::kMedium);
  rows->setContentsMargins(space::kMargin, space::kMargin, space::kMargin, space::kMargin);
  for (LessonText* each : {title_, text_, used_}) {
    rows->addWidget(each);
    connect(each, &LessonText::followed, this, &GlossaryDialog::followed);
  }
  rows->addStretch(1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  rows->addWidget(buttons);
  const double scale = Theme::instance().font_scale();
  resize(static_cast<int>(440 * scale), static_cast<int>(300 * scale));
  retranslates(this, [this] {
    for (const GlossaryEntry& each : glossary_in(lesson_language().toStdString()))
      if (from_utf8(each.id) == entry_) write_entry(each);
  });
}

void GlossaryDialog::show_entry(const GlossaryEntry& entry) {
  write_entry(entry);
  show();
  raise();
}

void GlossaryDialog::write_entry(const GlossaryEntry& entry) {
  entry_ = from_utf8(entry.id);
  const std::string language = lesson_language().toStdString();
  TextBlock used;
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons) {
      if (!lesson.terms.contains(entry.id)) continue;
      used.spans.push_back(span_of(used.spans.empty() ? tr("In the lessons: ").toStdString() : "; "));
      used.spans.push_back(span_of(in_language(lesson.title, language), "lesson:" + lesson.name));
    }
  setWindowTitle(from_utf8(entry.title));
  title_->set_words({words_block(entry.title)}, nullptr, type::kQuestion, true);
  text_->set_words(entry.text, nullptr, type::kText);
  used_->set_words(used.spans.empty() ? RichText() : RichText{used}, nullptr, type::kSource);
}

QString GlossaryDialog::words() const { return title_->words() + '\n' + text_->words() + '\n' + used_->words(); }

}  // namespace headlight
