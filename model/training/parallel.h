// A fixed set of threads that run the parts of one batch.
#pragma once

#include <functional>
#include <memory>

namespace headlight {

class Workers {
 public:
  // `count` threads in all, the calling one among them.
  explicit Workers(int count);
  ~Workers();
  // Calls work(part) for part in [0, parts), each once, and waits for all. The first exception is thrown on.
  void run(int parts, const std::function<void(int part)>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
