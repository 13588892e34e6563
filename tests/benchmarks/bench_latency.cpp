// Keystroke to painted with every view of the model open: a key event is posted to the source field of the whole
// window, and the clock stops with the last paint that its result causes in any view. The typing is varied: letters of
// the model's examples at the end and elsewhere, deletions, and examples that are pasted; always the same ones.
//
//   QT_QPA_PLATFORM=offscreen build/release/bench_latency [MODEL|all] [KEYSTROKES] [all|heatmap|PANEL,PANEL...]
//   [still|letter] [--with-training]
//
// `heatmap`: only the panels that stand in front at the start, as most people use the window; names of panels
// (steps,inspector,differences): these as well, where they belong. `still`: with less motion, so that the frames in
// which one run fades into the next are not counted. `letter`: the last letter is typed and deleted in turn, as the
// first versions of this program were measured. Below stand the parts: the run itself; what is around it until the
// views have its result (the key, reading the text, waking threads, what the views make of it); painting.
// `--with-training`: all keystrokes once more while the lab trains a model of dates (attention, H = 128) behind the
// window, with the ratio of the two. Behind the times of the clock, which others on the machine lengthen, stand those
// of the processor: of all threads, and of the one that answers the person.

#include <sys/resource.h>

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "app/document/model_list.h"
#include "app/lab/lab_training.h"
#include "app/stage/panel_frame.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/core/random.h"
#include "model/io/model_folder.h"
#include "tests/benchmarks/keystrokes.h"
#include "widgets/base/style.h"
#include "widgets/base/utf8_text.h"

using namespace headlight;
using namespace headlight::benchmarks;

namespace {

// Milliseconds of the processor since the start of this process, or of this thread.
double processor_time(int who) {
  rusage used{};
  getrusage(who, &used);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) * 1e-3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

// What somebody types next into a field: of ten strokes about six are letters, three delete one, one pastes an example.
class Typist {
 public:
  Typist(const QStringList& examples, bool one_letter) : examples_(examples), one_letter_(one_letter) {
    for (const QString& example : examples) {
      letters_ += example;
      longest_ = std::max(longest_, static_cast<int>(example.size()));
    }
  }
  // Puts the cursor (and the clipboard) where the stroke needs them.
  Stroke next(SourceField& field) {
    const int length = static_cast<int>(field.text().size());
    if (one_letter_) {
      field.setCursorPosition(length);
      typed_ = !typed_;
      return typed_ ? Stroke{Qt::Key_unknown, examples_.front().right(1)} : Stroke{Qt::Key_Backspace, {}};
    }
    field.setCursorPosition(below(4) == 0 ? below(length + 1) : length);
    const int kind = below(20);
    const QString& example = examples_[below(static_cast<int>(examples_.size()))];
    if ((kind == 0 || length > 2 * longest_) && example != field.text()) {
      QGuiApplication::clipboard()->setText(example);
      field.selectAll();
      return {Qt::Key_V, "v", Qt::ControlModifier};
    }
    if (kind < 7 && field.cursorPosition() > 0 && length > 1) return {Qt::Key_Backspace, {}};
    return {Qt::Key_unknown, letters_.mid(below(static_cast<int>(letters_.size())), 1)};
  }

 private:
  int below(int count) { return static_cast<int>(random_.uniform() * count); }

