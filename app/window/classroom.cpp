#include "app/window/classroom.h"

#include <QApplication>
#include <QDateTime>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMessageBox>
#include <QMouseEvent>
#include <QVBoxLayout>

#include "app/language.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_list.h"
#include "app/window/lesson_overlay.h"
#include "app/window/lesson_panel.h"
#include "app/window/lesson_paper.h"
#include "app/window/main_window.h"
#include "app/window/name_row.h"
#include "app/window/output_column.h"
#include "app/window/panel_frame.h"
#include "app/window/source_bar.h"
#include "app/window/source_field.h"
#include "app/window/stage.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/token_text.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight {

namespace {

constexpr int kWide = 348, kClick = 400;  // pixels; milliseconds from a click to the selection that it makes
constexpr double kMostOfWindow = 0.3;

// What a condition says in the learner's language.
QString claim_text(const Expectation& each, const StepWords& words) {
  const auto found = words.claims.find(each.claim);
  return from_utf8(found == words.claims.end() ? each.that.text() : plain_text(found->second));
}

QRectF in(const QWidget* widget, const QWidget* stage) {
  if (!widget || !widget->isVisible()) return {};
  return QRectF(widget->mapTo(stage, QPoint()), widget->size());
}

}  // namespace

// What a step needs, computed beside the window.
struct Classroom::Facts {
  int step = 0;
  std::shared_ptr<const Document> document;
  SelectionState selection;
  std::optional<ExpressionValue> truth, spot, select;
  Places closed;
  Values values;
  std::vector<std::pair<const Expectation*, Checked>> failed;
  AnswerFacts answers;
  QString problem;
};

Classroom::Classroom(MainWindow* window, const QString& progress)
    : QObject(window), window_(window), progress_(progress), thread_([this](const QString& message, bool) {
        measuring_ = false;
        emit failed(message);
      }) {
  connect(window_, &MainWindow::resultShown, this, [this] { look(); });
  connect(&window_->selection(), &Selection::changed, this, [this](const SelectionState& state) {
    if (!lesson_) return;
    const bool click = clicked_.isValid() && clicked_.elapsed() < kClick;
    const bool cells = lesson_->steps[static_cast<std::size_t>(step_)].answer.kind == LessonAnswer::Kind::cells;
    if (asks() && panel_->answer_field() && (click || cells)) {
      panel_->answer_field()->pick(state.step, state.source_token);
      clicked_.invalidate();
    }
    look();
  });
}

Classroom::~Classroom() { thread_.stop(); }

