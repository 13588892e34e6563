// How far a list of texts is, on standard error: one line that is written over on a terminal, else a line now and then.
#pragma once

#include <cstddef>

namespace headlight {

class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void tell(std::size_t done, std::size_t of, const char* what);
  void clear();

 private:
  bool quiet_, line_open_ = false;
  double told_ = 0;  // when
};

}  // namespace headlight
