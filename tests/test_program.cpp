// The main function of the test programs: which application a test needs is known from its row.
#include "tests/test_program.h"

#include <QFileInfo>
#include <cstdio>
#include <map>
#include <string>

#include "model/core/kernels.h"
#ifdef HEADLIGHT_WIDGET_TESTS
#include <QApplication>

#include "tests/pinned_desktop.h"
#else
#include <QCoreApplication>
#endif

namespace headlight::testing {

namespace {

struct Row {
  Application application;
  int (*run)(int, char**);
  void (*prepare)();
};
std::map<std::string, Row>& rows() {
  static std::map<std::string, Row> rows;
  return rows;
}

int run(const Row& row, int count, char** arguments) {
#ifdef HEADLIGHT_WIDGET_TESTS
  pin_desktop();
#endif
  if (row.prepare) row.prepare();
  if (row.application == Application::none) return row.run(count, arguments);
#ifdef HEADLIGHT_WIDGET_TESTS
  if (row.application == Application::widgets) {
    QApplication application(count, arguments);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
    QApplication::setCursorFlashTime(0);  // a caret does not blink in pictures
    return row.run(count, arguments);
  }
#endif
  QCoreApplication application(count, arguments);
  return row.run(count, arguments);
}

}  // namespace

bool add_test(const char* file, Application application, int (*run)(int, char**), void (*prepare)()) {
  return rows()
      .emplace(QFileInfo(QString::fromUtf8(file)).baseName().toStdString(), Row{application, run, prepare})
      .second;
}

}  // namespace headlight::testing

int main(int count, char** arguments) {
  headlight::use_better_kernels(arguments);
  using namespace headlight::testing;
  const auto row = count > 1 ? rows().find(arguments[1]) : rows().end();
  if (row == rows().end()) {
    std::fprintf(stderr, "usage: %s TEST [arguments of Qt Test]; the tests are:\n", arguments[0]);
    for (const auto& [name, unused] : rows()) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  arguments[1] = arguments[0];
  return run(row->second, count - 1, arguments + 1);
}
