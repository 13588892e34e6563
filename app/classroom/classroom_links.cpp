// Where the words of a lesson lead: links into the window and the glossary, paper.

#include <QScopeGuard>
#include <QTextDocument>

#include "app/classroom/classroom_facts.h"
#include "app/classroom/glossary_dialog.h"
#include "app/classroom/lesson_finish.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lesson_text.h"
#include "app/classroom/paper/lesson_paper.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

void Classroom::show_target(const ExpressionValue& value) {
  if (const auto* places = std::get_if<Places>(&value)) {
    window_.selection->set(selected(*places));
  } else if (const auto* target = std::get_if<LinkTarget>(&value)) {
    if (target->kind == LinkTarget::Kind::site)
      want_number(value);
    else if (target->kind != LinkTarget::Kind::part)
      window_.panels->raise(from_utf8(target->name));
  }
}

void Classroom::want_number(const ExpressionValue& value) {
  const auto* target = std::get_if<LinkTarget>(&value);
  if (!target || target->kind != LinkTarget::Kind::site) return;
  number_ = *target;
  open_number();
}

// Only in the run of what the window shows; an older one has other numbers.
void Classroom::open_number() {
  if (!number_ || !window_.runs->result() || exploring()) return;
  const Document& document = window_.runs->session().document();
  const Result& run = *window_.runs->result();
  RunInputs read = run.inputs();
  if (read.chat) read.source = document.source;  // of a result it is what the template wrote
  if (!document.model || run.model->name != document.model->name || !(read == document.inputs())) return;
  const LinkTarget target = *std::exchange(number_, std::nullopt);
  layout_shown_.clear();  // the panel may open; the next step has the layout that it asks for
  window_.panels->raise(QStringLiteral("inspector"));
  // The panel chooses something when it opens: a token that the words do not mean.
  window_.selection->set({});
  if (facts_ && facts_->select && std::holds_alternative<Places>(*facts_->select)) show_target(*facts_->select);
  window_.views->open_cell(target.name, std::max(0L, target.cell));
}

void Classroom::show_word(const QString& id) {
  for (const GlossaryEntry& entry : glossary_in(lesson_language().toStdString())) {
    if (entry.id != id.toStdString()) continue;
    if (!glossary_) {
      glossary_ = new GlossaryDialog(window_.window);
      glossary_->setAttribute(Qt::WA_DeleteOnClose);
      connect(glossary_, &GlossaryDialog::followed, this, &Classroom::follow);
    }
    return glossary_->show_entry(entry);
  }
}

void Classroom::follow(const QString& link) {
  if (link.startsWith(QLatin1String("word:"))) return show_word(link.mid(5));
  if (link.startsWith(QLatin1String("lesson:"))) {
    if (glossary_) glossary_->close();
    if (window_.panels->arrangement() == QLatin1String(Arrangements::kStart))
      window_.panels->arrange(QStringLiteral("look"));
    try {
      return open(load_bundled_lesson(bytes_of(link.mid(7))));
    } catch (const Error& error) {
      emit failed(QString::fromUtf8(error.what()));
      return;
    }
  }
  if (!lesson_) return;
  if (link.startsWith(QLatin1String("step:"))) return go(lesson_->step(link.mid(5).toStdString()));
  if (!facts_ || thread_.busy()) return;
  thread_.start([this, runs = runs_, step = step_,
                 text = link.toStdString()](const CancelToken& cancel) -> BackgroundThread::Delivery {
    runs->set_cancel(cancel);
    std::optional<ExpressionValue> found;
    try {
      found = Expression(text).evaluate(runs->scope(step), cancel);
    } catch (const Error&) {
    }
    return [this, found] {
      if (!found || !lesson_ || !facts_) return;
      auto changed = std::make_shared<Facts>(*facts_);
      changed->spot = found;
      facts_ = changed;
      if (std::holds_alternative<LinkTarget>(*found)) show_target(*found);
      spot_ = true;
      overlay_->light_up();
    };
  });
}

void Classroom::finish() {
  at_end_ = true;
  const std::string language = lesson_language().toStdString();
  const LessonWords& words = lesson_->in(language);
  const LessonRecord* record = progress_.find(name_);
  FinishedLesson made;
  for (std::size_t i = 0; i < lesson_->steps.size(); ++i) {
    if (!lesson_->steps[i].asks()) continue;
    QTextDocument told;  // of another step: its values are not known here
    const auto left_out = [](const TextSpan&) { return std::optional<std::string>("…"); };
    FinishedLesson::Asked asked{
        static_cast<int>(i), write_words(told, words.steps[i].question, left_out, type::kText), {}, Worth::unsaid};
    if (record)
      for (const GivenAnswer& given : record->answers)
        if (given.step.toStdString() == lesson_->steps[i].id) {
          asked.worth = given.worth;
          asked.distance = given.distance;
        }
    made.asked.push_back(asked);
  }
  const std::optional<LessonPlace> next = comes(1);
  for (const Course& course : courses())
    for (const ListedLesson& each : course.lessons)
      if (next && from_utf8(each.name) == next->lesson) {
        made.next = from_utf8(in_language(each.title, language));
        made.minutes = each.minutes;
      }
  panel_->show_finish(made);
}

// "sheet-answers.pdf" of "sheet.pdf".
QString Classroom::key_path(QString path) {
  if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) path.chop(4);
  return path + tr("-answers") + QStringLiteral(".pdf");
}

void Classroom::print(Print what, const QString& path, const QString& name) {
  const std::shared_ptr<const Lesson> lesson = name.isEmpty() ? lesson_ : load_lesson(bytes_of(name));
  if (!lesson) return;
  if (what == Print::my_answers) {
    const LessonRecord* record = progress_.find(name_);
    if (!record || record->answers.empty())
      throw UsageError(tr("Nothing was answered in this lesson yet.").toStdString());
  }
  Theme& theme = Theme::instance();
  const Theme::Mode mode = theme.mode();
  const double scale = theme.font_scale();
  theme.set(Theme::Mode::light, 1);
  const auto back = qScopeGuard([&] { theme.set(mode, scale); });
  if (what == Print::my_answers)
    return write_my_answers({*progress_.find(name_), lesson_.get(), lesson_language().toStdString()}, path);
  LessonRuns runs(lesson);
  if (lesson == lesson_)
    for (const auto& [at, made] : charts_) runs.keep(at, made->chart);
  const LessonPaper paper{&runs, lesson_language().toStdString()};
  if (what == Print::slides) return write_slides(paper, path);
  write_worksheet(paper, path, false);
  write_worksheet(paper, key_path(path), true);
}

}  // namespace headlight