void Classroom::make_widgets() {
  if (dock_) return;
  dock_ = new QDockWidget(window_);
  dock_->setObjectName(QStringLiteral("lesson_dock"));
  dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  dock_->setTitleBarWidget(new QWidget(dock_));
  panel_ = new LessonPanel(dock_);
  dock_->setWidget(panel_);
  window_->addDockWidget(Qt::LeftDockWidgetArea, dock_);
  QWidget* stage = window_->panels().stage();
  overlay_ = new LessonOverlay(stage);
  connect(panel_, &LessonPanel::next, this, &Classroom::next);
  connect(panel_, &LessonPanel::back, this, &Classroom::back);
  connect(panel_, &LessonPanel::chosen, this, &Classroom::go);
  connect(panel_, &LessonPanel::closed, this, &Classroom::close);
  connect(panel_, &LessonPanel::exploreToggled, this, [this] { explore(!exploring()); });
  connect(panel_, &LessonPanel::answered, this, &Classroom::answer);
  connect(panel_, &LessonPanel::followed, this, &Classroom::follow);
  connect(panel_, &LessonPanel::notesWanted, this, [this] {
    if (!notes_window_) {
      notes_window_ = new QDialog(window_);
      notes_window_->setObjectName(QStringLiteral("lesson_notes_window"));
      notes_window_->setAttribute(Qt::WA_DeleteOnClose);
      notes_window_->resize(420, 360);
      column_in(notes_window_, space::kSmall)
          ->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
      auto* text = new LessonText(notes_window_);
      notes_window_->layout()->addWidget(text);
      static_cast<QVBoxLayout*>(notes_window_->layout())->addStretch(1);
    }
    show_notes();
    notes_window_->show();
    notes_window_->raise();
  });
  connect(panel_, &LessonPanel::measureToggled, this, &Classroom::measure);
  overlay_->set_source([this] {
    LessonOverlay::Picture picture;
    if (!lesson_ || !facts_ || exploring()) return picture;
    const QWidget* ground = window_->panels().stage();
    AlignmentView* view = window_->views().alignment();
    const Heatmap* heatmap = view->heatmap();
    const AttentionMap* map = heatmap->isVisible() ? view->map_shown() : nullptr;
    const QPointF at = map ? QPointF(heatmap->mapTo(ground, QPoint())) : QPointF();
    const HeatmapLayout layout = map ? heatmap->heatmap_layout() : HeatmapLayout();
    const auto row_of = [&](int step) {
      for (std::size_t i = 0; map && i < map->rows.size(); ++i)
        if (map->rows[i].holds_step(step)) return static_cast<int>(i);
      return -1;
    };
    const auto column_of = [&](int token) {
      for (std::size_t i = 0; map && i < map->columns.size(); ++i)
        if (map->columns[i].holds_token(token)) return std::min(static_cast<int>(i), layout.columns - 1);
      return -1;
    };
    const auto cell = [&](int row, int column) { return layout.cell_rect(row, column).translated(at); };
    if (!revealed_ && !facts_->closed.at.empty()) {
      for (const int step : facts_->closed.at) {
        if (const int row = row_of(step); row >= 0) {
          picture.closed << cell(row, 0).united(cell(row, layout.columns - 1));
          QRectF name = layout.row_band(row).translated(at);
          name.setRight(picture.closed.last().left() - 1);
          picture.asked << name;
        }
        if (window_->views().column()->isVisible())
          for (const OutputColumn::Row& each : window_->views().column()->rows())
            if (each.step == step)
              picture.closed << each.rect.translated(window_->views().column()->mapTo(ground, QPoint()));
      }
      QString output;
      for (const auto& [step, text] : facts_->answers.output)
        output += std::ranges::find(facts_->closed.at, step) != facts_->closed.at.end() ? QStringLiteral("?") : text;
      picture.closed_output = output;
      picture.output = in(ground->findChild<QWidget*>(QStringLiteral("output")), ground);
    }
    const auto add = [&](QList<QRectF>& to, const Places& places) {
      for (const auto& [step, token] : places.cells)
        if (row_of(step) >= 0 && column_of(token) >= 0) to << cell(row_of(step), column_of(token));
      for (const int each : places.at) {
        const int row = places.of == Places::Of::output ? row_of(each) : -1;
        const int column = places.of == Places::Of::source ? column_of(each) : -1;
        if (row >= 0) to << cell(row, 0).united(cell(row, layout.columns - 1));
        if (column >= 0) to << layout.column_band(column).translated(at);
      }
    };
    if (panel_->answer_field() && map) {
      const std::optional<ExpressionValue> chosen = panel_->answer_field()->value();
      if (const auto* places = chosen ? std::get_if<Places>(&*chosen) : nullptr) add(picture.chosen, *places);
    }
    const bool asked = lesson_->steps[static_cast<std::size_t>(step_)].kind == LessonStep::Kind::predict;
    if (!spot_ || !facts_->spot || (asked && !revealed_)) return picture;
    if (const auto* places = std::get_if<Places>(&*facts_->spot)) add(picture.lit, *places);
    if (const auto* target = std::get_if<Target>(&*facts_->spot)) {
      const WindowPanels& panels = window_->panels();
      const QString name = from_utf8(target->name);
      const QWidget* widget = nullptr;
      if (target->kind == Target::Kind::view || target->kind == Target::Kind::panel)
        widget = panels.frame(name);
      else if (target->kind == Target::Kind::site)
        widget = panels.frame(QStringLiteral("inspector"));
      else if (name == QLatin1String("source"))
        widget = window_->views().source_bar()->source_field();
      else if (name == QLatin1String("names"))
        widget = panels.stage()->names();
      else if (name == QLatin1String("column"))
        widget = window_->views().column();
      else if (name == QLatin1String("picture"))
        widget = panels.stage()->slot(Slot::main);
      else if (name == QLatin1String("caption"))
        widget = &window_->status();
      else
        widget = ground->findChild<QWidget*>(name);
      if (const QRectF rect = in(widget, ground); !rect.isEmpty()) picture.lit << rect;
    }
    return picture;
  });
  qApp->installEventFilter(this);
  fit();
}

