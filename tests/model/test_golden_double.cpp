// The golden numbers in float64 (1e-6, the rounding of the table).

#include "tests/model/golden_cases.h"
#include "tests/test_program.h"

namespace headlight::test_golden_double {

class TestGoldenDouble : public QObject {
  Q_OBJECT
 private slots:
  void number_data() { headlight::testing::add_golden_rows(); }
  void number() { QVERIFY(headlight::testing::golden_row_holds(1e-6)); }
};

HEADLIGHT_TEST(TestGoldenDouble)

}  // namespace headlight::test_golden_double

#include "test_golden_double.moc"
