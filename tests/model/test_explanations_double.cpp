// Every number of every model opens into arithmetic that comes to the same number, in float64 (1e-12).

#include "tests/model/explanation_checks.h"
#include "tests/test_program.h"

namespace headlight::test_explanations_double {

using namespace headlight::testing;

class TestExplanationsDouble : public QObject {
  Q_OBJECT
 private slots:
  void cells_data() { add_model_rows(); }
  void cells() { QVERIFY(every_cell_adds_up(*explained_trace(*fetch_model()), 1e-12)); }
  void operations_data() { add_operation_rows(); }
  void operations() { QVERIFY(operation_row_adds_up(1e-12)); }
  void walks_data() { add_model_rows(); }
  void walks() { QVERIFY(walks_reach_the_ground()); }
};

HEADLIGHT_TEST(TestExplanationsDouble)

}  // namespace headlight::test_explanations_double

#include "test_explanations_double.moc"
