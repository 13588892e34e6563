// Parity of every recurrent configuration with PyTorch in float64 (1e-10), and invariants I1 to I3.

#include "tests/model/recurrent_cases.h"
#include "tests/test_program.h"

namespace headlight::test_recurrent_parity_double {

using namespace headlight::testing;

class TestRecurrentParityDouble : public QObject {
  Q_OBJECT
 private slots:
  void all_files_are_there() { QCOMPARE(recurrent_names().size(), std::size_t{58}); }
  void sites_data() { add_recurrent_rows(); }
  void sites() {
    QVERIFY(without_exception([] { return recurrent_sites_agree(1e-10); }));
  }
  void gradients_data() { add_recurrent_rows(); }
  void gradients() {
    QVERIFY(without_exception([] { return recurrent_single_agrees(1e-10); }));
  }
  void padding_data() { add_recurrent_rows(); }
  void padding() {
    QVERIFY(without_exception([] { return recurrent_padded_agrees(1e-10); }));
  }
  void losses_of_attention_data() { add_recurrent_rows(); }
  void losses_of_attention() {
    QVERIFY(without_exception([] { return recurrent_total_agrees(1e-10); }));
  }
  void batched_is_single_data() { add_recurrent_rows(); }
  void batched_is_single() {
    QVERIFY(without_exception([] { return recurrent_batch_is_single(1e-10); }));
  }
  void selecting_rows_data() { add_recurrent_rows(); }
  void selecting_rows() {
    QVERIFY(without_exception([] { return recurrent_rows_can_be_selected(1e-10); }));
  }
  void recording_data() { add_recurrent_rows(); }
  void recording() {
    QVERIFY(without_exception([] { return recurrent_recording_changes_nothing(); }));
  }
};

HEADLIGHT_TEST(TestRecurrentParityDouble)

}  // namespace headlight::test_recurrent_parity_double

#include "test_recurrent_parity_double.moc"