bool Classroom::eventFilter(QObject* watched, QEvent* event) {
  if (!lesson_) return QObject::eventFilter(watched, event);
  if (event->type() == QEvent::MouseButtonPress) {
    const auto* widget = qobject_cast<const QWidget*>(watched);
    if (widget && window_->panels().stage()->isAncestorOf(widget)) {
      clicked_.start();
      if (std::exchange(spot_, false)) overlay_->refresh();  // who works does not want the veil
    }
  } else if (event->type() == QEvent::Resize && watched == window_) {
    fit();
  }
  return QObject::eventFilter(watched, event);
}

void Classroom::fit() {
  if (!dock_) return;
  const double scale = Theme::instance().font_scale();
  const bool strip = presenting_ || window_->width() < kNarrow;
  const auto area = strip ? Qt::TopDockWidgetArea : Qt::LeftDockWidgetArea;
  if (window_->dockWidgetArea(dock_) != area) {
    window_->removeDockWidget(dock_);
    window_->addDockWidget(area, dock_);
    dock_->setVisible(lesson_ != nullptr);
  }
  panel_->set_strip(strip);
  panel_->setMinimumSize(0, 0);
  panel_->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
  if (strip)
    panel_->setFixedHeight(std::min(static_cast<int>(210 * scale), static_cast<int>(0.4 * window_->height())));
  else
    panel_->setFixedWidth(
        std::min(static_cast<int>(kWide * scale), static_cast<int>(kMostOfWindow * window_->width())));
}

void Classroom::open(const QString& name_or_folder, int step) {
  std::shared_ptr<const Lesson> lesson;
  try {
    lesson = load_lesson(bytes_of(name_or_folder));
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
    return;
  }
  if (!lesson_) {
    document_before_ =
        window_->session().document().model ? std::make_shared<const Document>(window_->session().document()) : nullptr;
    layout_before_ = window_->panels().save_state();
  }
  thread_.stop();
  make_widgets();
  lesson_ = lesson;
  runs_ = std::make_shared<LessonRuns>(lesson);
  name_ = from_utf8(lesson->name);
  const LessonRecord* record = progress_.find(name_);
  const int count = static_cast<int>(lesson->steps.size());
  if (step < 0) step = record && record->step + 1 < count ? record->step : 0;
  dock_->show();
  overlay_->show();
  fit();
  go(std::clamp(step, 0, count - 1));
}

void Classroom::close() {
  if (!lesson_) return;
  thread_.stop();
  lesson_.reset();
  runs_.reset();
  facts_.reset();
  measuring_ = false;
  layout_shown_.clear();
  dock_->hide();
  overlay_->hide();
  if (notes_window_) notes_window_->close();
  window_->panels().restore_state(layout_before_);
  if (document_before_) window_->start(*document_before_);
  emit changed();
}

bool Classroom::asks() const {
  return lesson_ && !revealed_ && !exploring() &&
         lesson_->steps[static_cast<std::size_t>(step_)].kind == LessonStep::Kind::predict;
}

bool Classroom::exploring() const { return panel_ && panel_->exploring(); }

void Classroom::set_presenting(bool on) {
  presenting_ = on;
  if (panel_) panel_->set_presenting(on);
  fit();
}

void Classroom::next() {
  if (!lesson_) return;
  if (step_ + 1 < static_cast<int>(lesson_->steps.size())) return go(step_ + 1);
  if (!presenting_) close();
}

void Classroom::back() {
  if (lesson_ && step_ > 0) go(step_ - 1);
}

std::function<std::optional<std::string>(const TextSpan&)> Classroom::value_of(Values values) const {
  return [values = std::move(values)](const TextSpan& span) -> std::optional<std::string> {
    const auto found = values.find(span.text);
    return found == values.end() ? std::nullopt : std::optional(value_text(found->second, span.decimals));
  };
}

