#include "app/cli/command_line_arguments.h"

#include <filesystem>

#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

bool looks_like_option(const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; }
bool is_long(const std::string& argument) { return argument.starts_with("--"); }
std::string name_part(const std::string& argument) {
  return is_long(argument) ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
}
bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::string shown(const CLI::App& command) {
  return command.get_parent() ? "headlight " + command.get_name() : "headlight";
}

// Where an option belongs that this command does not have: to another one, or to nothing.
std::string place_of(const std::string& name, const CLI::App& program, const CLI::App& command) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  if (const std::string near = did_you_mean(name, known); !near.empty()) return near;
  for (const CLI::App* other : program.get_subcommands({}))
    if (other->get_option_no_throw(name)) return "; it belongs to '" + shown(*other) + "'";
  return program.get_option_no_throw(name) ? "; it belongs to 'headlight' without a command" : std::string();
}

// A word that is no model, but nearly a command.
std::string meant_command(const std::string& word, const CLI::App& program) {
  std::vector<std::string> commands;
  for (const CLI::App* command : program.get_subcommands({})) commands.push_back(command->get_name());
  std::string near = nearest(word, commands);
  std::error_code error;
  if (near.empty() || std::filesystem::exists(word, error)) return {};
  for (const std::filesystem::path& folder : bundled_models())
    if (folder.filename() == word) return {};
  return near;
}

}  // namespace

Arguments::Arguments(const CLI::App& program, int count, const char* const* arguments)
    : program_(program), command_(&program) {
  for (int i = count - 1; i > 0; --i) left_.emplace_back(arguments[i]);
}

void Arguments::read() {
  while (!left_.empty()) {
    const std::string argument = left_.back();
    left_.pop_back();
    if (argument == "--") {  // nothing behind it is an option
      read_.push_back(argument);
      read_.insert(read_.end(), left_.rbegin(), left_.rend());
      left_.clear();
    } else if (looks_like_option(argument)) {
      read_option(argument);
    } else {
      read_positional(argument);
    }
  }
}

std::string Arguments::command() const { return shown(*command_); }

const CLI::Option& Arguments::option(const std::string& name, const std::string& written) const {
  if (const CLI::Option* found = command_->get_option_no_throw(name)) return *found;
  throw UsageError("'" + shown(*command_) + "' has no option " + written + place_of(name, program_, *command_));
}

void Arguments::read_option(const std::string& argument) {
  const std::string name = name_part(argument);
  const CLI::Option& found = option(name, is_long(argument) ? name : argument);
  std::string rest = argument.substr(name.size());
  if (!is_flag(found)) {
    if (is_long(argument) && !rest.empty()) rest.erase(0, 1);  // the equals sign
    return add_value(found, name, name.size() < argument.size() ? &rest : nullptr);
  }
  if (!rest.empty() && is_long(argument)) throw UsageError(name + ": takes no value, found '" + rest.substr(1) + "'");
  if (!rest.empty()) left_.push_back("-" + rest);  // -qh
  if (given_[&found]++ == 0) read_.push_back(name);
}

void Arguments::add_value(const CLI::Option& option, const std::string& name, const std::string* value) {
  if (given_[&option]++ > 0 && option.get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
    throw UsageError(name + ": expected once, found twice");
  if (!value) {
    if (left_.empty()) throw UsageError(name + ": expected a value behind it, found nothing");
    const std::string next = left_.back();
    if (looks_like_option(next) && command_->get_option_no_throw(next))
      throw UsageError(name + ": expected a value behind it, found the option " + next);
    left_.pop_back();
    read_.insert(read_.end(), {name, next});
  } else {
    read_.insert(read_.end(), {name, *value});
  }
}

void Arguments::read_positional(const std::string& argument) {
  if (command_ == &program_) {
    for (const CLI::App* command : program_.get_subcommands({})) {
      if (command->get_name() != argument) continue;
      if (!read_.empty())
        throw UsageError("'" + read_.front() + "' stands before the command '" + argument + "', expected it behind");
      command_ = command;
    }
    if (const std::string near = command_ == &program_ ? meant_command(argument, program_) : ""; !near.empty())
      throw UsageError("there is no command or model '" + argument + "'; did you mean '" + near + "'?");
  }
  read_.push_back(argument);
}

}  // namespace headlight
