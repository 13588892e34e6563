// Every option of every command with values that it cannot have: one line that names it, and nothing is run.

#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "app/cli/command_line.h"
#include "tests/test_program.h"

namespace headlight::test_arguments {

namespace {

enum class Kind { text, name, list, names, word, size, length, number, whole, flag };

struct OptionRow {
  const char *command, *name;
  Kind kind;
  const char *low = "", *high = "", *below = "", *above = "";  // of numbers: the bounds, and what is just outside
};

constexpr const char *kSeed = "18446744073709551615", *kSeedAbove = "18446744073709551616";

constexpr OptionRow kOptions[] = {
    {"", "--source", Kind::text},
    {"", "--second", Kind::text},
    {"", "--target", Kind::text},
    {"", "--adapter", Kind::name},
    {"", "--adapter-scale", Kind::number, "-10", "10", "-11", "11"},
    {"run", "--adapter", Kind::name},
    {"run", "--adapter-scale", Kind::number, "-10", "10", "-11", "11"},
    {"render", "--adapter", Kind::name},
    {"render", "--adapter-scale", Kind::number, "-10", "10", "-11", "11"},
    {"evaluate", "--adapter", Kind::name},
    {"evaluate", "--adapter-scale", Kind::number, "-10", "10", "-11", "11"},
    {"compare", "--adapter", Kind::name},
    {"compare", "--adapter-scale", Kind::number, "-10", "10", "-11", "11"},
    {"inspect", "--adapter", Kind::name},
    {"inspect", "--adapter-scale", Kind::number, "-10", "10", "-11", "11"},
    {"verify", "--adapter", Kind::name},
    {"verify", "--adapter-scale", Kind::number, "-10", "10", "-11", "11"},
    {"", "--no-threads", Kind::flag},
    {"run", "--source", Kind::text},
    {"run", "--texts", Kind::name},
    {"run", "--target", Kind::text},
    {"run", "--decode", Kind::word},
    {"run", "--beam", Kind::whole, "1", "256", "0", "257"},
    {"run", "--alpha", Kind::number, "0", "10", "-0.001", "10.001"},
    {"run", "--beta", Kind::number, "0", "10", "-1", "11"},
    {"run", "--length-norm", Kind::word},
    {"run", "--temperature", Kind::number, "0", "1000", "-1e-9", "1001"},
    {"run", "--top-k", Kind::whole, "0", "1000000", "-1", "1000001"},
    {"run", "--top-p", Kind::number, "0.000001", "1", "0", "1.01"},
    {"run", "--seed", Kind::whole, "0", kSeed, "-1", kSeedAbove},
    {"run", "--set", Kind::list},
    {"run", "--edit", Kind::list},
    {"run", "--dump", Kind::name},
    {"run", "--ids", Kind::name},
    {"run", "--type-ids", Kind::name},
    {"run", "--second", Kind::text},
    {"run", "--target-ids", Kind::name},
    {"run", "--target-language", Kind::name},
    {"run", "--new-tokens", Kind::whole, "0", "100000", "-1", "100001"},
    {"run", "--choose", Kind::name},
    {"run", "--names", Kind::word},
    {"run", "--mapping", Kind::name},
    {"run", "--json", Kind::flag},
    {"run", "--pharaoh", Kind::flag},
    {"render", "--source", Kind::text},
    {"render", "--second", Kind::text},
    {"render", "--target", Kind::text},
    {"render", "--text", Kind::whole, "0", "1000000000", "-1", "1000000001"},
    {"render", "--set", Kind::list},
    {"render", "--edit", Kind::list},
    {"render", "--view", Kind::word},
    {"render", "--out", Kind::name},
    {"render", "--frames", Kind::word},
    {"render", "--theme", Kind::word},
    {"render", "--language", Kind::word},
    {"render", "--size", Kind::size},
    {"render", "--width", Kind::length},
    {"render", "--font-size", Kind::length},
    {"render", "--texts", Kind::name},
    {"render", "--side", Kind::word},
    {"render", "--layer", Kind::whole, "0", "1000000", "-1", "1000001"},
    {"render", "--head", Kind::whole, "0", "1000000", "-1", "1000001"},
    {"render", "--token", Kind::whole, "0", "1000000", "-1", "1000001"},
    {"render", "--count-from", Kind::whole, "0", "1", "-1", "2"},
    {"render", "--scale", Kind::whole, "1", "4", "0", "5"},
    {"render", "--step", Kind::whole, "0", "1000000000", "-1", "1000000001"},
    {"render", "--level", Kind::whole, "1", "5", "0", "6"},
    {"train", "--architecture", Kind::name},
    {"train", "--out", Kind::name},
    {"train", "--files", Kind::names},
    {"train", "--skip-bad-lines", Kind::flag},
    {"train", "--epochs", Kind::whole, "1", "100000", "0", "100001"},
    {"train", "--seed", Kind::whole, "0", kSeed, "-1", kSeedAbove},
    {"train", "--set", Kind::list},
    {"train", "--title", Kind::text},
    {"train", "--licence", Kind::text},
    {"train", "--data-note", Kind::text},
    {"train", "--resume", Kind::flag},
    {"train", "--half", Kind::flag},
    {"train", "--quiet", Kind::flag},
    {"train", "--probe", Kind::list},
    {"train", "--record", Kind::name},
    {"train", "--record-weights", Kind::word},
    {"train", "--preset", Kind::name},
    {"evaluate", "--texts", Kind::name},
    {"evaluate", "--task", Kind::name},
    {"evaluate", "--files", Kind::names},
    {"evaluate", "--held-out", Kind::flag},
    {"evaluate", "--skip-bad-lines", Kind::flag},
    {"evaluate", "--limit", Kind::whole, "1", "10000000", "0", "10000001"},
    {"evaluate", "--by-length", Kind::flag},
    {"evaluate", "--json", Kind::flag},
    {"compare", "--by", Kind::word},
    {"compare", "--metric", Kind::name},
    {"compare", "--task", Kind::name},
    {"compare", "--limit", Kind::whole, "1", "10000000", "-5", "10000001"},
    {"compare", "--out", Kind::name},
    {"compare", "--csv", Kind::name},
    {"compare", "--title", Kind::text},
    {"compare", "--theme", Kind::word},
    {"compare", "--size", Kind::size},
    {"compare", "--source", Kind::text},
    {"compare", "--ids", Kind::name},
    {"compare", "--target-ids", Kind::name},
    {"compare", "--new-tokens", Kind::whole, "0", "100000", "-1", "100001"},
    {"compare", "--json", Kind::flag},
    {"experiment", "--out", Kind::name},
    {"experiment", "--seed", Kind::whole, "0", kSeed, "-1", kSeedAbove},
    {"experiment", "--seeds", Kind::whole, "1", "1000", "0", "1001"},
    {"experiment", "--trials", Kind::whole, "1", "1000000", "0", "1000001"},
    {"experiment", "--epochs", Kind::whole, "1", "100000", "0", "100001"},
    {"experiment", "--limit", Kind::whole, "1", "10000000", "0", "10000001"},
    {"experiment", "--texts", Kind::name},
    {"experiment", "--set", Kind::list},
    {"experiment", "--format", Kind::word},
    {"experiment", "--theme", Kind::word},
    {"experiment", "--size", Kind::size},
    {"experiment", "--quiet", Kind::flag},
    {"inspect", "--dump", Kind::name},
    {"inspect", "--mapping", Kind::name},
    {"inspect", "--json", Kind::flag},
    {"verify", "--partial", Kind::flag},
    {"chat", "--messages", Kind::name},
    {"chat", "--generation-prompt", Kind::flag},
    {"chat", "--continue", Kind::flag},
    {"chat", "--tools", Kind::name},
    {"chat", "--documents", Kind::name},
    {"chat", "--template", Kind::name},
    {"chat", "--set", Kind::list},
    {"chat", "--now", Kind::name},
    {"chat", "--json", Kind::flag},
    {"choose", "--logits", Kind::name},
    {"choose", "--key", Kind::name},
    {"choose", "--prefix", Kind::text},
    {"choose", "--prompt-length", Kind::whole, "0", "1000000", "-1", "1000001"},
    {"choose", "--encoder-ids", Kind::name},
    {"choose", "--max-length", Kind::whole, "1", "1000000", "0", "1000001"},
    {"choose", "--settings", Kind::name},
    {"choose", "--json", Kind::flag},
    {"lesson", "--list", Kind::flag},
    {"lesson", "--json", Kind::flag},
    {"lesson", "--check", Kind::flag},
    {"lesson", "--step", Kind::whole, "1", "1000", "0", "1001"},
    {"lesson", "--worksheet", Kind::name},
    {"lesson", "--answers", Kind::name},
    {"lesson", "--slides", Kind::name},
    {"lesson", "--paper", Kind::word},
    {"lesson", "--theme", Kind::word},
    {"lesson", "--language", Kind::name},
    {"lesson", "--no-threads", Kind::flag},
    {"recording", "--json", Kind::flag},
    {"recording", "--csv", Kind::flag},
    {"recording", "--marks", Kind::flag},
    {"tokenize", "--texts", Kind::name},
    {"tokenize", "--plain", Kind::flag},
    {"tokenize", "--target", Kind::flag},
    {"tokenize", "--json", Kind::flag},
    {"analyse", "--source", Kind::text},
    {"analyse", "--second", Kind::text},
    {"analyse", "--output", Kind::text},
    {"analyse", "--texts", Kind::name},
    {"analyse", "--side", Kind::word},
    {"analyse", "--pair", Kind::name},
    {"analyse", "--head", Kind::name},
    {"analyse", "--rows", Kind::name},
    {"analyse", "--target", Kind::word},
    {"analyse", "--a", Kind::name},
    {"analyse", "--b", Kind::name},
    {"analyse", "--at", Kind::whole, "0", "1000000", "-1", "1000001"},
    {"analyse", "--unit", Kind::whole, "0", "1000000", "-1", "1000001"},
    {"analyse", "--off", Kind::word},
    {"analyse", "--other", Kind::text},
    {"analyse", "--links", Kind::name},
    {"analyse", "--number", Kind::name},
    {"analyse", "--rule", Kind::word},
    {"analyse", "--threshold", Kind::number, "0", "1", "-0.1", "1.01"},
    {"analyse", "--length", Kind::whole, "2", "4096", "1", "4097"},
    {"analyse", "--repeats", Kind::whole, "1", "1000", "0", "1001"},
    {"analyse", "--seed", Kind::whole, "0", kSeed, "-1", kSeedAbove},
    {"analyse", "--count-from", Kind::whole, "0", "1", "-1", "2"},
    {"analyse", "--out", Kind::name},
    {"analyse", "--inputs", Kind::name},
    {"analyse", "--dump", Kind::name},
    {"analyse", "--json", Kind::flag},
    {"analyse", "--quiet", Kind::flag},
};

// A line that is right, by command.
QStringList right_line(const QString& command) {
  if (command == "run") return {"run", "m", "--source", "x"};
  if (command == "render") return {"render", "m", "--source", "x", "--view", "window", "--out", "x.png"};
  if (command == "train") return {"train", "date", "--architecture", "luong", "--out", "x"};
  if (command == "experiment") return {"experiment", "scaling"};
  if (command == "tokenize") return {"tokenize", "m", "--texts", "t.json"};
  if (command == "chat") return {"chat", "m", "--messages", "t.json"};
  if (command == "analyse") return {"analyse", "summary", "m"};
  if (command == "choose") return {"choose", "--logits", "l.npz", "--prefix", "1", "--settings", "s.json"};
  return command.isEmpty() ? QStringList{"./m"} : QStringList{command, "m"};
}

QStringList line_without(const QString& command, const QString& option) {
  QStringList line = right_line(command);
  if (const qsizetype at = line.indexOf(option); at >= 0) line.remove(at, 2);
  return line;
}

std::variant<Command, NothingToRun> parsed(const QStringList& arguments) {
  std::vector<std::string> texts = {"headlight"};
  for (const QString& argument : arguments) texts.push_back(argument.toStdString());
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return parse_command_line(static_cast<int>(pointers.size()), pointers.data());
}

// What is wrong with a line; empty: nothing.
QString problem(const QStringList& arguments) {
  const auto result = parsed(arguments);
  const auto* nothing = std::get_if<NothingToRun>(&result);
  if (!nothing) return {};
  return nothing->status == 2 ? QString::fromStdString(nothing->text).trimmed() : "status is not 2";
}

bool is_list(Kind kind) { return kind == Kind::list || kind == Kind::names; }

}  // namespace

class TestArguments : public QObject {
  Q_OBJECT