void Classroom::go(int step) {
  if (!lesson_ || step < 0 || step >= static_cast<int>(lesson_->steps.size())) return;
  thread_.stop();
  measuring_ = false;
  step_ = step;
  revealed_ = false;
  given_.reset();
  facts_.reset();
  look_again_ = false;
  panel_->set_exploring(false);
  show_words();
  const std::string language = current_language().toStdString();
  progress_.reach(name_, from_utf8(lesson_->in(language).title), step, static_cast<int>(lesson_->steps.size()),
                  QDateTime::currentSecsSinceEpoch());
  thread_.start([this, runs = runs_, step](const CancelToken& cancel) -> BackgroundThread::Delivery {
    runs->set_cancel(cancel);
    auto facts = std::make_shared<Facts>();
    facts->step = step;
    const LessonStep& here = runs->lesson().steps[static_cast<std::size_t>(step)];
    try {
      ExpressionScope scope = runs->scope(step);
      facts->document = scope.document;
      if (scope.selection) facts->selection = *scope.selection;
      const auto tried = [&](const Expression& expression, std::optional<ExpressionValue>& to) {
        try {
          if (!expression.empty()) to = expression.evaluate(scope, cancel);
        } catch (const Error&) {
        }
      };
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
      if (scope.run) {
        const Result& result = *scope.run->result();
        for (std::size_t i = 0; i < result.tokens.size(); ++i)
          if (result.tokens[i].padding)
            facts->answers.blanks.push_back(static_cast<int>(i));
          else
            facts->answers.source.emplace_back(static_cast<int>(i), from_utf8(result.tokens[i].text));
        for (std::size_t i = 0; i < result.steps.size(); ++i)
          facts->answers.output.emplace_back(static_cast<int>(i), from_utf8(result.steps[i].text));
      }
      if (here.kind == LessonStep::Kind::predict) facts->truth = true_answer(*runs, step);
      for (const NamedExpression& each : here.values) {
        std::optional<ExpressionValue> value;
        if (here.kind != LessonStep::Kind::chart || each.expression.named_in("y").empty())
          tried(each.expression, value);
        if (value) facts->values[each.name] = *value;
      }
      for (const Expectation& each : here.expect) {
        if (!each.that.named_in("y").empty()) continue;  // of the chart, when it is there
        const Checked checked = check_condition(each.that, scope, cancel);
        if (checked.outcome != Checked::Outcome::holds) facts->failed.emplace_back(&each, checked);
      }
    } catch (const Error& error) {
      facts->problem = QString::fromUtf8(error.what());
    }
    return [this, facts = std::shared_ptr<const Facts>(facts)] { show_facts(facts); };
  });
  show_notes();
  emit changed();
}

void Classroom::show_views() {
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step_)];
  Arrangements wanted;
  if (!here.arrangement.empty()) wanted.current = from_utf8(here.arrangement);
  // The picture in front stays from step to step.
  for (int i = 0; i <= step_; ++i)
    if (const auto& each = lesson_->steps[static_cast<std::size_t>(i)]; !each.view.empty())
      wanted.front = from_utf8(each.view);
  Arrangement open = Arrangements::first(wanted.current);
  for (const std::string& each : here.side)
    if (!open[Slot::side].contains(from_utf8(each))) open[Slot::side] << from_utf8(each);
  for (const std::string& each : here.below)
    if (!open[Slot::below].contains(from_utf8(each))) open[Slot::below] << from_utf8(each);
  wanted.all[wanted.current] = open;
  const QByteArray layout = wanted.json();
  if (std::exchange(layout_shown_, layout) == layout && window_->panels().front() == wanted.front) return;
  window_->panels().restore_state(layout);
}

void Classroom::show_facts(const std::shared_ptr<const Facts>& facts) {
  if (!lesson_ || facts->step != step_) return;
  facts_ = facts;
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step_)];
  const StepWords& words = lesson_->in(current_language().toStdString()).steps[static_cast<std::size_t>(step_)];
  if (!facts->problem.isEmpty()) {
    panel_->set_notes({facts->problem});
    emit shown(step_);
    return;
  }
  panel_->show_step(here, words, step_, static_cast<int>(lesson_->steps.size()), value_of(facts->values));
  if (here.kind == LessonStep::Kind::predict)
    panel_->set_answer_field(make_answer_field(here, words, facts->answers, panel_));
  if (facts->document) {
    window_->selection().set({});
    if (!(*facts->document == window_->session().document())) window_->start(*facts->document);
  }
  show_views();
  QStringList notes;
  for (const auto& [expectation, checked] : facts->failed)
    notes << tr("Not so on this machine: %1 (%2)").arg(claim_text(*expectation, words), from_utf8(checked.found));
  notes_ = notes;
  panel_->set_notes(here.kind == LessonStep::Kind::predict ? QStringList() : notes);
  if (step_ + 1 == static_cast<int>(lesson_->steps.size())) {
    QStringList sources;
    for (const std::string& each : lesson_->sources) sources << from_utf8(each);
    panel_->set_sources(sources);
  }
  if (facts->select)
    show_target(*facts->select);
  else if (facts->document && (facts->selection.step || facts->selection.source_token || facts->selection.entry))
    window_->selection().set(facts->selection);
  spot_ = true;
  overlay_->light_up();
  if (here.kind == LessonStep::Kind::chart) measure();
  emit shown(step_);
}

