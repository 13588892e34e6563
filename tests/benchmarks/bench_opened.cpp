// An opened model of BERT's size in the window: from a key to the tokens above a picture, and with its heads in front
// to those of all layers painted, beside PyTorch's forward pass alone of such an encoder, with its attention weights
// returned.
//
//   /usr/bin/python3 tests/benchmarks/make_models.py /tmp/models bert
//   QT_QPA_PLATFORM=offscreen build/release/bench_opened /tmp/models/bert [ROUNDS]
//
// With --chat, typing in a chat: letters behind what the user says last, in a chat of three messages, with the heads,
// Choosing and the KV cache in front in turn; beside each the run of the model alone. The frame is kept where the
// slowest of a hundred keystrokes takes 4 ms more than the slowest of a hundred runs.
//
//   /usr/bin/python3 tests/benchmarks/make_models.py /tmp/models chat
//   QT_QPA_PLATFORM=offscreen build/release/bench_opened /tmp/models/chat --chat [KEYSTROKES [PICTURE]]
//
// Every letter of the text is a token; a letter is typed behind it and deleted again, and the time of the letter
// counts. PyTorch runs at each of three thread settings and its best one counts; rounds alternate between the sides,
// and the ratio is between the medians.

#include <QApplication>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "app/document/model_list.h"
#include "app/text/chat_field.h"
#include "app/text/chat_rows.h"
#include "model/core/clock.h"
#include "model/core/json_library.h"
#include "tests/benchmarks/keystrokes.h"
#include "tests/benchmarks/threads_of_pytorch.h"
#include "widgets/base/style.h"
#include "widgets/views/tokens/token_strip.h"

using namespace headlight;
using namespace headlight::benchmarks;

namespace {

constexpr int kStrokes = 20;  // in a round

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? -1 : values[values.size() / 2];
}

// When the tokens of a text of this length are painted first.
class StripClock : public QObject {
 public:
  StripClock(const TokenStrip* strip, const PaintClock* clock) : strip_(strip), clock_(clock) {}
  void wait_for(int tokens) {
    tokens_ = tokens;
    painted = -1;
  }
  double painted = -1;  // ms

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint && watched == strip_->viewport() && painted < 0 &&
        strip_->token_count() == tokens_)
      painted = static_cast<double>(clock_->clock.nsecsElapsed()) * 1e-6;
    return QObject::eventFilter(watched, event);
  }

 private:
  const TokenStrip* strip_;
  const PaintClock* clock_;
  int tokens_ = -1;
};

// Of so many tokens with those at both ends, but for the last letter.
QString text_before(int tokens) {
  QString text;
  for (int word = 0; word < tokens - 3; ++word) text += QChar('a' + word % 26) + QStringLiteral(" ");
  return text;
}

// A letter behind the text, and back: from the key to the tokens, and to all of the picture in front.
class Letters {
 public:
  Letters(MainWindow& window, int tokens) : window_(window), strip_(window.views().tokens(), &clock_), tokens_(tokens) {
    qApp->installEventFilter(&clock_);
    qApp->installEventFilter(&strip_);
  }
  // Adds milliseconds; false when there was no result.
  bool type(std::vector<double>& to_tokens, std::vector<double>& to_picture) {
    SourceField* field = window_.views().source_bar()->source_field();
    field->setFocus();
    field->setCursorPosition(static_cast<int>(field->text().size()));
    for (int stroke = -2; stroke < kStrokes; ++stroke) {
      strip_.wait_for(tokens_);
      const double ms = keystroke(window_, clock_, {Qt::Key_unknown, "z"});
      if (ms < 0) return std::fprintf(stderr, "no result within ten seconds\n"), false;
      if (stroke >= 0) {  // the first ones fill caches
        if (strip_.painted >= 0) to_tokens.push_back(strip_.painted);
        to_picture.push_back(ms);
        runs.push_back(1e3 * window_.result()->seconds);
      }
      wait(1);
      strip_.wait_for(-1);
      keystroke(window_, clock_, {Qt::Key_Backspace, {}});
      wait(1);
    }
    return true;
  }
  std::vector<double> runs;  // ms, of the model alone

 private:
  MainWindow& window_;
  PaintClock clock_;
  StripClock strip_;
  int tokens_;
};

bool measure(MainWindow& window, int tokens, int rounds) {
  window.session().set_source(text_before(tokens));
  wait(1500);
  Letters letters(window, tokens);
  std::vector<double> to_tokens, to_heads, none;
  std::array<std::vector<double>, kThreadSettings.size()> other;
  for (int round = 0; round < rounds; ++round) {
    // The tokens stand above the picture, or on its axes: there is no strip above the heads.
    for (const auto& [picture, tokens_of, all_of] :
         {std::tuple("outputs", &to_tokens, &none), std::tuple("heads", &none, &to_heads)}) {
      if (!window.panels().raise(picture))
        return std::fprintf(stderr, "this model has no %s to show\n", picture), false;
      wait(500);
      letters.runs.clear();
      if (!letters.type(*tokens_of, *all_of)) return false;
    }
    for (std::size_t k = 0; k < kThreadSettings.size(); ++k)
      other[k].push_back(
          1e3 * seconds_of_pytorch(kThreadSettings[k], "time_transformer.py " + std::to_string(tokens) + " 9"));
  }
  if (to_tokens.empty()) return std::fprintf(stderr, "the tokens were never painted\n"), false;
  double best = -1;
  for (const std::vector<double>& times : other)
    if (const double time = median(times); time > 0) best = best < 0 ? time : std::min(best, time);
  std::printf(
      "%3d tokens: from a key to the tokens %5.1f ms (at most %.1f), to the heads painted %6.1f ms (of them the run "
      "%.1f)",
      tokens, median(to_tokens), *std::ranges::max_element(to_tokens), median(to_heads), median(letters.runs));
  if (best > 0) std::printf("; PyTorch's pass alone %6.1f ms, ratio %.2f", best, median(to_heads) / best);
  std::printf("\n");
  std::fflush(stdout);
  return true;
}