  static void refused(const QStringList& arguments, const QString& expected) {
    const QString text = problem(arguments);
    const QString shown = arguments.join(' ') + "\n  " + text;
    QVERIFY2(text.contains(expected), qPrintable(shown));
    QVERIFY2(!text.contains('\n'), qPrintable(shown));
    QVERIFY2(text.toUtf8().size() <= 500, qPrintable(shown));
    QVERIFY2(text.endsWith("--help')"), qPrintable(shown));
  }
  static void accepted(const QStringList& arguments) {
    QVERIFY2(problem(arguments).isEmpty(), qPrintable(arguments.join(' ') + "\n  " + problem(arguments)));
  }
  static void every_option() {
    QTest::addColumn<int>("row");
    for (int i = 0; i < static_cast<int>(std::size(kOptions)); ++i)
      QTest::newRow(qPrintable(QString("%1 %2").arg(kOptions[i].command, kOptions[i].name))) << i;
  }

 private slots:
  // What the table below does not have would not be tested.
  void the_table_has_every_option() {
    QSet<QString> in_table, in_help;
    for (const OptionRow& row : kOptions) in_table << QString("%1 %2").arg(row.command, row.name);
    for (const char* command : {"", "run", "render", "train", "evaluate", "compare", "experiment", "inspect", "verify",
                                "tokenize", "lesson", "recording", "chat", "choose", "analyse", "describe"}) {
      const auto help = parsed(QStringList{command, "--help"}.filter(QRegularExpression(".")));
      const QString text = QString::fromStdString(std::get<NothingToRun>(help).text);
      for (const QRegularExpressionMatch& match :
           QRegularExpression("^  (?:-\\w,)?(--[\\w-]+)", QRegularExpression::MultilineOption).globalMatch(text))
        if (match.captured(1) != "--help" && !QString("--version, --verbose").contains(match.captured(1)))
          in_help << QString("%1 %2").arg(command, match.captured(1));
    }
    QCOMPARE(in_help - in_table, QSet<QString>());
    QCOMPARE(in_table - in_help, QSet<QString>());
  }

