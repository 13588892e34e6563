// A thread for work that is done one after the other; or slices of the main thread, where there are none (slices.h).
#pragma once

#include <functional>
#include <memory>
#include <thread>

namespace headlight {

class WorkQueue {
 public:
  WorkQueue();
  ~WorkQueue();  // drops what has not begun, and waits
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // As on a thread, what it throws ends the program.
  void start(std::function<void()> work);
  void clear();  // drops what has not begun
  void wait();   // until all is done

 private:
  struct Shared;
  static void run(const std::shared_ptr<Shared>& shared);
  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace headlight
