// The arguments before they are parsed: each option with its value apart, so that nothing has to be guessed.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace headlight {

// The parser would take the next argument for the value of '--source=', whatever it is, and read 'run M --soruce x' as
// three models. Here every option is one of its command, stands behind it, comes once and has a value where it needs
// one.
class Arguments {
 public:
  // Throws UsageError; command() is then that of the argument that is wrong.
  Arguments(const CLI::App& program, int count, const char* const* arguments);
  void read();

  std::string command() const;                                                            // "headlight run"
  std::vector<std::string> for_parser() const { return {read_.rbegin(), read_.rend()}; }  // it takes them from the end

 private:
  void read_option(const std::string& argument);
  void read_positional(const std::string& argument);
  void add_value(const CLI::Option& option, const std::string& name, const std::string* value);
  const CLI::Option& option(const std::string& name, const std::string& written) const;

  const CLI::App& program_;
  const CLI::App* command_;
  std::vector<std::string> left_, read_;  // left: from the end
  std::map<const CLI::Option*, int> given_;
};

}  // namespace headlight
