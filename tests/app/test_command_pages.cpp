// The manual page and the completions of shells: they know every command and every option that --help knows.

#include <QRegularExpression>
#include <QTest>

#include "app/cli/command_line.h"
#include "tests/test_program.h"

namespace headlight::test_command_pages {

namespace {

QString printed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "headlight");
  const auto parsed = parse_command_line(static_cast<int>(arguments.size()), arguments.data());
  const auto* nothing = std::get_if<NothingToRun>(&parsed);
  return nothing && nothing->status == 0 ? QString::fromStdString(nothing->text) : QString();
}

QStringList found(const QString& text, const char* pattern) {
  QStringList all;
  const QRegularExpression expression(QString::fromUtf8(pattern), QRegularExpression::MultilineOption);
  for (auto matches = expression.globalMatch(text); matches.hasNext();) all << matches.next().captured(1);
  return all;
}

// Commands as --help lists them, between "Subcommands:" and the next empty line.
QStringList commands() {
  const QString help = printed({"--help"});
  return found(help.mid(help.indexOf("Subcommands:")).section("\n\n", 0, 0), "^  ([a-z]+) ");
}

}  // namespace

class TestCommandPages : public QObject {
  Q_OBJECT

 private slots:
  void the_manual_has_every_option() {
    const QString page = printed({"describe", "man"});
    const QStringList names = commands();
    QVERIFY(names.size() >= 14);
    for (const QString& name : names) {
      const qsizetype from = page.indexOf(".SS headlight " + name + "\n");
      QVERIFY2(from > 0, qPrintable(name));
      const QString own = page.mid(from, page.indexOf(".SS headlight ", from + 1) - from);
      for (QString option : found(printed({name.toUtf8().constData(), "--help"}), "^  (?:-[a-z],)?(--[a-z-]+)"))
        QVERIFY2(own.contains(option.replace("-", "\\-")), qPrintable(name + " " + option));
    }
  }

  void shells_complete_every_option_data() {
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"bash", "zsh", "fish"}) QTest::newRow(shell) << QString::fromUtf8(shell);
  }
  void shells_complete_every_option() {
    QFETCH(QString, shell);
    const QString script = printed({"describe", shell.toUtf8().constData()});
    QVERIFY(script.contains("date-attention"));
    for (const QString& name : commands()) {
      QVERIFY2(script.contains(name), qPrintable(name));
      for (const QString& option : found(printed({name.toUtf8().constData(), "--help"}), "^  (?:-[a-z],)?(--[a-z-]+)"))
        QVERIFY2(script.contains(shell == "fish" ? "-l " + option.mid(2) : option), qPrintable(name + " " + option));
    }
  }

  // A line that begins with a dot or an apostrophe would be a command of the printer.
  void the_manual_has_only_its_own_commands() {
    static const QStringList known = {".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".br", ".ad"};
    for (const QString& line : printed({"describe", "man"}).split('\n'))
      if (line.startsWith('.') || line.startsWith('\''))
        QVERIFY2(known.contains(line.section(' ', 0, 0)), qPrintable(line));
  }
};

HEADLIGHT_TEST(TestCommandPages)

}  // namespace headlight::test_command_pages

#include "test_command_pages.moc"
