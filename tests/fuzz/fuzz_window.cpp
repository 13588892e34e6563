// Throws random events at the whole window: keys, typed text, the mouse, menus, panels, sizes, other models. Nothing
// may crash, and nothing may keep the window from answering.
//   QT_QPA_PLATFORM=offscreen build/asan/fuzz_window [EVENTS] [SEED] [LONGEST_MS]
// Says how long the longest event took; with LONGEST_MS, a longer one is a failure. The tests run a short round of it.

#include <unistd.h>

#include <QAbstractEventDispatcher>
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "app/appearance.h"
#include "app/document/model_list.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/odd_texts.h"
#include "widgets/base/utf8_text.h"

using namespace headlight;

namespace {

// Knows how long each event took that Qt handed out, with all that happened within it: what a handler sends on, lays
// out or paints is time in which the window does not answer. Only an event loop of its own (a dialog, a menu) is not:
// its events count by themselves, and its sleep does not count.
class TimedApplication : public QApplication {
 public:
  TimedApplication(int& count, char** arguments) : QApplication(count, arguments) {
    auto* dispatcher = QAbstractEventDispatcher::instance();
    connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] { sleep_.start(); });
    connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] {
      if (sleep_.isValid()) elsewhere_ += sleep_.nsecsElapsed();
      sleep_.invalidate();
    });
  }
  bool notify(QObject* receiver, QEvent* event) override {
    QElapsedTimer clock;
    clock.start();
    const qint64 before = elsewhere_;
    const int level = std::exchange(level_, QThread::currentThread()->loopLevel());
    const bool in_own_loop = level >= 0 && level_ > level;
    QByteArray name = receiver->metaObject()->className();
    if (const auto* action =
            qobject_cast<QToolButton*>(receiver) ? static_cast<QToolButton*>(receiver)->defaultAction() : nullptr)
      name += " '" + action->objectName().toUtf8() + "'";
    else if (!receiver->objectName().isEmpty())
      name += " '" + receiver->objectName().toUtf8() + "'";
    const int type = event->type();
    if (const auto* widget = qobject_cast<QWidget*>(receiver); widget && level < 0) {
      handled_ = QByteArray("in event ") + QByteArray::number(type) + " of";
      for (const QWidget* each = widget; each; each = each->parentWidget())
        handled_ += QByteArray(" < ") + each->metaObject()->className() + " '" + each->objectName().toUtf8() + "'";
      handled_ += '\n';
    }
    const bool done = QApplication::notify(receiver, event);
    const qint64 all = clock.nsecsElapsed(), own = all - (elsewhere_ - before);
    if (in_own_loop) elsewhere_ = before + all;
    level_ = level;
    if (own > longest_) {
      longest_ = own;
      longest_name_ = name + " event " + QByteArray::number(type);
    }
    if ((level < 0 || in_own_loop) && own > 200'000'000) {  // once, with those within it
      ++over_;
      std::fprintf(stderr, "%.0f ms: %s event %d\n", static_cast<double>(own) * 1e-6, name.constData(), type);
    }
    return done;
  }
  double longest_ms() const { return static_cast<double>(longest_) * 1e-6; }
  QByteArray longest_name() const { return longest_name_; }
  // What was being handled when a signal ended the program.
  static void say_where(int signal) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, handled_.constData(), handled_.size());
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  int over() const { return over_; }

 private:
  inline static QByteArray handled_;
  QElapsedTimer sleep_;
  int level_ = -1;                      // of the event loop that handed out the event that is handled; -1: none is
  qint64 elsewhere_ = 0, longest_ = 0;  // elsewhere: asleep, and in events of inner loops
  QByteArray longest_name_;
  int over_ = 0;
};

class Monkey {
 public:
  Monkey(MainWindow& window, unsigned seed) : window_(window), random_(seed) {
    // Whatever opens on top is closed soon: a dialog that waits for an answer would keep everything waiting.
    QObject::connect(&closer_, &QTimer::timeout, [] {
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
      if (QWidget* modal = QApplication::activeModalWidget()) modal->close();
    });
    closer_.start(20);
    for (const std::filesystem::path& folder : bundled_models()) models_ << path_text(folder);
  }

