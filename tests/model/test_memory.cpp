// Operations of an external memory in float32: golden numbers, tables by hand, what must hold for any numbers, errors.

#include "tests/model/memory_cases.h"
#include "tests/test_program.h"

namespace headlight::test_memory {

using namespace headlight::testing;

class TestMemory : public QObject {
  Q_OBJECT
 private slots:
  void golden_data() { add_rows(golden_memory_rows()); }
  void golden() { QVERIFY(row_holds(golden_memory_rows(), 2e-6)); }
  void by_hand_data() { add_rows(memory_rows_by_hand()); }
  void by_hand() { QVERIFY(row_holds(memory_rows_by_hand(), 1e-6)); }
  void weightings_stay_shares();
  void a_gate_of_0_keeps_and_of_1_replaces();
  void writing_with_a_full_weight_replaces_a_slot();
  void errors();

 private:
  static void add_rows(const std::vector<MemoryNumbers>& rows) {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name) << static_cast<int>(i);
  }
  static bool row_holds(const std::vector<MemoryNumbers>& rows, double tolerance) {
    QFETCH(int, row);
    const MemoryNumbers& numbers = rows[static_cast<std::size_t>(row)];
    return same(difference(numbers.compute(), numbers.expected, tolerance), numbers.name);
  }
};

// Invariant I4, along the whole chain: each of its steps makes shares of shares.
void TestMemory::weightings_stay_shares() {
  const Tensor previous = content_weights(fill(3, {2, 5}), positive(4, {2, 1}));
  Tensor shift = positive(5, {2, 3}), gate = positive(6, {2, 1});
  for (Index n = 0; n < 2; ++n) {
    const Scalar sum = shift[3 * n] + shift[3 * n + 1] + shift[3 * n + 2];
    for (Index k = 0; k < 3; ++k) shift[3 * n + k] /= sum;
  }
  const Tensor content = content_weights(fill(1, {2, 5}), positive(2, {2, 1}));
  const Tensor gated = gated_weights(gate, content, previous);
  const Tensor shifted = shifted_weights(gated, shift);
  const Tensor sharpened = sharpened_weights(shifted, one_plus_softplus(fill(8, {2, 1})));
  for (const Tensor& weights : {previous, content, gated, shifted, sharpened})
    for (Index n = 0; n < 2; ++n) {
      double sum = 0;
      for (Index i = 0; i < 5; ++i) {
        QVERIFY(weights[n * 5 + i] > 0 && weights[n * 5 + i] < 1);
        sum += static_cast<double>(weights[n * 5 + i]);
      }
      QVERIFY(std::abs(sum - 1) < 1e-6);
    }
  // Sharpening favours what is large.
  for (Index n = 0; n < 2; ++n) {
    const auto largest = [n](const Tensor& w) { return w.matrix().row(n).maxCoeff(); };
    QVERIFY(largest(sharpened) > largest(shifted) * Scalar(1.0001));
  }
}

void TestMemory::a_gate_of_0_keeps_and_of_1_replaces() {
  const Tensor content = positive(1, {1, 4}), previous = positive(2, {1, 4});
  QVERIFY(same(difference(gated_weights(Tensor::zeros({1, 1}), content, previous), previous, 0), "gate 0"));
  QVERIFY(same(difference(gated_weights(Tensor::full({1, 1}, 1), content, previous), content, 0), "gate 1"));
}

// The two bounds of eq. 3 and 4: a slot that is erased and written holds a; one that is not pointed at stays.
void TestMemory::writing_with_a_full_weight_replaces_a_slot() {
  const Tensor memory = fill(1, {1, 3, 2}), a = fill(2, {1, 2});
  const Tensor written = write_memory(memory, Tensor::of({1, 3}, {0, 1, 0}), Tensor::full({1, 2}, 1), a);
  QVERIFY(same(difference(written.view(2, {1, 2}), a, 0), "written slot"));
  for (const Index slot : {0, 2})
    QVERIFY(same(difference(written.view(2 * slot, {2}), memory.view(2 * slot, {2}), 0), "other slot"));
  const Tensor kept = write_memory(memory, Tensor::full({1, 3}, 1), Tensor::zeros({1, 2}), Tensor::zeros({1, 2}));
  QVERIFY(same(difference(kept, memory, 0), "neither erased nor added"));
}

void TestMemory::errors() {
  const Tensor w = positive(1, {2, 4}), one = positive(2, {2, 1});
  QCOMPARE(message_of<ShapeError>([&] {
             content_weights(w, positive(2, {3, 1}));
           }),
           "content addressing: expected 2 numbers, got [3 x 1]");
  QCOMPARE(message_of<ShapeError>([&] {
             sharpened_weights(w, positive(2, {2, 4}));
           }),
           "sharpening: expected 2 numbers, got [2 x 4]");
  QCOMPARE(message_of<ShapeError>([&] {
             gated_weights(one, w, positive(1, {2, 3}));
           }),
           "interpolation: expected [2 x 4], got [2 x 3]");
  QCOMPARE(message_of<ShapeError>([&] {
             shifted_weights(w, positive(2, {2, 5}));
           }),
           "circular shift: expected [2 x 3], got [2 x 5]");
  QCOMPARE(message_of<ShapeError>([&] { write_memory(w, w, one, one); }),
           "memory write: expected [N x slots x W], got [2 x 4]");
  QCOMPARE(message_of<ShapeError>([&] {
             write_memory(fill(1, {2, 4, 3}), positive(1, {2, 5}), one, one);
           }),
           "memory write: expected a weight for each slot of [2 x 4 x 3], got [2 x 5]");
  QCOMPARE(message_of<ShapeError>([&] {
             write_memory(fill(1, {2, 4, 3}), w, fill(1, {2, 3}), fill(1, {2, 2}));
           }),
           "memory write: expected [2 x 3], got [2 x 2]");
}

HEADLIGHT_TEST(TestMemory)

}  // namespace headlight::test_memory

#include "test_memory.moc"
