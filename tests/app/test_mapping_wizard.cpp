// The wizard that makes a state dict run, as a person uses it.

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>

#include "app/dialogs/mapping_dialog.h"
#include "app/dialogs/tensor_window.h"
#include "app/document/model_list.h"
#include "app/language.h"
#include "app/window/main_window.h"
#include "model/io/formats/mapping/mapping.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight::test_mapping_wizard {

class TestMappingWizard : public QObject {
  Q_OBJECT

  QTemporaryDir models_;

  std::unique_ptr<MainWindow> window() {
    auto made = std::make_unique<MainWindow>(MainWindow::Remember::no);
    QSignalSpy shown(made.get(), &MainWindow::resultShown);
    made->start(first_document(small_model_folder(models_).toStdString()));
    made->show();
    if (!shown.wait(20000)) qFatal("the first run was not shown");
    return made;
  }
  static QString data(const char* name) {
    return QStringLiteral(HEADLIGHT_TEST_DATA) + QLatin1String("/pytorch/seq2seq/") + QLatin1String(name);
  }
  // The wizard over a copy of the course's Transformer.
  MappingDialog* wizard(MainWindow& window, const QTemporaryDir& folder, const char* weights = "transformer.pt") {
    for (const char* name : {weights, "source.vocabulary.txt", "target.vocabulary.txt"})
      QFile::copy(data(name), folder.filePath(name));
    window.open_model(folder.filePath(weights));
    auto* browser = window.findChild<TensorWindow*>();
    if (!browser || !browser->make_it_run()->isVisible()) return nullptr;
    QTest::mouseClick(browser->make_it_run(), Qt::LeftButton);
    return window.findChild<MappingDialog*>();
  }

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, models_.path());
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    small_model_folder(models_);
  }

  void a_state_dict_is_made_to_run() {
    const auto window = this->window();
    QTemporaryDir folder;
    MappingDialog* dialog = wizard(*window, folder);
    QVERIFY(dialog);
    QSignalSpy tried(dialog, &MappingDialog::tried);
    QCOMPARE(dialog->findChild<QSpinBox*>("mapping_heads")->value(), 4);
    for (const auto& [name, text] : {std::pair("mapping_source", "source.vocabulary.txt"),
                                     {"mapping_target", "target.vocabulary.txt"},
                                     {"mapping_start", "<sos>"},
                                     {"mapping_end", "<eos>"}})
      QTest::keyClicks(dialog->findChild<QLineEdit*>(name), text);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->runs(), 30000);
    QVERIFY(dialog->findChild<QPlainTextEdit*>("mapping_state")->toPlainText().startsWith("It runs: "));
    // It stays open while the language changes, with what was answered.
    const auto said = [dialog] { return dialog->findChild<QPlainTextEdit*>("mapping_state")->toPlainText(); };
    set_language("zh_CN");
    QCoreApplication::processEvents();
    QVERIFY2(said().startsWith(QStringLiteral("可以运行：")), qPrintable(said()));
    QCOMPARE(dialog->findChild<QComboBox*>("mapping_kind")->currentText(), QStringLiteral("编码器和解码器"));
    QVERIFY(dialog->runs() && dialog->findChild<QLineEdit*>("mapping_end")->text() == "<eos>");
    set_language("en");
    QCoreApplication::processEvents();
    QVERIFY2(said().startsWith("It runs: "), qPrintable(said()));
    auto* save = dialog->findChild<QPushButton*>("mapping_save");
    QVERIFY(save->isEnabled());
    QSignalSpy shown(window.get(), &MainWindow::resultShown);
    QTest::mouseClick(save, Qt::LeftButton);
    QVERIFY(shown.wait(30000));
    // It is open, and the mapping lies beside the weights for the next time.
    QVERIFY(QFile::exists(folder.filePath("transformer.mapping.json")));
    QCOMPARE(window->result()->model->name, std::string("transformer.pt"));
    Request request;
    request.source = "die frau sieht ein kind .";
    request.model = window->result()->model;
    const std::string output = run(request).output;
    request.model = open_mapped(data("transformer.pt").toStdString(),
                                std::filesystem::path(HEADLIGHT_TEST_DATA).parent_path().parent_path() / "docs" /
                                    "mappings" / "transformer.json");
    QVERIFY2(output.starts_with(run(request).output), output.c_str());
  }

  // Of recurrent layers other things are asked: in which order a matrix has what it reads.
  void a_recurrent_model_is_made_to_run() {
    const auto window = this->window();
    QTemporaryDir folder;
    MappingDialog* dialog = wizard(*window, folder, "gru-attention.pt");
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QComboBox*>("mapping_kind")->currentIndex(), 3);
    for (const char* name : {"mapping_norms", "mapping_activation", "mapping_positions"})
      QVERIFY(!dialog->findChild<QComboBox*>(name)->isVisible());
    QVERIFY(!dialog->findChild<QSpinBox*>("mapping_heads")->isVisible());
    const auto boxes = dialog->findChildren<QComboBox*>("mapping_question");
    QCOMPARE(boxes.size(), 3);
    QCOMPARE(boxes.first()->accessibleName(), QString("what the decoder reads at each step"));
    QCOMPARE(boxes.first()->currentText(), QString("embedding, context"));
    for (const auto& [name, text] : {std::pair("mapping_source", "source.vocabulary.txt"),
                                     {"mapping_target", "target.vocabulary.txt"},
                                     {"mapping_start", "<sos>"},
                                     {"mapping_end", "<eos>"}})
      QTest::keyClicks(dialog->findChild<QLineEdit*>(name), text);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->runs(), 30000);
    QSignalSpy shown(window.get(), &MainWindow::resultShown);
    QTest::mouseClick(dialog->findChild<QPushButton*>("mapping_save"), Qt::LeftButton);
    QVERIFY(shown.wait(30000));
    Request request;
    request.source = "die frau sieht ein kind .";
    request.model = window->result()->model;
    const std::string output = run(request).output;
    request.model = open_mapped(data("gru-attention.pt").toStdString(),
                                std::filesystem::path(HEADLIGHT_TEST_DATA).parent_path().parent_path() / "docs" /
                                    "mappings" / "gru-attention.json");
    QVERIFY2(output.starts_with(run(request).output), output.c_str());
  }

  void what_is_missing_is_said_in_words() {
    const auto window = this->window();
    QTemporaryDir folder;
    MappingDialog* dialog = wizard(*window, folder);
    QVERIFY(dialog);
    const auto said = [&] { return dialog->findChild<QPlainTextEdit*>("mapping_state")->toPlainText(); };
    auto* save = dialog->findChild<QPushButton*>("mapping_save");
    // Numbers of tokens do as well as a vocabulary.
    QTRY_VERIFY_WITH_TIMEOUT(dialog->runs(), 30000);
    // Five heads do not divide the width.
    dialog->findChild<QSpinBox*>("mapping_heads")->setValue(5);
    QVERIFY(!save->isEnabled());
    QVERIFY2(said().contains("heads"), qPrintable(said()));
    dialog->findChild<QSpinBox*>("mapping_heads")->setValue(4);
    // Norms in front of each part: those behind the last layers are missing, or nothing is.
    QTRY_VERIFY_WITH_TIMEOUT(dialog->runs(), 30000);
    // An encoder alone leaves the decoder over.
    dialog->findChild<QComboBox*>("mapping_kind")->setCurrentIndex(1);
    QVERIFY(!save->isEnabled());
    QVERIFY2(said().contains("Left over: nothing asks for decoder."), qPrintable(said()));
    dialog->findChild<QCheckBox*>()->setChecked(dialog->findChild<QCheckBox*>()->isChecked());
    // A vocabulary that is not there.
    dialog->findChild<QComboBox*>("mapping_kind")->setCurrentIndex(0);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->runs(), 30000);
    dialog->findChild<QLineEdit*>("mapping_source")->setText("nowhere.txt");
    QTRY_VERIFY_WITH_TIMEOUT(said().contains("nowhere.txt"), 30000);
    QVERIFY(!save->isEnabled());
  }

  void a_file_without_a_table_has_no_wizard() {
    const auto window = this->window();
    window->open_model(QStringLiteral(HEADLIGHT_TEST_DATA) + "/pytorch/views-and-types.pt");
    auto* browser = window->findChild<TensorWindow*>();
    QVERIFY(browser && !browser->make_it_run()->isVisible());
  }

  void nothing_is_cut_data() {
    QTest::addColumn<double>("type");
    QTest::addColumn<QString>("language");
    for (const double type : {1.0, 1.5})
      for (const char* language : {"en", "zh_CN"})
        QTest::addRow("%.0f %%, %s", 100 * type, language) << type << QString(language);
  }
  // In the room of a screen of 1024 x 700.
  void nothing_is_cut() {
    QFETCH(double, type);
    QFETCH(QString, language);
    load_resources();
    Theme::instance().set(Theme::Mode::light, type);
    set_language(language);
    const auto window = this->window();
    QTemporaryDir folder;
    MappingDialog* dialog = wizard(*window, folder);
    QVERIFY(dialog);
    dialog->resize(QSize(640, 640).boundedTo({921, 630}));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->runs(), 30000);
    QCoreApplication::processEvents();
    if (const QByteArray to = qgetenv("HEADLIGHT_LOOK"); !to.isEmpty())
      dialog->grab().save(QString::fromUtf8(to) + QStringLiteral("/wizard-%1-%2.png").arg(type).arg(language));
    const auto* scroll = dialog->findChild<QScrollArea*>();
    QVERIFY2(scroll->widget()->width() <= scroll->viewport()->width(),
             qPrintable(QStringLiteral("%1 %2").arg(scroll->widget()->width()).arg(scroll->viewport()->width())));
    for (const QLabel* label : dialog->findChildren<QLabel*>())
      if (label->isVisible() && !label->wordWrap())
        QVERIFY2(label->sizeHint().width() <= label->width() + 2, qPrintable(label->text()));
    for (const QAbstractButton* button : dialog->findChildren<QAbstractButton*>())
      if (button->isVisible())
        QVERIFY2(button->fontMetrics().horizontalAdvance(QString(button->text()).remove('&')) <= button->width(),
                 qPrintable(button->text()));
    Theme::instance().set(Theme::Mode::light, 1);
    set_language("en");
  }

  void every_control_has_a_name_and_a_key() {
    const auto window = this->window();
    QTemporaryDir folder;
    MappingDialog* dialog = wizard(*window, folder);
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->runs(), 30000);
    for (const QComboBox* box : dialog->findChildren<QComboBox*>("mapping_question"))
      QVERIFY(!box->accessibleName().isEmpty());
    QCOMPARE(dialog->findChildren<QComboBox*>("mapping_question").size(), 5);
    // From field to field by Tab, and away by Escape.
    dialog->findChild<QSpinBox*>("mapping_heads")->setFocus();
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestMappingWizard)

}  // namespace headlight::test_mapping_wizard

#include "test_mapping_wizard.moc"
