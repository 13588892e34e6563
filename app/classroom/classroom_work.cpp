// What the classroom computes beside the window: a step's facts, an answer's worth, whether something is done.

#include <QTextDocument>

#include "app/classroom/classroom_facts.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lesson_text.h"
#include "app/classroom/lesson_vote.h"
#include "app/classroom/training/lesson_training.h"
#include "app/language.h"
#include "widgets/base/focus.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/output_text.h"

namespace headlight {

QString claim_text(const Expectation& each, const StepWords& words) {
  const auto found = words.claims.find(each.claim);
  return from_utf8(found == words.claims.end() ? each.that.text() : plain_text(found->second));
}

// Those that are known in this scope.
std::map<std::string, ExpressionValue> values_in(const LessonStep& step, const ExpressionScope& scope,
                                                 const CancelToken& cancel) {
  std::map<std::string, ExpressionValue> values;
  for (const NamedExpression& each : step.values) {
    try {
      values[each.name] = each.expression.evaluate(scope, cancel);
    } catch (const Error&) {
    }
  }
  return values;
}

// `of_chart`: of the conditions that ask for its values, else of the others: a chart is there later.
FoundConditions failing_in(const LessonStep& step, const ExpressionScope& scope, bool of_chart,
                           const CancelToken& cancel) {
  FoundConditions failed;
  for (const Expectation& each : step.expect) {
    if (each.that.named_in("y").empty() == of_chart) continue;
    const Checked checked = check_condition(each.that, scope, cancel);
    if (checked.outcome != Checked::Outcome::holds) failed.emplace_back(&each, checked);
  }
  return failed;
}

namespace {

// A word that is asked for is not written yet, and so are those behind it: where a model writes one after the other,
// and nothing of them is to be clicked.
void close_what_follows(Classroom::Facts& facts, const LessonStep& step, const Result& result) {
  const LessonAnswer& answer = step.answer;
  const bool clicked =
      answer.kind == LessonAnswer::Kind::cells || (answer.kind == LessonAnswer::Kind::tokens && answer.of_output);
  const bool in_turn = !guesses_hidden_words(result) && !result.model->text.answers && !result.model->on_top;
  std::vector<int>& closed = facts.closed.at;
  if (!step.asks() || facts.closed.of != Places::Of::output || closed.empty() || clicked || !in_turn) return;
  const int first = *std::ranges::min_element(closed), all = static_cast<int>(result.steps.size());
  closed.clear();
  for (int each = first; each < all; ++each) closed.push_back(each);
}

// What the step itself speaks of is not closed.
void drop_shown(std::vector<int>& later, const std::optional<ExpressionValue>& spot,
                const std::optional<ExpressionValue>& select) {
  for (const auto& each : {spot, select}) {
    const auto* places = each ? std::get_if<Places>(&*each) : nullptr;
    if (!places) continue;
    const auto shown = [&](int step) {
      return std::ranges::any_of(places->cells, [step](const auto& cell) { return cell.first == step; }) ||
             (places->of == Places::Of::output && std::ranges::find(places->at, step) != places->at.end());
    };
    std::erase_if(later, shown);
  }
}

bool is_output(const std::optional<ExpressionValue>& value) {
  const auto* target = value ? std::get_if<LinkTarget>(&*value) : nullptr;
  return target && target->kind == LinkTarget::Kind::part && (target->name == "output" || target->name == "column");
}

// The light of a question comes with the answer; links are there before.
bool tells_output(const Lesson& lesson, int at, const std::optional<ExpressionValue>& spot) {
  const auto step = static_cast<std::size_t>(at);
  if (!lesson.steps[step].asks() && is_output(spot)) return true;
  for (const TextBlock& block : lesson.words.front().steps[step].text)
    for (const TextSpan& span : block.spans)
      if (span.link == "part(\"output\")" || span.link == "part(\"column\")") return true;
  return false;
}

}  // namespace

std::shared_ptr<const Classroom::Facts> Classroom::facts_of(LessonRuns& runs, int step, const CancelToken& cancel) {
  runs.set_cancel(cancel);
  auto facts = std::make_shared<Facts>();
  facts->step = step;
  const LessonStep& here = runs.lesson().steps[static_cast<std::size_t>(step)];
  try {
    ExpressionScope scope = runs.scope(step);
    facts->document = scope.document;
    if (scope.selection) facts->selection = *scope.selection;
    const auto tried = [&](const Expression& expression, std::optional<ExpressionValue>& to) {
      try {
        if (!expression.empty()) to = expression.evaluate(scope, cancel);
      } catch (const Error&) {
      }
    };
    if (scope.run) {
      facts->output = from_utf8(scope.run->result()->output);
      facts->answers = AnswerFacts::of(*scope.run->result());
    }
    facts->training = runs.training(training_step(runs.lesson(), step));
    if (here.trains()) {
      facts->training_before = runs.training_before(step);
      if (here.answer.kind == LessonAnswer::Kind::curve)
        facts->answers = AnswerFacts::of_curve(static_cast<double>(scope.training->run().reads), here.answer.points);
    }
    tried(here.select, facts->select);
    tried(here.spotlight, facts->spot);
    std::optional<ExpressionValue> closed, over, weights;
    tried(here.closed, closed);
    tried(here.answer.over, over);
    tried(here.answer.weights, weights);
    if (closed && std::holds_alternative<Places>(*closed)) facts->closed = std::get<Places>(*closed);
    if (over && std::holds_alternative<Places>(*over)) facts->answers.over = std::get<Places>(*over);
    if (weights && std::holds_alternative<NumberList>(*weights))
      facts->answers.weights = std::get<NumberList>(*weights);
    if (here.asks()) facts->truth = true_answer(runs, step);
    if (scope.run) close_what_follows(*facts, here, *scope.run->result());
    facts->later = runs.asked_later(step);
    drop_shown(facts->later, facts->spot, facts->select);
    facts->tells_output = tells_output(runs.lesson(), step, facts->spot);
    for (const NamedExpression& each : here.values) {
      std::optional<ExpressionValue> value;
      if (here.kind != LessonStep::Kind::chart || each.expression.named_in("y").empty()) tried(each.expression, value);
      if (value) facts->values[each.name] = *value;
    }
    facts->failed = failing_in(here, scope, false, cancel);
  } catch (const Error& error) {
    facts->problem = QString::fromUtf8(error.what());
  }
  return facts;
}

void Classroom::answer(bool known) {
  if (!asks() || !facts_ || !facts_->truth || !panel_->answer_field()) return;
  given_ = known ? panel_->answer_field()->value() : std::nullopt;
  if (known && !given_) return;
  thread_.start(
      [this, runs = runs_, step = step_, given = given_](const CancelToken& cancel) -> BackgroundThread::Delivery {
        runs->set_cancel(cancel);
        ExpressionScope scope = runs->scope(step);
        scope.answer = given;
        const LessonStep& here = runs->lesson().steps[static_cast<std::size_t>(step)];
        return [this, given, values = values_in(here, scope, cancel)] { show_answer(given, values); };
      });
}

void Classroom::show_answer(const std::optional<ExpressionValue>& given, const Values& found) {
  if (!lesson_ || revealed_) return;
  revealed_ = true;
  given_ = given;
  told_ = found;
  progress_.answer(name_, tell_answer());
  if (const RoomVote* counted = progress_.find(name_)->vote(from_utf8(here().id), room_); counted && presenting_)
    keep_vote(std::map(counted->hands));
  if (facts_->spot) want_number(*facts_->spot);
  if (facts_->training) training_->reveal();
  spot_ = true;
  overlay_->light_up();
  free_keyboard();
  emit revealed(step_);
}

GivenAnswer Classroom::tell_answer() {
  const KeepKeyboard keyboard(panel_, [this] { return panel_->next_stop(); });
  const StepWords& words = this->words();
  const QString mine = given_ ? answer_text(*given_, here(), words, facts_->answers) : QString();
  const QString truth = answer_text(*facts_->truth, here(), words, facts_->answers);
  const QString distance = given_ ? distance_text(*given_, *facts_->truth, here(), facts_->answers) : QString();
  Values values = told_;
  if (given_) values["answer"] = mine.toStdString();
  panel_->answer_field()->reveal(*facts_->truth, given_.has_value());
  panel_->reveal(mine, truth, distance, value_of(values), right_choice().toStdString());
  panel_->set_notes(notes_);
  QTextDocument asked;
  return {from_utf8(here().id),
          write_words(asked, words.question, value_of(told_), type::kText),
          mine,
          truth,
          distance,
          panel_->hints_shown(),
          given_ ? worth_of(*given_, *facts_->truth, here(), facts_->answers) : Worth::unsaid};
}

// Of what a room votes on, once it is told; else empty.
QString Classroom::right_choice() const {
  return revealed_ && facts_ && facts_->truth ? LessonVote::right_of(here(), *facts_->truth) : QString();
}

// Each run is looked at, while something is to be done or the learner has left the rails.
void Classroom::look() {
  if (!lesson_ || !facts_ || !window_.runs->result()) return;
  const bool acts = here().kind == LessonStep::Kind::act && !revealed_;
  const bool general = exploring() && std::ranges::any_of(here().expect, &Expectation::general);
  if (!acts && !general) return;
  if (thread_.busy()) {
    look_again_ = true;
    return;
  }
  look_again_ = false;
  thread_.start([this, runs = runs_, step = step_, acts, general, document = window_.runs->session().document(),
                 selection = window_.selection->state(),
                 result = window_.runs->result()](const CancelToken& cancel) -> BackgroundThread::Delivery {
    runs->set_cancel(cancel);
    const LessonStep& now = runs->lesson().steps[static_cast<std::size_t>(step)];
    bool done = false;
    Values values;
    FoundConditions checked;
    // The result of a run that the document has left behind says nothing of it.
    if (result->inputs() == document.inputs()) {
      const ExpressionScope scope = runs->scope(step, document, selection, result);
      done = acts && check_condition(now.done, scope, cancel).outcome == Checked::Outcome::holds;
      if (done) {
        values = values_in(now, scope, cancel);
        for (const Expectation& each : now.then) checked.emplace_back(&each, check_condition(each.that, scope, cancel));
      } else if (general) {
        for (const Expectation& each : now.expect)
          if (each.general) checked.emplace_back(&each, check_condition(each.that, scope, cancel));
      }
    }
    return [this, step, done, values = std::move(values), checked = std::move(checked)] {
      if (!lesson_ || step != step_) return;
      const StepWords& words = lesson_->in(lesson_language().toStdString()).steps[static_cast<std::size_t>(step)];
      QStringList notes;
      for (const auto& [expectation, found] : checked) {
        const QString claim = claim_text(*expectation, words);
        if (found.outcome == Checked::Outcome::absent)
          notes << tr("Cannot be asked of this text: %1").arg(claim);
        else if (found.outcome == Checked::Outcome::fails)
          notes << tr("Not so here: %1 (%2)").arg(claim, from_utf8(found.found));
        else if (!done)
          notes << tr("Also here: %1").arg(claim);
      }
      if (done && !revealed_) tell_done(values);
      panel_->set_notes(notes);
      if (look_again_) QMetaObject::invokeMethod(this, &Classroom::look, Qt::QueuedConnection);
    };
  });
}

void Classroom::tell_done(const Values& values) {
  revealed_ = true;
  told_ = values;
  panel_->set_done(value_of(values));
  emit revealed(step_);
}

}  // namespace headlight