void Classroom::answer(bool known) {
  if (!asks() || !facts_ || !facts_->truth || !panel_->answer_field()) return;
  given_ = known ? panel_->answer_field()->value() : std::nullopt;
  if (known && !given_) return;
  thread_.start(
      [this, runs = runs_, step = step_, given = given_](const CancelToken& cancel) -> BackgroundThread::Delivery {
        runs->set_cancel(cancel);
        Values values;
        ExpressionScope scope = runs->scope(step);
        scope.answer = given;
        for (const NamedExpression& each : runs->lesson().steps[static_cast<std::size_t>(step)].values) {
          try {
            values[each.name] = each.expression.evaluate(scope, cancel);
          } catch (const Error&) {
          }
        }
        return [this, given, values = std::move(values)] { show_answer(given, values); };
      });
}

void Classroom::show_answer(const std::optional<ExpressionValue>& given, const Values& found) {
  if (!lesson_ || revealed_) return;
  revealed_ = true;
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step_)];
  const StepWords& words = lesson_->in(current_language().toStdString()).steps[static_cast<std::size_t>(step_)];
  const QString mine = given ? answer_text(*given, here, words, facts_->answers) : QString();
  const QString truth = answer_text(*facts_->truth, here, words, facts_->answers);
  const QString distance = given ? distance_text(*given, *facts_->truth, here, facts_->answers) : QString();
  Values values = found;
  if (given) values["answer"] = mine.toStdString();
  panel_->answer_field()->reveal(*facts_->truth);
  panel_->reveal(
      mine, truth, distance, value_of(values),
      std::holds_alternative<std::string>(*facts_->truth) ? std::get<std::string>(*facts_->truth) : std::string());
  panel_->set_notes(notes_);
  progress_.answer(
      name_, {from_utf8(here.id), from_utf8(plain_text(words.question)), mine, truth, distance, panel_->hints_shown()});
  spot_ = true;
  overlay_->light_up();
  emit revealed(step_);
}

// Each run is looked at, while something is to be done or the learner has left the rails.
void Classroom::look() {
  if (!lesson_ || !facts_ || !window_->result()) return;
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step_)];
  const bool acts = here.kind == LessonStep::Kind::act && !revealed_;
  const bool general = exploring() && std::ranges::any_of(here.expect, &Expectation::general);
  if (!acts && !general) return;
  if (thread_.busy()) {
    look_again_ = true;
    return;
  }
  look_again_ = false;
  thread_.start([this, runs = runs_, step = step_, acts, general, document = window_->session().document(),
                 selection = window_->selection().state(),
                 result = window_->result()](const CancelToken& cancel) -> BackgroundThread::Delivery {
    runs->set_cancel(cancel);
    const LessonStep& now = runs->lesson().steps[static_cast<std::size_t>(step)];
    bool done = false;
    Values values;
    std::vector<std::pair<const Expectation*, Checked>> checked;
    // The result of a run that the document has left behind says nothing of it.
    if (result->inputs() == document.inputs()) {
      const ExpressionScope scope = runs->scope(step, document, selection, result);
      done = acts && check_condition(now.done, scope, cancel).outcome == Checked::Outcome::holds;
      if (done) {
        for (const NamedExpression& each : now.values) {
          try {
            values[each.name] = each.expression.evaluate(scope, cancel);
          } catch (const Error&) {
          }
        }
        for (const Expectation& each : now.then) checked.emplace_back(&each, check_condition(each.that, scope, cancel));
      } else if (general) {
        for (const Expectation& each : now.expect)
          if (each.general) checked.emplace_back(&each, check_condition(each.that, scope, cancel));
      }
    }
    return [this, step, done, values = std::move(values), checked = std::move(checked)] {
      if (!lesson_ || step != step_) return;
      const StepWords& words = lesson_->in(current_language().toStdString()).steps[static_cast<std::size_t>(step)];
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
      if (done && !revealed_) {
        revealed_ = true;
        panel_->set_done(value_of(values));
        emit revealed(step);
      }
      panel_->set_notes(notes);
      if (look_again_) QMetaObject::invokeMethod(this, &Classroom::look, Qt::QueuedConnection);
    };
  });
}

