// Parity with PyTorch in float64 (1e-10).

#include "tests/model/parity_cases.h"
#include "tests/test_program.h"

namespace headlight::test_parity_double {

using namespace headlight::testing;

class TestParityDouble : public QObject {
  Q_OBJECT
 private slots:
  void sites_data() { add_reference_rows(); }
  void sites() { QVERIFY(sites_agree(1e-10)); }
  void gradients_data() { add_reference_rows(); }
  void gradients() { QVERIFY(gradients_agree(1e-10)); }
  void batched_is_single_data() { add_reference_rows(); }
  void batched_is_single() { QVERIFY(batch_agrees(1e-10)); }
  void recording_data() { add_reference_rows(); }
  void recording() { QVERIFY(recording_changes_nothing()); }
};

HEADLIGHT_TEST(TestParityDouble)

}  // namespace headlight::test_parity_double

#include "test_parity_double.moc"
