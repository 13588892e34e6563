// The exceptions that cross module borders. They are caught once: at the job boundary of the window, and in main().
#pragma once

#include <stdexcept>
#include <string>

namespace headlight {

// Base of everything that a person can mend: the text says what and where in plain words and is shown as it is.
struct Error : std::runtime_error {
  explicit Error(const std::string& text) : std::runtime_error(whole(text)) {}

 private:
  // what() ends at a zero byte, and a name from a file may have one: it is written out, so that nothing behind it is lost.
  static std::string whole(std::string text) {
    for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos;) text.replace(at, 1, "\\x00");
    return text;
  }
};

// A file or folder that cannot be opened, read, or written (missing, read-only, disk full).
struct FileError : Error {
  using Error::Error;
};

// Content that is not what its format or its configuration promises.
struct FormatError : Error {
  using Error::Error;
};

// A setting, name or option that does not exist or does not fit.
struct UsageError : Error {
  using Error::Error;
};

// Tensors whose shapes do not fit an operation: a defect of the caller, never of the user's data.
struct ShapeError : std::logic_error {
  using std::logic_error::logic_error;
};

// Thrown out of a computation that nobody waits for any more.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace headlight
