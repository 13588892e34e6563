// The Chinese translation: nothing is missing, and every text keeps its placeholders.

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>
#include <system_error>

#include "model/io/file.h"
#include "model/models/registry.h"
#include "model/recording/presets.h"
#include "model/trace/site.h"
#include "model/trace/site_sentences.h"
#include "model/training/training_settings.h"
#include "tests/test_program.h"

namespace headlight::test_translations {

namespace {
struct Message {
  QString context, source, translation, type;
};

QList<Message> messages(const QString& path) {
  QFile file(path);
  QList<Message> all;
  if (!file.open(QIODevice::ReadOnly)) return all;
  QXmlStreamReader xml(&file);
  QString context;
  while (!xml.atEnd()) {
    xml.readNext();
    if (!xml.isStartElement()) continue;
    if (xml.name() == u"name") context = xml.readElementText();
    if (xml.name() == u"message") all << Message{context, {}, {}, {}};
    if (xml.name() == u"source") all.last().source = xml.readElementText();
    if (xml.name() == u"translation") {
      all.last().type = xml.attributes().value("type").toString();
      all.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
    }
  }
  return all;
}

QStringList placeholders(const QString& text) {
  static const QRegularExpression pattern(QStringLiteral("%(?:L?\\d+|n)"));
  QStringList found;
  for (auto it = pattern.globalMatch(text); it.hasNext();) found << it.next().captured();
  found.sort();
  found.removeDuplicates();
  return found;
}
}  // namespace

class TestTranslations : public QObject {
  Q_OBJECT
  QList<Message> all_ = messages("resources/translations/headlight_zh_CN.ts");

 private slots:
  void no_text_is_unfinished() {
    QVERIFY(all_.size() > 100);
    for (const Message& message : all_) {
      QVERIFY2(message.type.isEmpty(), qPrintable(message.context + ": " + message.source + " is " + message.type));
      QVERIFY2(!message.translation.trimmed().isEmpty(), qPrintable(message.context + ": " + message.source));
    }
  }

  void placeholders_are_the_same() {
    for (const Message& message : all_) {
      if (message.source.contains("%n")) continue;  // one form a number, read together
      QCOMPARE(placeholders(message.translation), placeholders(message.source));
    }
  }

  void reasons_why_a_file_cannot_be_written_are_in_the_file() {
    QSet<QString> known;
    for (const Message& message : all_)
      if (message.context == "WriteError") known.insert(message.source);
    for (const char* reason : {"the name of the file is missing", "it is a whole disk, not a file",
                               "it is not a regular file", "it is a symbolic link that somebody else made"})
      QVERIFY2(known.contains(reason), reason);
    for (int error = 1; error < 200; ++error) {
      const std::string reason = plain_reason(error);
      const bool ours = reason != std::generic_category().message(error);
      QVERIFY2(!ours || known.contains(QString::fromStdString(reason)), reason.c_str());
    }
  }

  // The model knows no Qt, so its texts are not marked in the sources and lupdate drops them: bring them back by hand.
  void titles_of_sites_are_in_the_file() {
    QSet<QString> known;
    for (const Message& message : all_)
      if (message.context == "SiteKind") known.insert(message.source);
    for (const SiteKind& kind : site_catalogue()) {
      QVERIFY2(known.contains(QString::fromUtf8(kind.title)), kind.title);
      QVERIFY2(known.contains(QString::fromUtf8(kind.help)), kind.help);
    }
    for (const char* help : sentences::kAll) QVERIFY2(known.contains(QString::fromUtf8(help)), help);
  }

  void titles_of_the_bundled_models_are_in_the_file() {
    QSet<QString> known;
    for (const Message& message : all_)
      if (message.context == "ModelCard") known.insert(message.source);
    int models = 0;
    for (const char* root : {"sample_models", "resources/lessons"})
      for (QDirIterator each(root, {"config.json"}, QDir::Files, QDirIterator::Subdirectories); each.hasNext();) {
        QFile file(each.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QJsonObject config = QJsonDocument::fromJson(file.readAll()).object();
        if (!config.contains("title")) continue;  // a folder of another library
        for (const char* key : {"title", "description"})
          QVERIFY2(known.contains(config[key].toString()), qPrintable(config[key].toString()));
        ++models;
      }
    QVERIFY(models >= 40);
  }

  // What the lab shows of the tables of the core.
  void words_of_trainings_are_in_the_file() {
    QSet<QString> known;
    for (const Message& message : all_) known.insert(message.context + "|" + message.source);
    const auto check = [&](const char* context, const std::string& text) {
      QVERIFY2(known.contains(QString::fromUtf8(context) + "|" + QString::fromStdString(text)), text.c_str());
    };
    for (const Task& task : tasks()) check("Task", task.title);
    for (const TrainingKey& key : training_keys()) check("TrainingKey", key.meaning);
    for (const Architecture& each : architectures()) {
      check("Architecture", each.label);
      check("Architecture", each.title);
    }
    for (const Preset& preset : presets()) {
      check("Preset", preset.title);
      check("Preset", preset.line);
    }
  }

  // A class with signals looks its texts up under its whole name: without it they would stay English.
  void texts_of_classes_stand_under_their_whole_names() {
    QSet<QString> classes;
    QString all;
    static const QRegularExpression begin(QStringLiteral("class (\\w+)[^;{]*\\{\\s*Q_OBJECT"));
    for (const char* folder : {"app", "widgets"}) {
      QDirIterator files(QString::fromUtf8(folder), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        for (auto it = begin.globalMatch(text); it.hasNext();) classes.insert(it.next().captured(1));
        all += text;
      }
    }
    QVERIFY(classes.size() > 100);
    QSet<QString> contexts;
    for (const Message& message : all_) contexts.insert(message.context);
    for (const QString& context : contexts) {
      const bool named = all.contains('"' + context + '"') || all.contains("FUNCTIONS(" + context + ")");
      QVERIFY2(!classes.contains(context) || named, qPrintable(context));
    }
  }

  // Texts that the sources mark, against the texts that the file has: lupdate was run.
  void texts_of_the_sources_are_in_the_file() {
    QSet<QString> known;
    for (const Message& message : all_) known.insert(message.source);
    static const QRegularExpression call(
        QStringLiteral("(?:\\btr\\(|QT_TR_NOOP\\(|QT_TRANSLATE_NOOP\\(\\s*\"\\w+\",)\\s*"
                       "((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
    int checked = 0;
    for (const char* folder : {"app", "widgets"}) {
      QDirIterator files(QString::fromUtf8(folder), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        for (auto it = call.globalMatch(text); it.hasNext();) {
          static const QRegularExpression gaps(QStringLiteral("\"\\s*\""));
          QString source = it.next().captured(1).trimmed().replace(gaps, QString());
          source = source.mid(1, source.size() - 2).replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
          if (source.isEmpty()) continue;
          ++checked;
          QVERIFY2(known.contains(source), qPrintable(file.fileName() + ": " + source));
        }
      }
    }
    QVERIFY(checked > 100);
  }
};

HEADLIGHT_TEST(TestTranslations)

}  // namespace headlight::test_translations

#include "test_translations.moc"