  void every_option_needs_its_value_once_data() { every_option(); }
  void every_option_needs_its_value_once() {
    QFETCH(int, row);
    const auto [command, name, kind, low, high, below, above] = kOptions[row];
    const QStringList line = line_without(command, name);
    const QString option = name;
    if (kind == Kind::flag) {
      accepted(line + QStringList{option, option});
      refused(line + QStringList{option + "=yes"}, option + ": takes no value, found 'yes'");
      refused(line + QStringList{option + "="}, option + ": takes no value, found ''");
      return;
    }
    refused(line + QStringList{option}, option + ": expected a value behind it, found nothing");
    refused(line + QStringList{option, "--help"}, option + ": expected a value behind it, found the option --help");
    const QString good = kind == Kind::whole || kind == Kind::number ? low
                         : kind == Kind::size                        ? "16x16"
                         : kind == Kind::length                      ? "20"
                                                                     : "x";
    if (!is_list(kind) && kind != Kind::word)
      refused(line + QStringList{option, good, option, good}, option + ": expected once, found twice");
    // Nothing behind the equals sign is an empty value, not the next argument.
    const bool may_be_empty = kind == Kind::text || kind == Kind::list;
    for (const QStringList& empty : {QStringList{option + "="}, QStringList{option, ""}})
      if (may_be_empty)
        accepted(line + empty);
      else
        refused(line + empty, option + ": expected ");
  }

