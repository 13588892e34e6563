// One name for each thing, in both languages: docs/terms.md, against the texts of the interface and the lessons.

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>
#include <algorithm>

#include "tests/test_program.h"

namespace headlight::test_terms {

namespace {

struct Term {
  QString english;
  QStringList chinese, not_english, not_chinese, except;
};

struct Text {
  QString where, text;
};

QString content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

bool is_chinese(const QString& text) {
  return std::ranges::any_of(text, [](QChar c) { return c.script() == QChar::Script_Han; });
}

QStringList parts(const QString& cell, const QString& between) {
  QStringList all;
  for (const QString& part : cell.split(between)) all << part.trimmed();
  all.removeAll(QString());
  return all;
}

QList<Term> terms_of(const QString& list) {
  QList<Term> terms;
  for (const QString& line : list.split('\n')) {
    if (!line.startsWith("| ") || line.startsWith("| English")) continue;
    const QStringList cells = line.split('|');
    if (cells.size() != 6) return {};
    Term term{cells[1].trimmed(), parts(cells[2], " / "), {}, {}, {}};
    for (const QString& name : parts(cells[4], ", ")) {
      const QStringList both = name.split(" except ");
      (is_chinese(both[0]) ? term.not_chinese : term.not_english) << both[0];
      if (both.size() > 1) term.except << both[1];
    }
    terms << term;
  }
  return terms;
}

// "Re&cord" and "录制(&C)" without what they are pressed by.
QString without_mnemonic(QString text) {
  static const QRegularExpression chinese(QStringLiteral("\\(&\\w\\)"));
  return text.remove(chinese).remove('&').remove(QStringLiteral("…")).trimmed();
}

struct Texts {
  QList<Text> english, chinese;
  QList<QPair<QString, Text>> translated;  // a source, and what it is in Chinese
};

void read_translations(const QString& path, Texts* all) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return;
  QXmlStreamReader xml(&file);
  QString context, source;
  while (!xml.atEnd()) {
    xml.readNext();
    if (!xml.isStartElement()) continue;
    if (xml.name() == u"name") context = xml.readElementText();
    if (xml.name() == u"source") source = xml.readElementText();
    if (xml.name() != u"translation") continue;
    const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements);
    all->english << Text{context, source};
    all->chinese << Text{context, text};
    all->translated << QPair{source, Text{context, text}};
  }
}

// A lesson as it is read: without its addresses, expressions and the names of its steps.
QString read_lesson(QString text) {
  static const QRegularExpression address(QStringLiteral("\\]\\((?:[^()]|\\([^()]*\\))*\\)"));
  static const QRegularExpression expression(QStringLiteral("\\{[^}]*\\}"));
  static const QRegularExpression name(QStringLiteral("^(?:- [^:\n]*:|## [^:\n]*: |### .*$|## [a-z0-9-]+$)"),
                                       QRegularExpression::MultilineOption);
  return text.replace(address, "]").remove(expression).remove(name);
}

Texts texts_of_the_program() {
  Texts all;
  read_translations("resources/translations/headlight_zh_CN.ts", &all);
  for (QDirIterator each("resources/lessons", {"en.md", "zh_CN.md"}, QDir::Files, QDirIterator::Subdirectories);
       each.hasNext();) {
    const QString path = each.next();
    (path.endsWith("en.md") ? all.english : all.chinese) << Text{path, read_lesson(content(path))};
  }
  return all;
}

QStringList second_names(const QList<Term>& terms, const Texts& all) {
  QStringList found;
  const auto search = [&](const Term& term, const QStringList& names, const QList<Text>& texts, const QString& right) {
    for (const QString& name : names) {
      const QRegularExpression pattern(
          is_chinese(name) ? QRegularExpression::escape(name)
                           : QStringLiteral("(?<!\\w)%1(?!\\w)").arg(QRegularExpression::escape(name)),
          QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
      for (const Text& text : texts) {
        QString searched = text.text;
        searched.remove('&');
        for (const QString& other : term.except) searched.remove(other);
        if (const auto hit = pattern.match(searched); hit.hasMatch())
          found << QStringLiteral("%1: “%2” is called “%3”: …%4…")
                       .arg(text.where, hit.captured(), right,
                            searched.mid(std::max(0, int(hit.capturedStart()) - 20), 60));
      }
    }
  };
  for (const Term& term : terms) {
    search(term, term.not_english, all.english, term.english);
    search(term, term.not_chinese, all.chinese, term.chinese.join(" / "));
    for (const auto& [source, text] : all.translated)
      if (without_mnemonic(source).compare(term.english, Qt::CaseInsensitive) == 0 &&
          !term.chinese.contains(without_mnemonic(text.text)))
        found << QStringLiteral("%1: “%2” is “%3”, not “%4”")
                     .arg(text.where, source, term.chinese.join(" / "), text.text);
  }
  return found;
}

}  // namespace

class TestTerms : public QObject {
  Q_OBJECT

 private slots:
  void a_thing_has_one_name() {
    const QList<Term> terms = terms_of(content("docs/terms.md"));
    QVERIFY(terms.size() >= 30);
    const Texts all = texts_of_the_program();
    QVERIFY(all.english.size() > 1000 && all.chinese.size() == all.english.size());
    const QStringList found = second_names(terms, all);
    QVERIFY2(found.isEmpty(), qPrintable("\n" + found.join('\n')));
  }

  // Names that nothing uses are none.
  void a_name_of_the_list_is_used() {
    const Texts all = texts_of_the_program();
    const auto used = [](const QString& name, const QList<Text>& texts) {
      return std::ranges::any_of(
          texts, [&](const Text& text) { return without_mnemonic(text.text).contains(name, Qt::CaseInsensitive); });
    };
    for (const Term& term : terms_of(content("docs/terms.md"))) {
      QVERIFY2(used(term.english, all.english), qPrintable(term.english));
      for (const QString& name : term.chinese) QVERIFY2(used(name, all.chinese), qPrintable(name));
    }
  }

  void a_second_name_is_found() {
    const QList<Term> terms = terms_of(
        "| English | 中文 | note | not |\n|---|---|---|---|\n| padding | 填充 | | blanks, 空白 except 空白页 |\n| Map "
        "| 模型地图 | | |\n");
    QCOMPARE(terms.size(), 2);
    const auto found = [&](const Texts& all) { return second_names(terms, all).size(); };
    QCOMPARE(found({{{"a", "12 &blanks"}}, {}, {}}), 1);
    QCOMPARE(found({{{"a", "Blanks"}}, {{"a", "个空白"}}, {}}), 2);
    QCOMPARE(found({{{"a", "blankets, a blank page"}}, {{"a", "空白页"}}, {}}), 0);
    QCOMPARE(found({{}, {}, {{"&Map…", {"a", "结构图(&M)…"}}}}), 1);
    QCOMPARE(found({{}, {}, {{"&Map…", {"a", "模型地图(&M)…"}}, {"Map of the model", {"a", "别的"}}}}), 0);
    QCOMPARE(
        found({{{"lesson",
                 read_lesson("[padding](blanks(2)) {blanks:0}\n## blanks\n### claim blanks\n- blanks: padding\n")}},
               {},
               {}}),
        0);
    QCOMPARE(found({{{"lesson", read_lesson("- padding: the blanks behind it\n")}}, {}, {}}), 1);
  }
};

HEADLIGHT_TEST(TestTerms)

}  // namespace headlight::test_terms

#include "test_terms.moc"
