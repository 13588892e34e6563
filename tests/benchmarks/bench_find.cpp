// Ctrl+K: how long it takes until the field is there with its list, and until the list has followed a key; both with
// what is painted. bench_find [MODEL [TEXT]]: one line each, in milliseconds, the middle of many and the longest.
// QT_QPA_PLATFORM=offscreen build/release/bench_find date-attention

#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "app/document/model_list.h"
#include "app/find/finder.h"
#include "app/find/palette.h"
#include "app/language.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"

namespace {

using namespace headlight;

double milliseconds(const std::function<void()>& what) {
  QElapsedTimer timer;
  timer.start();
  what();
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void tell(const char* name, std::vector<double> times) {
  std::ranges::sort(times);
  std::printf("%-28s %7.2f ms, at most %7.2f ms\n", name, times[times.size() / 2], times.back());
}

}  // namespace

int main(int count, char** arguments) {
  QApplication application(count, arguments);
  load_resources();
  MainWindow window(MainWindow::Remember::no);
  bool shown = false;
  QObject::connect(&window, &MainWindow::resultShown, [&shown] { shown = true; });
  Document document = first_document(count > 1 ? arguments[1] : "date-attention");
  if (count > 2) document.source = arguments[2];
  window.start(std::move(document));
  window.show();
  while (!shown) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  for (int i = 0; i < 10; ++i) QCoreApplication::processEvents();
  FindPalette& palette = *window.finder().palette();
  const auto open = [&] {
    window.finder().open();
    palette.repaint();
  };
  std::printf("%-28s %7.2f ms\n", "opened, the first time", milliseconds(open));
  const auto& models = window.views().source_bar()->models();
  while (models.empty()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  std::printf("%-28s %7d\n", "entries", palette.index().size());
  std::vector<double> opened, keys, none;
  for (int i = 0; i < 30; ++i) {
    window.finder().close();
    opened.push_back(milliseconds(open));
  }
  const auto type = [&](const char* text, std::vector<double>& times) {
    for (int length = 0; text[length]; ++length)
      times.push_back(milliseconds([&] {
        palette.field()->setText(QString::fromUtf8(text, length + 1));
        palette.repaint();
      }));
  };
  for (const char* text : {"softmax", "attention weights", "decoder step 5", "dark mode", "mask"}) type(text, keys);
  for (const char* text : {"sofmax", "atention wieghts", "qqqqqqqq"}) type(text, none);
  tell("opened again", opened);
  tell("a key", keys);
  tell("a key, also where none is", none);
}
