// Parity of every configuration of Transformers with PyTorch in float64 (1e-10; 5e-7 where the reference is rounded),
// and invariants I1 to I3.

#include "tests/model/transformer_cases.h"
#include "tests/test_program.h"

namespace headlight::test_transformer_parity_double {

using namespace headlight::testing;

class TestTransformerParityDouble : public QObject {
  Q_OBJECT
 private slots:
  void all_files_are_there() { QCOMPARE(transformer_names().size(), std::size_t{32}); }
  void sites_data() { add_transformer_rows(); }
  void sites() {
    QVERIFY(without_exception([] { return transformer_sites_agree(1e-10); }));
  }
  void padding_data() { add_transformer_rows(has_padding_behind); }
  void padding() {
    QVERIFY(without_exception([] { return transformer_padding_agrees(1e-10); }));
  }
  void losses_data() { add_transformer_rows(); }
  void losses() {
    QVERIFY(without_exception([] { return transformer_loss_agrees(1e-10); }));
  }
  void gradients_data() { add_transformer_rows(); }
  void gradients() {
    QVERIFY(without_exception([] { return transformer_padded_agrees(1e-10); }));
  }
  void training_data() { add_transformer_rows(); }
  void training() {
    QVERIFY(without_exception([] { return transformer_training_agrees(1e-10); }));
  }
  void batched_is_single_data() { add_transformer_rows(hides_padding); }
  void batched_is_single() {
    QVERIFY(without_exception([] { return transformer_batch_is_single(1e-11); }));
  }
  void selecting_rows_data() { add_transformer_rows(hides_padding); }
  void selecting_rows() {
    QVERIFY(without_exception([] { return transformer_rows_can_be_selected(1e-11); }));
  }
  void recording_data() { add_transformer_rows(); }
  void recording() {
    QVERIFY(without_exception([] { return transformer_recording_changes_nothing(1e-12); }));
  }
};

HEADLIGHT_TEST(TestTransformerParityDouble)

}  // namespace headlight::test_transformer_parity_double

#include "test_transformer_parity_double.moc"