  void numbers_are_digits_within_bounds_data() { every_option(); }
  void numbers_are_digits_within_bounds() {
    QFETCH(int, row);
    const auto [command, name, kind, low, high, below, above] = kOptions[row];
    if (kind != Kind::whole && kind != Kind::number) return;
    const QStringList line = line_without(command, name);
    for (const char* good : {low, high}) accepted(line + QStringList{name, good});
    QStringList bad = {below,   above,   " ",    " 1",  "1 ",   "+1",    "1x",  "0x1",
                       "1,5",   "nan",   "-nan", "inf", "-inf", "1e999", "--1", "-",
                       "1e999", "1.2.3", "1\n",  "१",   "one",  "-1e99", "1e+", "99999999999999999999999999"};
    if (kind == Kind::whole)
      bad << "1e3"
          << "1.0"
          << "1.5"
          << "-0.0";
    for (const QString& text : bad)
      if (!text.contains('\n'))
        refused(line + QStringList{name, text},
                QString(name) + ": expected a " + (kind == Kind::whole ? "whole " : "") + "number from ");
  }

  void words_and_sizes_data() { every_option(); }
  void words_and_sizes() {
    QFETCH(int, row);
    const auto [command, name, kind, low, high, below, above] = kOptions[row];
    const QStringList line = line_without(command, name);
    if (kind == Kind::word)
      for (const char* bad : {"nonsense", "", " ", "LIGHT", "greedy,beam", "../x"})
        refused(line + QStringList{name, bad}, QString("%1: expected one of ").arg(name));
    if (kind == Kind::length) {
      for (const char* good : {"0.5in", "12.7mm", "1.27cm", "36pt", "40"}) accepted(line + QStringList{name, good});
      for (const char* bad :
           {"", "x", "in", "0.01in", "1e3in", "20 pt", "20px", "-3in", "nanin", "infpt", "16385", "1,5in"})
        refused(line + QStringList{name, bad}, QString("%1: expected a ").arg(name));
    }
    if (kind != Kind::size) return;
    for (const char* good : {"16x16", "16384x16", "10000x5000", "800x480", "3.3inx2in", "84mmx5cm"})
      accepted(line + QStringList{name, good});
    for (const char* bad : {"",         "x",       "16",       "16x",        "x16",
                            "15x16",    "16x15",   "16385x16", "10001x5000", "16384x16384",
                            "-16x16",   "16x-16",  "16X16",    " 16x16",     "16x16 ",
                            "16x16x16", "16.5x16", "1e3x16",   "0x10",       "99999999999999999999x16",
                            "nanxnan"})
      refused(line + QStringList{name, bad},
              QString("--size: expected WIDTHxHEIGHT, sides from 16 to 16384 and at most 50 million pixels, found '%1'")
                  .arg(bad));
  }