void Classroom::measure() {
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step_)];
  if (std::exchange(measuring_, false)) {
    thread_.stop();
    const bool recorded = !here.chart.recorded.empty();
    panel_->set_chart(
        recorded ? &runs_->use_recorded(step_) : nullptr, -1,
        recorded ? tr("Stopped. This was recorded before (%1).").arg(from_utf8(here.chart.machine)) : tr("Stopped."));
    if (recorded) panel_->set_done(value_of(facts_ ? facts_->values : Values()));
    return;
  }
  measuring_ = true;
  panel_->set_chart(nullptr, 0, tr("Measuring on this machine…"));
  thread_.start([this, runs = runs_, step = step_](std::uint64_t, const BackgroundThread::Report& report) {
    return [this, runs, step, report](const CancelToken& cancel) -> BackgroundThread::Delivery {
      runs->set_cancel(cancel);
      const LessonStep& now = runs->lesson().steps[static_cast<std::size_t>(step)];
      QElapsedTimer time;
      time.start();
      bool slow = false;
      struct TooSlow {};
      try {
        runs->measure(step, [&](double done) {
          cancel.check();
          // A machine that would take much longer than was promised shows what was recorded.
          const double seconds = static_cast<double>(time.elapsed()) / 1000;
          if (!now.chart.recorded.empty() && seconds > now.chart.seconds) throw TooSlow();
          report([this, done] {
            if (measuring_) panel_->set_chart(nullptr, std::min(done, 0.999), tr("Measuring on this machine…"));
          });
        });
      } catch (const TooSlow&) {
        slow = true;
        runs->use_recorded(step);
      }
      Values values;
      std::vector<std::pair<const Expectation*, Checked>> failed;
      const ExpressionScope scope = runs->scope(step);
      for (const NamedExpression& each : now.values) {
        try {
          values[each.name] = each.expression.evaluate(scope, cancel);
        } catch (const Error&) {
        }
      }
      for (const Expectation& each : now.expect) {
        if (each.that.named_in("y").empty()) continue;
        const Checked checked = check_condition(each.that, scope, cancel);
        if (checked.outcome != Checked::Outcome::holds) failed.emplace_back(&each, checked);
      }
      return [this, step, slow, runs, values = std::move(values), failed = std::move(failed)] {
        measuring_ = false;
        if (!lesson_ || step != step_ || runs != runs_) return;
        const LessonStep& shown_step = lesson_->steps[static_cast<std::size_t>(step)];
        panel_->set_chart(
            runs->chart(step), -1,
            slow
                ? tr("Recorded before (%1): this machine would take too long.").arg(from_utf8(shown_step.chart.machine))
                : tr("Measured just now, on this machine."));
        const StepWords& words = lesson_->in(current_language().toStdString()).steps[static_cast<std::size_t>(step)];
        QStringList notes;
        for (const auto& [expectation, checked] : failed)
          notes << tr("Not so on this machine: %1 (%2)").arg(claim_text(*expectation, words), from_utf8(checked.found));
        if (!notes.isEmpty()) panel_->set_notes(notes);
        revealed_ = true;
        panel_->set_done(value_of(values));
        emit revealed(step);
      };
    };
  });
}

void Classroom::explore(bool on) {
  if (!lesson_ || on == exploring()) return;
  if (!on) return go(step_);
  panel_->set_exploring(true);
  spot_ = false;
  overlay_->refresh();
  look();
}

void Classroom::show_target(const ExpressionValue& value) {
  SelectionState state;
  if (const auto* places = std::get_if<Places>(&value)) {
    if (!places->cells.empty()) {
      state.step = places->cells.front().first;
      state.source_token = places->cells.front().second;
    } else if (!places->at.empty()) {
      (places->of == Places::Of::output ? state.step : state.source_token) = places->at.front();
    }
    window_->selection().set(state);
  } else if (const auto* target = std::get_if<Target>(&value)) {
    if (target->kind == Target::Kind::site)
      window_->views().open_cell(target->name, std::max(0L, target->cell));
    else if (target->kind != Target::Kind::part)
      window_->panels().raise(from_utf8(target->name));
  }
}

