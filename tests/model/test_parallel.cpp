// The threads of the process: every part once, pieces that cover the whole, errors, and calls inside calls.

#include <QtTest>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "model/core/parallel.h"
#include "tests/test_program.h"

namespace headlight::test_parallel {

class TestParallel : public QObject {
  Q_OBJECT
 private slots:
  void every_part_once();
  void pieces_cover_the_whole();
  void small_work_stays_here();
  void inner_calls_stay_here();
  void errors_come_back();
  void callers_take_turns();
  void who_works_behind_has_threads_of_its_own();
};

// A caller behind does not keep a large op elsewhere waiting: both have the threads at once.
void TestParallel::who_works_behind_has_threads_of_its_own() {
  std::atomic<bool> begun = false, may_end = false;
  std::atomic<int> parts = 0;
  std::thread behind([&] {
    work_behind();
    work_behind();  // once more changes nothing
    parallel_parts(8, [&](int) {
      begun = true;
      while (!may_end) std::this_thread::yield();
      ++parts;
    });
  });
  while (!begun) std::this_thread::yield();
  std::atomic<int> before = 0;
  parallel_parts(8, [&](int) { ++before; });  // waits for its turn where the threads are the same
  QCOMPARE(before.load(), 8);
  QCOMPARE(parts.load(), 0);
  may_end = true;
  behind.join();
  QCOMPARE(parts.load(), 8);
}

void TestParallel::every_part_once() {
  for (int parts : {0, 1, 2, 3, 64, 1000}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(parts));
    for (int round = 0; round < 50; ++round)
      parallel_parts(parts, [&](int part) { ++seen[static_cast<std::size_t>(part)]; });
    for (const auto& count : seen) QCOMPARE(count.load(), 50);
  }
}

void TestParallel::pieces_cover_the_whole() {
  for (Index count : {0, 1, 7, 8, 9, 100}) {
    std::vector<int> seen(static_cast<std::size_t>(count));
    parallel_for(count, 8, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
    });
    QCOMPARE(std::accumulate(seen.begin(), seen.end(), 0), static_cast<int>(count));
    QVERIFY(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
  }
}

void TestParallel::small_work_stays_here() {
  int calls = 0;
  std::thread::id who;
  parallel_for(8, 8, [&](Index begin, Index end) {
    ++calls;
    who = std::this_thread::get_id();
    QCOMPARE(begin, Index{0});
    QCOMPARE(end, Index{8});
  });
  QCOMPARE(calls, 1);
  QVERIFY(who == std::this_thread::get_id());
}

void TestParallel::inner_calls_stay_here() {
  std::atomic<int> inner{0}, wrong{0};
  parallel_parts(8, [&](int) {
    const auto here = std::this_thread::get_id();
    parallel_for(100, 10, [&](Index begin, Index end) {
      inner += static_cast<int>(end - begin);
      if (std::this_thread::get_id() != here) ++wrong;
    });
    parallel_parts(3, [&](int) {
      ++inner;
      if (std::this_thread::get_id() != here) ++wrong;
    });
  });
  QCOMPARE(inner.load(), 8 * 103);
  QCOMPARE(wrong.load(), 0);
}

void TestParallel::errors_come_back() {
  std::atomic<int> done{0};
  const auto work = [&](int part) {
    ++done;
    if (part == 5) throw std::runtime_error("part 5");
  };
  QVERIFY_EXCEPTION_THROWN(parallel_parts(20, work), std::runtime_error);
  QCOMPARE(done.load(), 20);
  parallel_parts(20, [&](int) { ++done; });  // the threads are there again
  QCOMPARE(done.load(), 40);
}

void TestParallel::callers_take_turns() {
  std::atomic<int> total{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        parallel_parts(3, [&](int) { ++total; });
        parallel_for(30, 10, [&](Index begin, Index end) { total += static_cast<int>(end - begin); });
      }
    });
  for (std::thread& caller : callers) caller.join();
  QCOMPARE(total.load(), 4 * 200 * 33);
}

HEADLIGHT_TEST(TestParallel)

}  // namespace headlight::test_parallel

#include "test_parallel.moc"
