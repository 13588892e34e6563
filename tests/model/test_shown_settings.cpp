// What the files beside the weights say that does not act here is shown.

#include <QTest>

#include "model/io/formats/shown_settings.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_shown_settings {

using namespace headlight::testing;

class TestShownSettings : public QObject {
  Q_OBJECT

 private:
  static QString text(const Folder& folder, const char* config = "{}") {
    return QString::fromStdString(shown_text(shown_settings(folder.path(), parse_json(config, "config.json"))));
  }

 private slots:
  void sampling() {
    Folder folder;
    QCOMPARE(text(folder), QString());
    QCOMPARE(text(folder, R"({"top_p": 0.9})"), QString(" (top_p 0.9)"));
    put_file(folder / "generation_config.json",
             R"({"do_sample": true, "temperature": 0.6, "top_k": null, "num_beams": 1, "repetition_penalty": 1.1})");
    // A file of its own stands for that part of config.json; what says nothing, and what acts, is not of these.
    QCOMPARE(text(folder, R"({"top_p": 0.9})"), QString(" (do_sample true, temperature 0.6)"));
    put_file(folder / "generation_config.json", "{");
    QCOMPARE(text(folder), QString());
  }

  void chat_templates() {
    Folder folder;
    put_file(folder / "tokenizer_config.json", R"({"chat_template": "{{ a }}\nb"})");
    QCOMPARE(text(folder), QString(" (chat_template \"{{ a }}\\nb\")"));
    put_file(folder / "tokenizer_config.json",
             R"({"chat_template": [{"name": "tool_use", "template": "x"}, {"name": "default", "template": "y"}]})");
    QCOMPARE(text(folder), QString(" (chat_template \"y\")"));
    put_file(folder / "chat_template.jinja", std::string(99, 'a') + "\u6797" + std::string(99, 'b'));
    QCOMPARE(text(folder),
             " (chat_template \"" + QString(99, 'a') + QString::fromUtf8("\u2026\")"));  // no half of a character
    QCOMPARE(shown_settings(folder.path(), Json()).chat_template.size(), std::size_t(201));
    put_file(folder / "tokenizer_config.json", R"({"chat_template": 3})");
    std::filesystem::remove(folder / "chat_template.jinja");
    QCOMPARE(text(folder), QString());
  }
};

HEADLIGHT_TEST(TestShownSettings)

}  // namespace headlight::test_shown_settings

#include "test_shown_settings.moc"