  void other_lines_that_are_wrong_data() {
    QTest::addColumn<QStringList>("line");
    QTest::addColumn<QString>("expected");
    const auto row = [](const QStringList& line, const char* expected) {
      QTest::newRow(qPrintable(line.join(' '))) << line << QString(expected);
    };
    row({""}, "MODEL: expected a folder or a name, found ''");
    row({"run", "", "--source", "x"}, "MODEL: expected a folder or a name, found ''");
    row({"compare", "a", ""}, "MODELS: expected a folder or a name, found ''");
    row({"train", "", "-a", "luong", "--out", "x"}, "TASK: expected a name, found ''");
    row({"verify", "m", ""}, "REFERENCE: expected the name of a file, found ''");
    row({"run"}, "MODEL is required");
    row({"run", "m"}, "--source is required");
    row({"render", "m", "-s", "x", "--out", "a.png"}, "--view is required");
    row({"render", "m", "--view", "window", "--out", "a.png"}, "--source is required");
    row({"train", "date", "-a", "luong"}, "--out is required");
    row({"train", "--out", "x"}, "TASK is required");
    row({"train", "date", "--out", "x"}, "--architecture is required");
    row({"recording"}, "RECORDING is required");
    row({"describe"}, "KIND is required");
    row({"experiment"}, "NAME is required");
    row({"experiment", "scalin"}, "NAME: expected one of scaling, ");
    row({"experiment", "scalin"}, "found 'scalin'; did you mean 'scaling'?");
    row({"compare"}, "MODELS is required");
    row({"run", "m", "extra", "-s", "x"}, "extra");
    row({"inspect", "m", "extra"}, "extra");
    row({"run", "m", "--soruce", "x"}, "'headlight run' has no option --soruce; did you mean '--source'?");
    row({"run", "m", "-s", "x", "--view", "heads"},
        "'headlight run' has no option --view; it belongs to 'headlight render'");
    row({"inspect", "m", "--version"}, "no option --version; it belongs to 'headlight' without a command");
    row({"--verbose"}, "--verbose requires --version");
    row({"m", "--json"}, "'headlight' has no option --json; it belongs to 'headlight run'");
    row({"run", "m", "-s", "x", "-platform", "xcb"}, "no option -platform");
    row({"-platform", "xcb"}, "no option -platform");
    row({"--style", "fusion"}, "no option --style");
    row({"run", "m", "-s", "x", "-5"}, "no option -5");
    row({"render", "m", "-s", "x", "--out", "a.png", "--view", "alignmnt"}, "did you mean 'alignment'?");
    row({"render", "m", "-s", "x", "--out", "a.png", "--view", "window", "--theme", "drak"}, "did you mean 'dark'?");
    row({"runn", "m", "-s", "x"}, "there is no command or model 'runn'; did you mean 'run'?");
    row({"trian", "date"}, "there is no command or model 'trian'; did you mean 'train'?");
    row({"m", "run", "-s", "x"}, "'m' stands before the command 'run'");
    row({"--target", "y", "run", "m", "-s", "x"}, "'--target' stands before the command 'run'");
    row({"m", "n"}, "n");
    row({"run", "m", "-qx"}, "no option -qx");
    row({"train", "date", "-a", "luong", "--out", "x", "-qx"}, "no option -x");
    row({"run", "--", "--source"}, "--source is required");
  }
  void other_lines_that_are_wrong() {
    QFETCH(QStringList, line);
    QFETCH(QString, expected);
    refused(line, expected);
  }

