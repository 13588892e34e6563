// Which kernels OpenBLAS multiplies with on a processor that it does not know.

#include <QProcess>
#include <QTest>

#include "model/core/kernels.h"
#include "tests/test_program.h"

namespace headlight::test_kernels {

class TestKernels : public QObject {
  Q_OBJECT

 private slots:
  void better_ones_data() {
    QTest::addColumn<QString>("used");
    QTest::addColumn<bool>("avx2");
    QTest::addColumn<bool>("avx512");
    QTest::addColumn<QString>("better");
    QTest::newRow("unknown processor") << "Prescott" << true << true << "SkylakeX";
    QTest::newRow("unknown, without AVX-512") << "Prescott" << true << false << "Haswell";
    QTest::newRow("library without a name for it") << "Unknown" << true << false << "Haswell";
    QTest::newRow("really old") << "Prescott" << false << false << "";
    QTest::newRow("old, and known") << "Nehalem" << false << false << "";
    QTest::newRow("known") << "Haswell" << true << false << "";
    QTest::newRow("known, and newer than its kernels") << "Haswell" << true << true << "";
    QTest::newRow("other letters") << "ZEN" << true << false << "";
    QTest::newRow("newest") << "SapphireRapids" << true << true << "";
  }
  void better_ones() {
    QFETCH(QString, used);
    QFETCH(bool, avx2);
    QFETCH(bool, avx512);
    QFETCH(QString, better);
    QCOMPARE(QString::fromStdString(better_kernels(used.toStdString(), {avx2, avx512})), better);
  }

  // The program as on a machine for which the library takes the oldest kernels.
  void the_program_begins_again_with_them() {
    const VectorInstructions processor = vector_instructions();
    if (!processor.avx2) QSKIP("this processor has no AVX2");
    const QString wanted = processor.avx512 ? "SkylakeX" : "Haswell";
    QCOMPARE(kernels_of({{"OPENBLAS_CORETYPE", "Prescott"}, {"HEADLIGHT_CHOOSE_KERNELS", "1"}}), wanted);
    QCOMPARE(kernels_of({{"OPENBLAS_CORETYPE", "Prescott"}}), QString("Prescott"));  // somebody wants it so
  }

 private:
  static QString kernels_of(const QMap<QString, QString>& variables) {
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert("HEADLIGHT_DEBUG", "1");
    for (auto each = variables.begin(); each != variables.end(); ++each) all.insert(each.key(), each.value());
    QProcess program;
    program.setProcessEnvironment(all);
    program.start(qEnvironmentVariable("HEADLIGHT_BINARY"), {"--version"});
    if (!program.waitForFinished()) return "it does not end";
    const QString said = QString::fromUtf8(program.readAllStandardError()), before = "products use the kernels for ";
    return said.mid(said.indexOf(before) + before.size()).section('\n', 0, 0);
  }
};

HEADLIGHT_TEST(TestKernels)

}  // namespace headlight::test_kernels

#include "test_kernels.moc"