void Classroom::follow(const QString& link) {
  if (!lesson_) return;
  if (link.startsWith(QLatin1String("step:"))) return go(lesson_->step(link.mid(5).toStdString()));
  if (link.startsWith(QLatin1String("lesson:"))) return open(link.mid(7));
  if (link.startsWith(QLatin1String("word:"))) {
    for (const GlossaryEntry& entry : glossary(current_language().toStdString()))
      if (entry.id == link.mid(5).toStdString()) {
        auto* box = new QMessageBox(QMessageBox::NoIcon, from_utf8(entry.title), from_utf8(entry.title),
                                    QMessageBox::Close, panel_);
        box->setTextFormat(Qt::PlainText);
        box->setInformativeText(from_utf8(plain_text(entry.text)));
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->setObjectName(QStringLiteral("glossary"));
        box->open();
        return;
      }
    return;
  }
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
      if (std::holds_alternative<Target>(*found)) show_target(*found);
      spot_ = true;
      overlay_->light_up();
    };
  });
}

// The key stands beside the worksheet: "sheet.pdf" and "sheet-answers.pdf".
void Classroom::print(Print what, const QString& path) {
  if (!lesson_) return;
  if (what == Print::my_answers) {
    const LessonRecord* record = progress_.find(name_);
    if (!record || record->answers.empty())
      throw UsageError(tr("Nothing was answered in this lesson yet.").toStdString());
  }
  Theme& theme = Theme::instance();
  const Theme::Mode mode = theme.mode();
  const double scale = theme.font_scale();
  theme.set(Theme::Mode::light, 1);
  struct Back {
    Theme::Mode mode;
    double scale;
    ~Back() { Theme::instance().set(mode, scale); }
  } const back{mode, scale};
  if (what == Print::my_answers) return write_my_answers(*progress_.find(name_), path);
  LessonRuns runs(lesson_);
  if (!thread_.busy())
    for (int at = 0; at < static_cast<int>(lesson_->steps.size()); ++at)
      if (const ChartResult* made = runs_->chart(at)) runs.keep(at, *made);
  const LessonPaper paper{&runs, current_language().toStdString()};
  if (what == Print::slides) return write_slides(paper, path);
  write_worksheet(paper, path, false);
  QString key = path;
  if (key.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) key.chop(4);
  write_worksheet(paper, key + tr("-answers") + QStringLiteral(".pdf"), true);
}

// Another language keeps the step; what was answered is asked again.
void Classroom::retranslate() {
  if (lesson_) go(step_);
}

// For the teacher, on a screen that the room does not see: what to say here, and what comes next.
void Classroom::show_notes() {
  if (!notes_window_ || !lesson_) return;
  const LessonWords& words = lesson_->in(current_language().toStdString());
  const auto at = static_cast<std::size_t>(step_);
  const auto heading = [](const QString& text) {
    TextBlock block;
    block.spans.push_back({});
    block.spans.back().text = text.toStdString();
    block.spans.back().strong = true;
    return block;
  };
  RichText all = {heading(tr("Step %1 of %2").arg(at + 1).arg(words.steps.size()))};
  const RichText& notes = words.steps[at].teacher.empty() ? words.teacher : words.steps[at].teacher;
  all.insert(all.end(), notes.begin(), notes.end());
  if (at + 1 < words.steps.size()) {
    all.push_back(heading(tr("Next")));
    const StepWords& next = words.steps[at + 1];
    all.insert(all.end(), next.text.begin(), next.text.end());
    all.insert(all.end(), next.question.begin(), next.question.end());
  }
  notes_window_->setWindowTitle(tr("Notes: %1").arg(from_utf8(words.title)));
  notes_window_->findChild<LessonText*>()->set_words(all, value_of(facts_ ? facts_->values : Values()), type::kTitle);
}

void Classroom::show_words() {
  panel_->retranslate();
  const std::string language = current_language().toStdString();
  const LessonWords& words = lesson_->in(language);
  QString course;
  for (const Course& each : courses())
    if (lesson_->name.starts_with(each.name + "/"))
      if (const auto found = each.words.find(language); found != each.words.end())
        course = from_utf8(found->second.title);
  panel_->set_title(course, from_utf8(words.title));
  const auto at = static_cast<std::size_t>(step_);
  panel_->show_step(lesson_->steps[at], words.steps[at], step_, static_cast<int>(lesson_->steps.size()), nullptr);
}

}  // namespace headlight