  void values_arrive_as_they_are() {
    const auto run = [](const QStringList& more) {
      const auto result = parsed(QStringList{"run"} + more);
      return std::get<RunCommand>(std::get<Command>(result));
    };
    QCOMPARE(run({"m", "--source=", "--json"}).source, std::string());
    QVERIFY(run({"m", "--source=", "--json"}).json);
    QCOMPARE(run({"m", "--source=--json"}).source, std::string("--json"));
    QCOMPARE(run({"m", "--source=a=b"}).source, std::string("a=b"));
    QCOMPARE(run({"m", "--source", "-5+3"}).source, std::string("-5+3"));
    QCOMPARE(run({"m", "-s5/3/99"}).source, std::string("5/3/99"));
    QCOMPARE(run({"m", "-s", "--"}).source, std::string("--"));
    QCOMPARE(run({"-s", "x", "--", "-m"}).model, std::string("-m"));
    QCOMPARE(run({"m", "-s", "x", "--target", ""}).target, std::optional<std::string>(""));
    QCOMPARE(run({"m", "-s", "x"}).target, std::optional<std::string>());
    QCOMPARE(run({"m", "-s", "x", "--seed", kSeed}).decode.seed, ~0ull);
    QCOMPARE(run({"m", "-s", "x", "--seed", "010"}).decode.seed, 10ull);  // eight in the notation of C
    QCOMPARE(run({"m", "-s", "x", "--top-p=2.5e-1"}).decode.top_p, 0.25);
    // A list takes one value each time: what follows is the model.
    const RunCommand lists = run({"--set", "a=1", "--edit", "[x]", "m", "--set", "b=", "-s", "x"});
    QCOMPARE(lists.model, std::string("m"));
    QVERIFY((lists.settings == std::vector<std::string>{"a=1", "b="}));
    QVERIFY(lists.edits == std::vector<std::string>{"[x]"});
    // A model may be called like a command.
    QCOMPARE(run({"train", "-s", "x"}).model, std::string("train"));
    const auto window = parsed({"--source", ""});
    QCOMPARE(std::get<WindowCommand>(std::get<Command>(window)).source, std::optional<std::string>(""));
    const auto render = parsed({"render", "m", "-s", "x", "--view", "window", "-o", "x.png", "--size", "17x19"});
    QCOMPARE(std::get<RenderCommand>(std::get<Command>(render)).width, 17);
    QCOMPARE(std::get<RenderCommand>(std::get<Command>(render)).height, 19);
    const auto train = parsed({"train", "pairs", "-a", "luong", "-o", "x", "--files", "a", "b", "--resume"});
    QVERIFY((std::get<TrainCommand>(std::get<Command>(train)).files == std::vector<std::string>{"a", "b"}));
    const auto text = parsed({"train", "text", "-a", "recurrent_lm", "-o", "x", "--files", "a", "b", "c"});
    QCOMPARE(std::get<TrainCommand>(std::get<Command>(text)).files.size(), std::size_t{3});
    const auto compare = parsed({"compare", "a", "b", "c", "--limit", "7"});
    QCOMPARE(std::get<CompareCommand>(std::get<Command>(compare)).models.size(), std::size_t{3});
  }
};

HEADLIGHT_TEST(TestArguments)

}  // namespace headlight::test_arguments

#include "test_arguments.moc"
