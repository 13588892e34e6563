// The golden numbers in float32 (2e-6).

#include "tests/model/golden_cases.h"
#include "tests/test_program.h"

namespace headlight::test_golden {

class TestGolden : public QObject {
  Q_OBJECT
 private slots:
  void number_data() { headlight::testing::add_golden_rows(); }
  void number() { QVERIFY(headlight::testing::golden_row_holds(2e-6)); }
};

HEADLIGHT_TEST(TestGolden)

}  // namespace headlight::test_golden

#include "test_golden.moc"