  void act() {
    const int what = below(100);
    if (what < 25)
      type();
    else if (what < 45)
      press_key();
    else if (what < 80)
      use_mouse();
    else if (what < 86)
      turn_wheel();
    else if (what < 93)
      trigger();
    else if (what < 96)
      move_panel();
    else if (what < 97)
      window_.resize(300 + below(1600), 200 + below(1200));
    else if (what < 98)
      change_selection();
    else if (below(10) == 0)
      window_.open_model(models_[below(static_cast<int>(models_.size()))]);
    QCoreApplication::processEvents();
    if (!window_.isVisible()) window_.show();
  }

 private:
  int below(int n) { return n <= 0 ? 0 : static_cast<int>(random_() % static_cast<unsigned>(n)); }

  QWidget* any_widget() {
    QList<QWidget*> all;
    for (QWidget* top : QApplication::topLevelWidgets())
      if (top->isVisible())
        for (QWidget* child : top->findChildren<QWidget*>())
          if (child->isVisible() && !child->visibleRegion().isEmpty()) all << child;
    return all.isEmpty() ? &window_ : all[below(static_cast<int>(all.size()))];
  }

  void type() {
    static const QString kCharacters =
        QStringLiteral("abc ABC 0123456789 .,?-/_[]<>é中文שלום👩‍👩‍👧") +
        testing::one_of_every_category();
    static const QList<testing::OddText> kPasted = testing::odd_texts();
    SourceBar* bar = window_.views().source_bar();
    QWidget* field = below(5) ? static_cast<QWidget*>(bar->source_field()) : bar->target_field();
    const QString text = below(6) ? QString(kCharacters[below(static_cast<int>(kCharacters.size()))]) : QString();
    const int key = text.isEmpty() ? Qt::Key_Backspace : Qt::Key_unknown;
    if (below(50) == 0) {
      const QString pasted = kPasted[below(static_cast<int>(kPasted.size()))].text;
      const QList<QLineEdit*> fields = window_.findChildren<QLineEdit*>();
      const int which = below(static_cast<int>(fields.size()) + 1);
      if (which < fields.size())
        fields[which]->insert(pasted);
      else
        bar->source_field()->insert(pasted);
    }
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier, text);
    QCoreApplication::sendEvent(field, &press);
  }

  void press_key() {
    static const int kKeys[] = {Qt::Key_Left,   Qt::Key_Right,    Qt::Key_Up,     Qt::Key_Down,     Qt::Key_Home,
                                Qt::Key_End,    Qt::Key_Tab,      Qt::Key_Return, Qt::Key_Escape,   Qt::Key_Space,
                                Qt::Key_Plus,   Qt::Key_Minus,    Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_F2,
                                Qt::Key_Delete, Qt::Key_Z,        Qt::Key_F8,     Qt::Key_Menu,     Qt::Key_S,
                                Qt::Key_B,      Qt::Key_Backspace};
    static const Qt::KeyboardModifiers kModifiers[] = {Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                                                       Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
    QWidget* to = QApplication::focusWidget() && below(3) ? QApplication::focusWidget() : any_widget();
    const int key = kKeys[below(std::size(kKeys))];
    const auto modifiers = kModifiers[below(std::size(kModifiers))];
    QKeyEvent press(QEvent::KeyPress, key, modifiers), release(QEvent::KeyRelease, key, modifiers);
    QPointer<QWidget> alive = to;
    QCoreApplication::sendEvent(to, &press);
    if (alive) QCoreApplication::sendEvent(to, &release);
  }

  void use_mouse() {
    QPointer<QWidget> to = any_widget();
    const QPointF at(below(to->width() + 1), below(to->height() + 1));
    const auto button = below(8) ? Qt::LeftButton : Qt::RightButton;
    const auto modifiers = below(8) ? Qt::NoModifier : below(2) ? Qt::AltModifier : Qt::ControlModifier;
    const auto send = [&](QEvent::Type type, QPointF point, Qt::MouseButtons held) {
      if (!to) return;
      QMouseEvent event(type, point, to->mapToGlobal(point), type == QEvent::MouseMove ? Qt::NoButton : button, held,
                        modifiers);
      QCoreApplication::sendEvent(to, &event);
    };
    send(QEvent::MouseMove, at, Qt::NoButton);
    if (below(2)) return;
    send(QEvent::MouseButtonPress, at, button);
    for (int i = below(4); i > 0 && to; --i) {
      send(QEvent::MouseMove,
           {static_cast<double>(below(to->width() + 1)), static_cast<double>(below(to->height() + 1))}, button);
      QCoreApplication::processEvents();
    }
    send(QEvent::MouseButtonRelease, at, Qt::NoButton);
    if (below(6) == 0) send(QEvent::MouseButtonDblClick, at, button);
    if (below(12) == 0 && to) {
      QContextMenuEvent menu(QContextMenuEvent::Mouse, at.toPoint(), to->mapToGlobal(at.toPoint()));
      QCoreApplication::sendEvent(to, &menu);
    }
  }

  void turn_wheel() {
    QWidget* to = any_widget();
    const QPointF at(below(to->width() + 1), below(to->height() + 1));
    QWheelEvent wheel(at, to->mapToGlobal(at), {}, {0, below(2) ? 120 : -120}, Qt::NoButton,
                      below(3) ? Qt::NoModifier : Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(to, &wheel);
  }

  void trigger() {
    static const QStringList kNever = {"quit", "open", "full_screen"};
    QList<QAction*> all = window_.actions().findChildren<QAction*>();
    QAction* action = all[below(static_cast<int>(all.size()))];
    const QString id = action->objectName();
    if (!kNever.contains(id) && !id.startsWith("export") && !id.startsWith("save") && action->isEnabled())
      action->trigger();
  }

  void move_panel() {
    WindowPanels& panels = window_.panels();
    const auto all = view_table();
    const auto numbers = number_panels();
    const auto at = static_cast<std::size_t>(below(static_cast<int>(all.size() + numbers.size())));
    const QString name = QString::fromUtf8(at < all.size() ? all[at].name : numbers[at - all.size()].name);
    switch (below(4)) {
      case 0:
        panels.put_away(name);
        break;
      case 1:
        panels.set_out(name, !panels.is_out(name));
        break;
      default:
        panels.raise(name);
    }
  }

  void change_selection() {
    const auto result = window_.result();
    if (!result || !result->trace || result->trace->size() == 0) return;
    SelectionState state;
    state.entry = below(result->trace->size());
    state.cell = below(static_cast<int>((*result->trace)[*state.entry].value.size()));
    if (!result->steps.empty()) state.step = below(static_cast<int>(result->steps.size()));
    window_.selection().set(state);
  }

  MainWindow& window_;
  std::mt19937 random_;
  QTimer closer_;
  QStringList models_;
};

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  TimedApplication application(argc, argv);
  for (const int signal : {SIGSEGV, SIGABRT}) std::signal(signal, TimedApplication::say_where);
  const QTemporaryDir settings;
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
  QCoreApplication::setOrganizationName("HeadlightTest");
  QCoreApplication::setApplicationName("HeadlightTest");
  const int events = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  const double longest = argc > 3 ? std::atof(argv[3]) : 0;
  {
    MainWindow window(MainWindow::Remember::no);
    window.start(first_document({}));
    window.show();
    Monkey monkey(window, seed);
    for (int i = 0; i < events; ++i) {
      monkey.act();
      if ((i + 1) % 5000 == 0)
        std::fprintf(stderr, "%d events, longest %.0f ms (%s)\n", i + 1, application.longest_ms(),
                     application.longest_name().constData());
    }
  }
  std::printf("%d events, seed %u: no crash; the longest event took %.0f ms (%s), %d took over 200 ms\n", events, seed,
              application.longest_ms(), application.longest_name().constData(), application.over());
  return longest > 0 && application.longest_ms() > longest ? 1 : 0;
}
