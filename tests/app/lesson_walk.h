// A learner's way through a lesson in the window: reads, answers, does what is asked, waits for charts, goes on.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/classroom/classroom.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/lessons/lesson_check.h"
#include "app/window/main_window.h"
#include "widgets/base/utf8_text.h"

namespace headlight::testing {

inline constexpr int kLessonPatience = 60'000;  // milliseconds

inline bool comes_to(QSignalSpy& spy, int step) {
  return QTest::qWaitFor([&] { return !spy.isEmpty() && spy.last().at(0).toInt() == step; }, kLessonPatience);
}

inline QString cut_text(const QWidget* widget) {
  const QFontMetrics metrics(widget->font());
  if (const auto* label = qobject_cast<const QLabel*>(widget)) {
    const QRect room = label->contentsRect();
    const int wrap = label->wordWrap() ? static_cast<int>(Qt::TextWordWrap) : 0;
    const QRect needed = metrics.boundingRect(QRect(0, 0, room.width(), 100'000), wrap, label->text());
    const double air = 3 + 0.2 * metrics.height();
    return needed.height() > room.height() + air || needed.width() > room.width() + 3 ? label->text() : QString();
  }
  if (const auto* text = qobject_cast<const LessonText*>(widget)) {
    if (!text->has_words()) return {};
    const bool low = text->document()->size().height() > text->height() + 2;
    const bool wide = text->document()->idealWidth() > text->viewport()->width() + 2;
    return low || wide ? text->words() : QString();
  }
  if (const auto* tool = qobject_cast<const QToolButton*>(widget)) {
    if (tool->toolButtonStyle() == Qt::ToolButtonIconOnly || tool->text().isEmpty()) return {};
    return tool->sizeHint().width() > tool->width() + 2 ? tool->text() : QString();
  }
  if (const auto* button = qobject_cast<const QPushButton*>(widget))
    return metrics.horizontalAdvance(button->text()) > button->width() ? button->text() : QString();
  return {};
}

// Words and buttons of the lesson that are not whole: the first of them, or nothing.
inline QString cut_in_lesson(const MainWindow& window) {
  const LessonPanel* panel = const_cast<MainWindow&>(window).classroom().panel();
  if (!window.rect().contains(QRect(panel->mapTo(&window, QPoint()), panel->size())))
    return QStringLiteral("the panel leaves the window");
  for (const QWidget* each : panel->findChildren<QWidget*>()) {
    if (!each->isVisible() || each->size().isEmpty()) continue;
    if (const QString text = cut_text(each); !text.isEmpty())
      return QStringLiteral("%1 '%2': '%3' in %4 x %5")
          .arg(each->metaObject()->className(), each->objectName(), text)
          .arg(each->width())
          .arg(each->height());
  }
  for (const QScrollArea* area : panel->findChildren<QScrollArea*>())
    if (area->widget()->minimumSizeHint().width() > area->viewport()->width() + 2)
      return QStringLiteral("%1 pixels have to fit into %2")
          .arg(area->widget()->minimumSizeHint().width())
          .arg(area->viewport()->width());
  for (const char* name : {"lesson_back", "lesson_next"}) {
    const auto* button = panel->findChild<QPushButton*>(QString::fromUtf8(name));
    if (!button->isVisible() || button->visibleRegion().boundingRect().height() < button->height() - 1)
      return QString::fromUtf8(name) + QStringLiteral(" is not in sight");
  }
  return {};
}

// Brings about a state as a learner does: types, switches, edits.
inline void act_in(MainWindow& window, const SessionState& wanted) {
  const Document now = window.session().document();
  if (wanted.source != now.source) {
    QLineEdit* field = window.findChild<QLineEdit*>(QStringLiteral("source"));
    if (field) {
      field->setFocus();
      field->selectAll();
      QTest::keyClicks(field, from_utf8(wanted.source));
    }
    if (window.session().document().source != wanted.source) window.session().set_source(from_utf8(wanted.source));
  }
  for (const auto& [key, value] : wanted.settings->items())
    if (!now.settings->contains(key) || (*now.settings)[key] != value)
      window.session().set_setting(from_utf8(key), value);
  if (wanted.interventions != now.interventions)
    window.session().change_interventions(wanted.interventions, now.interventions);
  if (wanted.target != now.target)
    window.session().set_target(wanted.target ? std::optional(from_utf8(*wanted.target)) : std::nullopt);
  if (wanted.prefix != now.prefix) window.session().set_prefix(wanted.prefix);
  if (!(wanted.decode == now.decode) || wanted.seed != now.seed)
    window.session().set_decoding(wanted.decode, wanted.seed);
}

// What is wrong, or nothing. `look` is called with the step from 0 and "before" or "after": when the step is there, and
// when it was answered or done; it says what is wrong, or nothing.
using LookAtStep = std::function<QString(int step, const QString& when)>;
inline QString walk_lesson(MainWindow& window, const QString& lesson, const LookAtStep& look) {
  Classroom& room = window.classroom();
  QSignalSpy shown(&room, &Classroom::shown), revealed(&room, &Classroom::revealed), failed(&room, &Classroom::failed);
  room.open(lesson, 0);
  if (!room.lesson()) return lesson + ": does not open";
  const std::shared_ptr<const Lesson> read = read_lesson(room.lesson()->folder);
  LessonRuns runs(read);
  const int count = static_cast<int>(read->steps.size());
  const auto settle = [&] {
    for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
    room.overlay()->refresh();
  };
  using Kind = LessonStep::Kind;
  for (int step = 0; step < count; ++step) {
    const LessonStep& here = read->steps[static_cast<std::size_t>(step)];
    const auto wrong = [&](const QString& what) {
      return QStringLiteral("%1, step %2 (%3): %4").arg(lesson).arg(step + 1).arg(from_utf8(here.id), what);
    };
    if (!comes_to(shown, step)) return wrong("is not shown");
    LessonPanel* panel = room.panel();
    const auto* show = panel->findChild<QPushButton*>(QStringLiteral("lesson_show"));
    if (here.state && !QTest::qWaitFor([&] { return window.result() != nullptr; }, kLessonPatience))
      return wrong("has no result");
    settle();
    if (const QString found = look(step, QStringLiteral("before")); !found.isEmpty()) return wrong("before: " + found);
    bool waits = true;
    if (here.asks()) {
      if (!panel->answer_field()) return wrong("cannot be answered");
      if (!show->isVisible() || (show->isEnabled() && !panel->answer_field()->value()))
        return wrong("shows what was not asked");
      panel->answer_field()->set(true_answer(runs, step));
      if (!show->isEnabled()) return wrong("takes no answer");
      panel->findChild<QPushButton*>(QStringLiteral("lesson_show"))->click();
    } else if (here.kind == Kind::act) {
      if (!revealed.isEmpty() && revealed.last().at(0).toInt() == step) return wrong("is done before anything is done");
      act_in(window, *here.solution);
    } else if (here.kind == Kind::chart && here.chart.slides()) {
      auto* slider = panel->findChild<QSlider*>();
      if (!slider &&
          !QTest::qWaitFor([&] { return (slider = panel->findChild<QSlider*>()) != nullptr; }, kLessonPatience))
        return wrong("has no sliders");
      slider->setValue(slider->value() + (slider->value() < slider->maximum() ? 1 : -1));
    } else if (here.kind == Kind::chart) {
      // Whoever is asked measures; else it begins by itself.
      const bool asks = !read->words[0].steps[static_cast<std::size_t>(step)].question.empty();
      if (asks && !room.waits()) return wrong("does not wait for an answer");
      if (asks) panel->findChild<QPushButton*>(QStringLiteral("lesson_measure"))->click();
    } else {
      waits = false;
    }
    if (waits && !comes_to(revealed, step)) return wrong("is not revealed");
    if (here.asks() && panel->findChild<QLabel*>(QStringLiteral("lesson_distance"))->text().isEmpty())
      return wrong("says nothing of the answer");
    settle();
    if (const QString notes = panel->findChild<QLabel*>(QStringLiteral("lesson_notes"))->text(); !notes.isEmpty())
      return wrong(notes);  // every claim holds here
    if (waits)
      if (const QString found = look(step, QStringLiteral("after")); !found.isEmpty()) return wrong("after: " + found);
    if (!failed.isEmpty()) return wrong(failed[0][0].toString());
    if (step + 1 < count) panel->findChild<QPushButton*>(QStringLiteral("lesson_next"))->click();
  }
  if (!room.progress().find(from_utf8(room.lesson()->name))->finished) return lesson + ": is not finished";
  return {};
}

}  // namespace headlight::testing
