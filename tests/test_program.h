// Every test file says at its end which class it holds and what application that needs; the tests of a folder are one
// program, which runs those named first among its arguments: build/release/tests_model test_ops softmax_by_hand
#pragma once

#include <QTest>

namespace headlight::testing {

enum class Application { none, core, widgets };
// `file` is __FILE__: the test is known by its name without folder and ending.
bool add_test(const char* file, Application application, int (*run)(int, char**), void (*prepare)() = nullptr);
template <class Test>
int run_test(int count, char** arguments) {
  Test test;
  return QTest::qExec(&test, count, arguments);
}
// What a test has as initMain(), before there is an application.
template <class Test>
void prepare_test() {
  QTest::Internal::callInitMain<Test>();
}

}  // namespace headlight::testing

#define HEADLIGHT_TEST_WITH(Class, application)                                            \
  [[maybe_unused]] static const bool test_is_known =                                       \
      headlight::testing::add_test(__FILE__, headlight::testing::Application::application, \
                                   &headlight::testing::run_test<Class>, &headlight::testing::prepare_test<Class>);
#define HEADLIGHT_TEST(Class) HEADLIGHT_TEST_WITH(Class, none)
#define HEADLIGHT_CORE_TEST(Class) HEADLIGHT_TEST_WITH(Class, core)       // timers, signals between threads
#define HEADLIGHT_WIDGET_TEST(Class) HEADLIGHT_TEST_WITH(Class, widgets)  // windows
