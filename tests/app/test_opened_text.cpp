// What opened models say of themselves, in both languages: nothing is lost, and nothing stays English.

#include <QRegularExpression>
#include <QTest>

#include "app/document/opened_text.h"
#include "app/language.h"
#include "model/io/model_folder.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_opened_text {

class TestOpenedText : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { set_language("en"); }

  void every_folder_is_told_in_both_languages() {
    namespace fs = std::filesystem;
    std::vector<fs::path> folders;
    for (const fs::path& each : {fs::path(HEADLIGHT_TEST_DATA) / "families", testing::made_elsewhere() / "families"})
      if (fs::is_directory(each))
        for (const auto& entry : fs::directory_iterator(each)) folders.push_back(entry.path());
    folders.push_back(fs::path(HEADLIGHT_TEST_DATA) / "captured" / "batch-00000-of-00002.npz");
    QVERIFY(folders.size() > 5);
    // What the model is called, and its precision.
    static const QRegularExpression names(QStringLiteral("^[^：]*：|float32|bfloat16|float16|（[^）]*）"));
    for (const fs::path& folder : folders) {
      const QString english = from_utf8(load_model(folder)->description);
      set_language("en");
      QCOMPARE(opened_text(english), english);
      set_language("zh_CN");
      QString chinese = opened_text(english);
      chinese.remove(names);
      QVERIFY2(!chinese.contains(QRegularExpression(QStringLiteral("[A-Za-z]"))), qPrintable(chinese));
      QVERIFY(chinese.contains(QStringLiteral("层")));
    }
    // What does not act, and a missing tokenizer, stand behind.
    const QString shown = QStringLiteral(
        "gpt2: 3 layers, 4 heads, 32 wide, float32; continues a text. Shown and not used (top_p 0.9, chat_template "
        "\"f(x).\"). Without a tokenizer: type the numbers of tokens (why)");
    set_language("en");
    QCOMPARE(opened_text(shown), shown);
    set_language("zh_CN");
    QVERIFY(opened_text(shown).endsWith(QStringLiteral(
        "。仅供显示，不参与计算（top_p 0.9, chat_template \"f(x).\"）。没有分词器：请输入词元的编号（why）")));
    // A stranger's name is not a place for something else.
    set_language("en");
    const QString odd = QStringLiteral("%6: 3 layers, 4 heads, 32 wide, %1; does %2");
    QCOMPARE(opened_text(odd), odd);
  }
};

HEADLIGHT_CORE_TEST(TestOpenedText)

}  // namespace headlight::test_opened_text

#include "test_opened_text.moc"