  QStringList examples_;
  bool one_letter_, typed_ = false;
  QString letters_;
  int longest_ = 1;
  Random random_{1, Random::Stream::sample};
};

// Each panel as a window of its own, so that all are painted.
int open_all(MainWindow& window) {
  int views = 0;
  const auto open = [&](const ViewRow& row) {
    if (!window.panels().is_offered(row.name)) return;
    window.panels().set_out(row.name, true);
    window.panels().frame(row.name)->resize(560, 380);
    ++views;
  };
  for (const ViewRow& row : view_table()) open(row);
  for (const ViewRow& row : number_panels()) open(row);
  return views;
}

struct Typed {
  std::vector<double> times;                 // sorted milliseconds
  std::vector<double> runs, around, paints;  // sorted milliseconds, the parts
  double all_threads = 0, this_thread = 0;   // milliseconds of the processor for each keystroke
};

std::optional<Typed> type(MainWindow& window, PaintClock& clock, Typist& typist, int count) {
  SourceField* field = window.views().source_bar()->source_field();
  Typed typed;
  for (int i = 0; i < count + 10; ++i) {
    if (i == 10) {
      typed.all_threads = processor_time(RUSAGE_SELF);
      typed.this_thread = processor_time(RUSAGE_THREAD);
    }
    const std::optional<Answered> times = answered(window, clock, typist.next(*field));
    if (!times) return {};
    wait(1);               // what belongs to this keystroke does not burden the next one
    if (i < 10) continue;  // the first ones fill caches
    const double run = window.result()->seconds * 1e3;
    typed.times.push_back(times->painted);
    typed.runs.push_back(run);
    typed.around.push_back(times->shown - run);
    typed.paints.push_back(times->painted - times->shown);
  }
  for (std::vector<double>* each : {&typed.times, &typed.runs, &typed.around, &typed.paints})
    std::sort(each->begin(), each->end());
  typed.all_threads = (processor_time(RUSAGE_SELF) - typed.all_threads) / count;
  typed.this_thread = (processor_time(RUSAGE_THREAD) - typed.this_thread) / count;
  return typed;
}

void print(const Typed& typed, const std::string& name, int views) {
  std::printf(
      "%-22s %2d views  %4zu keystrokes  p50 %6.2f  p95 %6.2f  p99 %6.2f  max %6.2f ms  "
      "processor %6.2f ms, of them %6.2f in the window's thread\n",
      name.c_str(), views, typed.times.size(), percentile(typed.times, 0.5), percentile(typed.times, 0.95),
      percentile(typed.times, 0.99), typed.times.back(), typed.all_threads, typed.this_thread);
  const auto part = [](const char* what, const std::vector<double>& times) {
    std::printf("  %s p50 %5.2f  p99 %5.2f", what, percentile(times, 0.5), percentile(times, 0.99));
  };
  part("of them the run", typed.runs);
  part("  around it", typed.around);
  part("  painting", typed.paints);
  std::printf("\n");
  std::fflush(stdout);
}

// The same keystrokes while a training runs behind the window that does not end before them.
bool type_beside_training(MainWindow& window, PaintClock& clock, Typist& typist, int count, int views,
                          const Typed& alone) {
  LabTraining training;
  TrainingSettings settings;
  settings.task = "date";
  settings.architecture = "attn_seq2seq";
  settings.epochs = 1000;
  settings.set("hidden_size=128");
  training.start(settings, {});
  while (!training.recording() && training.state() != LabTraining::State::failed) wait(50);
  if (!training.recording()) {
    std::fprintf(stderr, "no training: %s\n", qPrintable(training.error()));
    return false;
  }
  wait(1000);
  const Index before = training.progress().update;
  const std::optional<Typed> typed = type(window, clock, typist, count);
  wait(200);
  if (!typed) return false;
  print(*typed, "  beside a training", views);
  const auto ratio = [&](double p) { return percentile(typed->times, p) / percentile(alone.times, p); };
  std::printf("  beside a training / alone: p50 %.2f  p99 %.2f; meanwhile it made %td updates\n", ratio(0.5),
              ratio(0.99), training.progress().update - before);
  std::fflush(stdout);
  return true;
}

struct Wanted {
  int count = 1000;
  QString panels = "all";
  bool one_letter = false, with_training = false;
};

bool measure(const QString& name, const Wanted& wanted) {
  MainWindow window(MainWindow::Remember::no);
  window.resize(1280, 800);
  window.show();
  window.start(first_document(name.toStdString()));
  wait(500);
  int views = wanted.panels == "all" ? open_all(window) : 0;
  if (wanted.panels != "all" && wanted.panels != "heatmap")
    for (const QString& panel : wanted.panels.split(',')) {
      if (window.panels().raise(panel)) ++views;
    }
  PaintClock clock;
  qApp->installEventFilter(&clock);
  wait(500);
  SourceField* field = window.views().source_bar()->source_field();
  field->setFocus();
  QStringList examples = {field->text()};
  for (const std::string& example : window.session().document().model->examples) examples << from_utf8(example);
  Typist typist(examples, wanted.one_letter);
  const std::optional<Typed> typed = type(window, clock, typist, wanted.count);
  if (!typed) {
    std::fprintf(stderr, "%s: no result within ten seconds\n", qPrintable(name));
    return false;
  }
  print(*typed, window.session().document().model->name, views);
  if (!wanted.with_training) return true;
  Typist same(examples, wanted.one_letter);
  return type_beside_training(window, clock, same, wanted.count, views, *typed);
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  QApplication::setStyle(new Style);
  QStringList arguments = QApplication::arguments().mid(1);
  Wanted wanted;
  wanted.with_training = arguments.removeAll("--with-training") > 0;
  const QString name = arguments.value(0, "all"), how = arguments.value(3);
  if (arguments.size() > 1) wanted.count = arguments[1].toInt();
  if (arguments.size() > 2) wanted.panels = arguments[2];
  wanted.one_letter = how == "letter";
  Style::set_less_motion(how == "still");
  QStringList names = {name};
  if (name == "all") {
    names.clear();
    for (const std::filesystem::path& folder : bundled_models()) names << path_text(folder);
  }
  bool good = true;
  for (const QString& each : names) good = measure(each, wanted) && good;
  return good ? 0 : 1;
}