SharedJson small_chat() {
  Json messages = Json::array();
  for (const auto& [role, content] :
       {std::pair("user", "What is a cat?"), {"assistant", "It purrs."}, {"user", "And a dog"}})
    messages.push_back({{"role", role}, {"content", content}});
  return SharedJson(Json{{"messages", std::move(messages)}, {"generation_prompt", true}});
}

// What a key takes beside its run: before it (the text changes, its tokens are read), behind it (the result is told and
// shown, and painted), and what the window's thread had of the processor behind it, which no other program lengthens.
class Parts : public QObject {
 public:
  explicit Parts(MainWindow& window) {
    connect(&window, &MainWindow::resultShown, this, [this] {
      told_ = steady_seconds();
      from_ = delivered_;
    });
    window_thread = std::this_thread::get_id();
    run_clock = &Parts::look;
    qApp->installEventFilter(this);
  }
  ~Parts() override { run_clock = &steady_seconds; }
  void begin() {
    run_begun = run_ended = 0;
    key_ = steady_seconds();
  }
  void end(double ms) {
    before.push_back(1e3 * (run_begun - key_));
    behind.push_back(1e3 * (told_ - run_ended));
    painting.push_back(ms - 1e3 * (told_ - key_));
    processor.push_back(1e3 * (thread_seconds() - from_));
  }
  std::vector<double> before, behind, painting, processor;  // ms

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::MetaCall) delivered_ = thread_seconds();
    return QObject::eventFilter(watched, event);
  }

 private:
  static inline std::thread::id window_thread;
  static inline std::atomic<double> run_begun = 0, run_ended = 0;
  // The first look at the clock elsewhere begins a run, the last one ends it.
  static double look() {
    const double now = steady_seconds();
    if (std::this_thread::get_id() == window_thread) return now;
    double none = 0;
    run_begun.compare_exchange_strong(none, now);
    run_ended = now;
    return now;
  }
  double key_ = 0, told_ = 0, delivered_ = 0, from_ = 0;
};

bool measure_chat(MainWindow& window, int strokes, const std::string& only) {
  window.session().set_chat(small_chat(), {});
  const auto answered = [&window] { return window.result() && window.result()->chat_text; };
  for (int tenths = 0; tenths < 300 && !answered(); ++tenths) wait(100);  // the first run of a large model
  wait(1000);
  ChatRows* chat = window.views().source_bar()->chat();
  if (chat->isHidden() || !answered()) return std::fprintf(stderr, "this model has no chat template\n"), false;
  PaintClock clock;
  qApp->installEventFilter(&clock);
  for (const char* picture : {"heads", "choosing", "kv-cache"}) {
    if ((!only.empty() && only != picture) || !window.panels().raise(picture)) continue;
    wait(1000);
    ChatField* field = chat->field(chat->count() - 1);
    field->setFocus();
    field->moveCursor(QTextCursor::End);
    std::vector<double> times, runs;
    Parts parts(window);
    for (int stroke = -4; stroke < strokes; ++stroke) {
      const Stroke key = stroke % 2 == 0 ? Stroke{Qt::Key_unknown, "s"} : Stroke{Qt::Key_Backspace, {}};
      parts.begin();
      const double ms = keystroke(window, clock, key, field);
      if (ms < 0) return std::fprintf(stderr, "no result within ten seconds\n"), false;
      if (stroke >= 0) {  // the first ones fill caches
        parts.end(ms);
        times.push_back(ms);
        runs.push_back(1e3 * window.result()->seconds);
      }
      wait(1);
    }
    std::ranges::sort(times);
    std::ranges::sort(runs);
    std::printf(
        "%-9s %zu tokens: a key to all painted p50 %6.1f  p99 %6.1f ms, the run alone p50 %6.1f  p99 %6.1f ms\n",
        picture, window.result()->tokens.size(), percentile(times, 0.5), percentile(times, 0.99), percentile(runs, 0.5),
        percentile(runs, 0.99));
    for (const auto& [name, part] : {std::pair("before the run", &parts.before),
                                     {"until it is shown", &parts.behind},
                                     {"until it is painted", &parts.painting},
                                     {"of the processor", &parts.processor}}) {
      std::ranges::sort(*part);
      std::printf("  %-24s p50 %6.1f  p99 %6.1f ms\n", name, percentile(*part, 0.5), percentile(*part, 0.99));
    }
    std::fflush(stdout);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: bench_opened FOLDER [--chat] [ROUNDS]\n"), 2;
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  QApplication::setStyle(new Style);
  Style::set_less_motion(true);
  MainWindow window(MainWindow::Remember::no);
  window.resize(1280, 800);
  window.show();
  window.start(first_document(argv[1]));
  wait(1000);
  if (argc > 2 && std::string(argv[2]) == "--chat")
    return measure_chat(window, argc > 3 ? std::atoi(argv[3]) : 100, argc > 4 ? argv[4] : "") ? 0 : 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  bool good = true;
  for (const int tokens : {16, 64}) good = measure(window, tokens, rounds) && good;
  return good ? 0 : 1;
}
