#include <CLI/CLI.hpp>
#include <sstream>

#include "app/cli/pages/command_pages.h"
#include "app/version.h"

namespace headlight {

namespace {

// A line of text: no control line, no escape, and a hyphen of an option can be copied.
std::string roff(const std::string& text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    const bool first = made.empty() || made.back() == '\n';
    if (first && (each == '.' || each == '\'')) made += "\\&";
    if (each == '\\')
      made += "\\e";
    else if (each == '-')
      made += "\\-";
    else if (each == ',' && i + 1 < text.size() && text[i + 1] != ' ')
      made += ",\\:";  // a long list of words may be broken here
    else
      made += each;
  }
  return made;
}

std::string on_one_line(std::string text) {
  for (char& each : text)
    if (each == '\n') each = ' ';
  return text;
}

void write_options(std::ostream& out, const CLI::App& app, bool positional) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() != positional) continue;
    std::string kind = option->get_expected_max() == 0 ? std::string() : option->get_type_name();
    if (!option->get_default_str().empty()) kind += '=' + option->get_default_str();
    out << ".TP\n\\fB" << roff(option->get_name(positional, !positional)) << "\\fR";
    if (!kind.empty()) out << " \\fI" << roff(kind) << "\\fR";
    out << '\n' << roff(on_one_line(option->get_description()));
    if (option->get_required()) out << " (required)";
    out << '\n';
  }
}

// "Examples:" and its lines as they are.
void write_footer(std::ostream& out, const std::string& footer) {
  if (footer.empty()) return;
  std::istringstream lines(footer);
  std::string line;
  out << ".PP\n.nf\n";
  while (std::getline(lines, line)) out << roff(line) << '\n';
  out << ".fi\n";
}

constexpr const char* kEnvironment = R"(.SH ENVIRONMENT
.TP
\fBHEADLIGHT_MODELS\fR, \fBHEADLIGHT_LESSONS\fR, \fBHEADLIGHT_RECORDINGS\fR, \fBHEADLIGHT_TEXTS\fR
Folders of models, lessons, recordings of trainings and texts, in place of those that came with the program.
.SH EXIT STATUS
0: done. 1: a defect of the program. 2: something that whoever called it can mend, said in one line.
)";

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::ostringstream out;
  out << ".TH HEADLIGHT 1 \"\" \"headlight " << kVersion
      << "\"\n.ad l\n.SH NAME\nheadlight \\- attention models, step by step\n"
      << ".SH SYNOPSIS\n\\fBheadlight\\fR [\\fIMODEL\\fR] [\\fIoptions\\fR]\n.br\n"
      << "\\fBheadlight\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH DESCRIPTION\n"
      << roff(app.get_description()) << '\n';
  write_footer(out, app.get_footer());
  out << ".SH OPTIONS\n";
  write_options(out, app, true);
  write_options(out, app, false);
  out << ".SH COMMANDS\n";
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    out << ".SS headlight " << roff(sub->get_name()) << '\n' << roff(sub->get_description()) << '\n';
    write_options(out, *sub, true);
    write_options(out, *sub, false);
    write_footer(out, sub->get_footer());
  }
  out << kEnvironment;
  return out.str();
}

}  // namespace headlight
