#include "app/cli/pages/command_pages.h"

#include <CLI/CLI.hpp>
#include <sstream>
#include <vector>

#include "model/io/model_folder.h"

namespace headlight {

namespace {

struct OptionWords {
  std::vector<std::string> names;    // as they are written, -s and --source
  std::vector<std::string> choices;  // of what may follow; empty: anything, often a file
  std::string help;                  // its first line
  bool takes = false;                // something follows
};

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

// "{a,b}" is how word_option() writes its words.
std::vector<std::string> choices_of(const std::string& kind) {
  std::vector<std::string> found;
  if (kind.size() < 2 || kind.front() != '{' || kind.back() != '}') return found;
  std::istringstream words(kind.substr(1, kind.size() - 2));
  for (std::string word; std::getline(words, word, ',');) found.push_back(word);
  return found;
}

std::vector<OptionWords> options_of(const CLI::App& app) {
  std::vector<OptionWords> all;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) continue;
    OptionWords words;
    for (const std::string& name : option->get_snames()) words.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) words.names.push_back("--" + name);
    words.takes = option->get_expected_max() > 0;
    if (words.takes) words.choices = choices_of(option->get_type_name());
    words.help = first_line(option->get_description());
    all.push_back(std::move(words));
  }
  return all;
}

// Between single quotes of a shell.
std::string for_shell(const std::string& text) {
  std::string made = "'";
  for (const char each : text) made += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return made + "'";
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& folder : bundled_models()) names.push_back(folder.filename().string());
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : commands_of(app)) names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> all_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const OptionWords& words : options_of(app)) names.insert(names.end(), words.names.begin(), words.names.end());
  return names;
}

void bash_case(std::ostream& out, const CLI::App& app, const std::string& command) {
  out << "    " << command << ")\n      case $previous in\n";
  for (const OptionWords& words : options_of(app))
    if (words.takes)
      out << "        " << joined(words.names, "|") << ") "
          << (words.choices.empty() ? std::string("COMPREPLY=()")
                                    : "COMPREPLY=($(compgen -W " + for_shell(joined(words.choices)) + " -- \"$current\"))")
          << "; return ;;\n";
  out << "      esac\n      words=" << for_shell(joined(all_names(app))) << " ;;\n";
}

std::string bash_completion(const CLI::App& app) {
  std::ostringstream out;
  const std::string commands = joined(command_names(app), "|");
  out << "_headlight() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words= word\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case $word in "
      << commands
      << ") command=$word; break ;; esac\n  done\n"
         "  case $command in\n";
  bash_case(out, app, "''");
  for (const CLI::App* sub : commands_of(app)) bash_case(out, *sub, sub->get_name());
  out << "  esac\n  if [[ $current == -* ]]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n  else\n"
      << "    words=" << for_shell(joined(model_names())) << "\n    [[ -z $command ]] && words+=' "
      << joined(command_names(app))
      << "'\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n  fi\n}\n"
         "complete -o default -o bashdefault -F _headlight headlight\n";
  return out.str();
}

// Brackets and colons end a description of zsh.
std::string zsh_help(const std::string& text) {
  std::string made;
  for (const char each : text) made += (each == '[' || each == ']' || each == ':' ? "\\" : "") + std::string(1, each);
  return made;
}

void zsh_arguments(std::ostream& out, const CLI::App& app, const char* indent) {
  for (const OptionWords& words : options_of(app))
    for (const std::string& name : words.names) {
      std::string spec = name + "[" + zsh_help(words.help) + "]";
      if (words.takes) spec += words.choices.empty() ? ":value:_files" : ":value:(" + joined(words.choices) + ")";
      out << indent << for_shell(spec) << " \\\n";
    }
}

std::string zsh_completion(const CLI::App& app) {
  std::ostringstream out;
  const std::string models = joined(model_names());
  out << "#compdef headlight\n_headlight() {\n  local -a commands\n  commands=(\n";
  for (const CLI::App* sub : commands_of(app))
    out << "    " << for_shell(sub->get_name() + ":" + first_line(sub->get_description())) << '\n';
  out << "  )\n  local command=${words[2]}\n  case $command in\n";
  for (const CLI::App* sub : commands_of(app)) {
    out << "    " << sub->get_name() << ")\n      shift words; (( CURRENT-- ))\n      _arguments \\\n";
    zsh_arguments(out, *sub, "        ");
    out << "        '*:argument:{_alternative \"models:model:(" << models << ")\" \"files:file:_files\"}' ;;\n";
  }
  out << "    *)\n      _arguments \\\n";
  zsh_arguments(out, app, "        ");
  out << "        '1:command or model:{_describe command commands; compadd " << models
      << "; _files}' ;;\n  esac\n}\n_headlight \"$@\"\n";
  return out.str();
}

void fish_options(std::ostream& out, const CLI::App& app, const std::string& when) {
  for (const OptionWords& words : options_of(app)) {
    out << "complete -c headlight -n " << for_shell(when);
    for (const std::string& name : words.names)
      out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
    if (words.takes) out << (words.choices.empty() ? " -r" : " -x -a " + for_shell(joined(words.choices)));
    out << " -d " << for_shell(words.help) << '\n';
  }
}

std::string fish_completion(const CLI::App& app) {
  std::ostringstream out;
  const std::string none = "not __fish_seen_subcommand_from " + joined(command_names(app));
  for (const CLI::App* sub : commands_of(app))
    out << "complete -c headlight -n " << for_shell(none) << " -a " << sub->get_name() << " -d "
        << for_shell(first_line(sub->get_description())) << '\n';
  out << "complete -c headlight -a " << for_shell(joined(model_names())) << '\n';
  fish_options(out, app, none);
  for (const CLI::App* sub : commands_of(app))
    fish_options(out, *sub, "__fish_seen_subcommand_from " + sub->get_name());
  return out.str();
}

}  // namespace

std::vector<std::string> command_page_names() { return {"man", "bash", "zsh", "fish"}; }

std::string command_page(const CLI::App& app, const std::string& name) {
  if (name == "man") return manual_page(app);
  return name == "bash" ? bash_completion(app) : name == "zsh" ? zsh_completion(app) : fish_completion(app);
}

}  // namespace headlight
