// Parity of every recurrent configuration with PyTorch in float32 (1e-5), and invariants I1 to I3.

#include "tests/model/recurrent_cases.h"
#include "tests/test_program.h"

namespace headlight::test_recurrent_parity {

using namespace headlight::testing;

class TestRecurrentParity : public QObject {
  Q_OBJECT
 private slots:
  void all_files_are_there() { QCOMPARE(recurrent_names().size(), std::size_t{58}); }
  // The additive scores of the papers have biases: b_a of Bahdanau et al., and another behind v of Xu et al.
  void biases_of_the_papers_are_the_default() {
    for (const char* name : {"bahdanau_bias", "bahdanau_m30k_bias", "hard_bias"}) {
      const RecurrentReference reference = open_recurrent(name);
      QVERIFY2(!reference.config().contains("attention.bias"), name);
      QVERIFY2(reference.has("param/attention.b_a"), name);
      QCOMPARE(reference.has("param/attention.b_v"), std::string(name) == "hard_bias");
    }
  }
  void sites_data() { add_recurrent_rows(); }
  void sites() {
    QVERIFY(without_exception([] { return recurrent_sites_agree(1e-5); }));
  }
  void gradients_data() { add_recurrent_rows(); }
  void gradients() {
    QVERIFY(without_exception([] { return recurrent_single_agrees(1e-5); }));
  }
  void padding_data() { add_recurrent_rows(); }
  void padding() {
    QVERIFY(without_exception([] { return recurrent_padded_agrees(1e-5); }));
  }
  void losses_of_attention_data() { add_recurrent_rows(); }
  void losses_of_attention() {
    QVERIFY(without_exception([] { return recurrent_total_agrees(1e-5); }));
  }
  void batched_is_single_data() { add_recurrent_rows(); }
  void batched_is_single() {
    QVERIFY(without_exception([] { return recurrent_batch_is_single(1e-5); }));
  }
  void selecting_rows_data() { add_recurrent_rows(); }
  void selecting_rows() {
    QVERIFY(without_exception([] { return recurrent_rows_can_be_selected(1e-5); }));
  }
  void recording_data() { add_recurrent_rows(); }
  void recording() {
    QVERIFY(without_exception([] { return recurrent_recording_changes_nothing(); }));
  }
};

HEADLIGHT_TEST(TestRecurrentParity)

}  // namespace headlight::test_recurrent_parity

#include "test_recurrent_parity.moc"
