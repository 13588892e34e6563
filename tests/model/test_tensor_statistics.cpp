// Figures of a tensor of a file, worked by hand.

#include <cmath>
#include <map>

#include "model/core/errors.h"
#include "model/io/npz.h"
#include "model/io/tensor_statistics.h"
#include "model/io/tensor_values.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_tensor_statistics {

using namespace headlight::testing;

namespace {

Tensor tensor(const Shape& shape, const std::vector<Scalar>& values) {
  Tensor made(shape);
  std::copy(values.begin(), values.end(), made.data());
  return made;
}

std::shared_ptr<const TensorFile> file_of(const fs::path& path, const std::vector<NamedTensor>& tensors) {
  write_npz(path, tensors, NpyType::f4);
  return open_npz(path);
}

}  // namespace

class TestTensorStatistics : public QObject {
  Q_OBJECT

 private slots:
  void figures_of_six_numbers() {
    Folder folder;
    const auto nan = std::numeric_limits<Scalar>::quiet_NaN(), inf = std::numeric_limits<Scalar>::infinity();
    const auto file = file_of(folder / "a.npz", {{"a", tensor({2, 3}, {1, 2, 3, 4, nan, -inf})}});
    const TensorStatistics s = statistics_of(*file, 0, "a.npz");
    QCOMPARE(s.count, 6u);
    QCOMPARE(s.nan, 1u);
    QCOMPARE(s.infinite, 1u);
    QCOMPARE(s.least, 1.0);
    QCOMPARE(s.largest, 4.0);
    QCOMPARE(s.mean, 2.5);
    QVERIFY(std::abs(s.deviation - std::sqrt(1.25)) < 1e-12);  // of 1 2 3 4
    QCOMPARE(s.histogram.front(), 1u);
    QCOMPARE(s.histogram.back(), 1u);
    std::uint64_t all = 0;
    for (const std::uint64_t bin : s.histogram) all += bin;
    QCOMPARE(all, 4u);
  }

  void a_picture_keeps_what_is_farthest_from_zero() {
    Folder folder;
    const auto file =
        file_of(folder / "a.npz", {{"a", tensor({2, 2, 4}, {1, -9, 2, 3, 0, 0, 5, -6, 0, 0, 0, 0, 7, 1, 1, 1})}});
    // [4 x 4] in parts of 2 x 2.
    const Tensor small = matrix_of(*file, 0, 2, "a.npz");
    QCOMPARE(small.shape().text(), std::string("[2 x 2]"));
    QCOMPARE(small.values(), (std::vector<Scalar>{-9, -6, 7, 1}));
    QCOMPARE(matrix_of(*file, 0, 100, "a.npz").shape().text(), std::string("[4 x 4]"));
  }

  void two_files_tensor_by_tensor() {
    using State = TensorDifference::State;
    Folder folder;
    const auto nan = std::numeric_limits<Scalar>::quiet_NaN();
    const auto a = file_of(folder / "a.npz", {{"same", tensor({2}, {1, nan})},
                                              {"moved", tensor({4}, {3, 4, 0, 0})},
                                              {"shape", tensor({2}, {1, 2})},
                                              {"gone", tensor({1}, {1})},
                                              {"broken", tensor({2}, {1, 1})}});
    const auto b = file_of(folder / "b.npz", {{"new", tensor({1}, {1})},
                                              {"moved", tensor({4}, {3, 4, 3, -4})},
                                              {"same", tensor({2}, {1, nan})},
                                              {"shape", tensor({3}, {1, 2, 3})},
                                              {"broken", tensor({2}, {1, nan})}});
    std::vector<double> shares;
    const std::vector<TensorDifference> all =
        differences_of(*a, *b, {}, [&](double share) { shares.push_back(share); });
    QVERIFY(shares.size() > 1 && shares.front() == 0 && shares.back() < 1 && std::ranges::is_sorted(shares));
    QCOMPARE(all.size(), 6u);
    std::map<std::string, TensorDifference> by_name;
    for (const TensorDifference& each : all) by_name[each.name] = each;
    QCOMPARE(by_name["same"].state, State::equal);
    QCOMPARE(by_name["moved"].state, State::different);
    QCOMPARE(by_name["moved"].largest, 4.0);
    QCOMPARE(by_name["moved"].mean, 7.0 / 4);
    QCOMPARE(by_name["moved"].relative, 1.0);  // 5 of 5
    QCOMPARE(by_name["shape"].state, State::other_shape);
    QCOMPARE(by_name["gone"].state, State::only_first);
    QCOMPARE(all.back().name, std::string("new"));
    QCOMPARE(all.back().state, State::only_second);
    QVERIFY(by_name["broken"].state == State::different && std::isnan(by_name["broken"].largest));
  }

  void the_change_of_a_tensor_is_a_tensor() {
    Folder folder;
    const auto a = file_of(folder / "a.npz", {{"w", tensor({2, 2}, {1, 2, 3, 4})}});
    const auto b =
        file_of(folder / "b.npz", {{"other", tensor({2, 2}, {1, 2, 3, 7})}, {"w", tensor({4}, {1, 2, 3, 4})}});
    const auto change = change_of(*a, 0, *b, "other", "b.npz");
    QCOMPARE(change->tensors().front().name, std::string("w"));
    QCOMPARE(matrix_of(*change, 0, 100, "b.npz").values(), (std::vector<Scalar>{0, 0, 0, 3}));
    QCOMPARE(statistics_of(*change, 0, "b.npz").largest, 3.0);
    QCOMPARE(singular_values(matrix_of(*change, 0, 100, "b.npz")).front(), 3.0);
    QVERIFY_EXCEPTION_THROWN(change_of(*a, 0, *b, "w", "b.npz"), UsageError);
    QVERIFY_EXCEPTION_THROWN(change_of(*a, 0, *b, "none", "b.npz"), UsageError);
  }

  // As DataParallel and a checkpoint with an optimizer write the same model.
  void names_behind_what_stands_around_them() {
    using State = TensorDifference::State;
    Folder folder;
    const auto a = file_of(folder / "a.npz", {{"model_state_dict.out.weight", tensor({2}, {1, 2})},
                                              {"model_state_dict.out.bias", tensor({1}, {3})},
                                              {"optimizer_state_dict.step", tensor({1}, {9})}});
    const auto b = file_of(folder / "b.npz", {{"module.out.bias", tensor({1}, {3})},
                                              {"module.out.weight", tensor({2}, {1, 4})},
                                              {"step", tensor({1}, {9})}});
    const std::vector<TensorDifference> all = differences_of(*a, *b);
    QCOMPARE(all.size(), 4u);
    QCOMPARE(all[0].state, State::different);
    QCOMPARE(all[0].largest, 2.0);
    QCOMPARE(all[0].name, std::string("model_state_dict.out.weight"));
    QCOMPARE(all[0].other_name, std::string("module.out.weight"));
    QCOMPARE(all[1].state, State::equal);
    QCOMPARE(all[2].state, State::only_first);
    QCOMPARE(all[3].state, State::only_second);
    // The same names are not looked for behind anything.
    for (const TensorDifference& each : differences_of(*a, *a)) QVERIFY(each.other_name.empty());
  }

  // 2^53 + 1 is no double, and 1 + 1e-12 no float.
  void numbers_are_compared_in_their_own_precision() {
    using State = TensorDifference::State;
    Folder folder;
    const auto file = [&](const char* name, const char* dtype, const std::string& bytes) {
      const std::string header = std::string("{\"a\":{\"dtype\":\"") + dtype + "\",\"shape\":[2],\"data_offsets\":[0," +
                                 std::to_string(bytes.size()) + "]}}";
      put_file(folder / name, safetensors_bytes(header, bytes));
      return open_safetensors(folder / name);
    };
    const auto compared = [&](const char* dtype, const std::string& a, const std::string& b) {
      return differences_of(*file("a", dtype, a), *file("b", dtype, b)).at(0);
    };
    const std::int64_t large = std::int64_t{1} << 53;
    TensorDifference row = compared("I64", bytes_of<std::int64_t>({large, 5}), bytes_of<std::int64_t>({large + 1, 5}));
    QVERIFY(row.state == State::different);
    QCOMPARE(row.whole, std::string("1"));
    row = compared("U64", bytes_of<std::uint64_t>({UINT64_MAX, 0}), bytes_of<std::uint64_t>({0, 0}));
    QCOMPARE(row.whole, std::string("18446744073709551615"));
    row = compared("I64", bytes_of<std::int64_t>({INT64_MIN, 0}), bytes_of<std::int64_t>({INT64_MAX, 0}));
    QCOMPARE(row.whole, std::string("18446744073709551615"));
    row = compared("BOOL", std::string("\0\1", 2), std::string("\0\0", 2));
    QVERIFY(row.state == State::different && row.whole == "1");
    row = compared("BOOL", std::string("\1\1", 2), std::string("\2\1", 2));
    QVERIFY(row.state == State::equal);
    row = compared("F64", bytes_of<double>({1, 0}), bytes_of<double>({1 + 1e-12, 0}));
    QVERIFY(row.state == State::different && row.whole.empty() && std::abs(row.largest - 1e-12) < 1e-15);
    // Of another type, and the same numbers.
    QVERIFY(differences_of(*file("a", "I32", bytes_of<std::int32_t>({-7, 5})),
                           *file("b", "I64", bytes_of<std::int64_t>({-7, 5})))
                .at(0)
                .state == State::equal);
    QVERIFY(differences_of(*file("a", "F32", bytes_of<float>({9007199254740992.F, 5})),
                           *file("b", "I64", bytes_of<std::int64_t>({large + 1, 5})))
                .at(0)
                .state == State::different);
    // What is no number here is compared byte by byte.
    QVERIFY(compared("F8_E4M3", "ab", "ab").state == State::equal);
    QVERIFY(compared("F8_E4M3", "ab", "ac").state == State::no_numbers);
  }

  void singular_values_of_a_scaled_rotation() {
    const Tensor matrix = tensor({2, 2}, {0, -3, 4, 0});
    const std::vector<double> values = singular_values(matrix);
    QCOMPARE(values.size(), 2u);
    QVERIFY(std::abs(values[0] - 4) < 1e-12 && std::abs(values[1] - 3) < 1e-12);
    QVERIFY_THROWS_EXCEPTION(UsageError, singular_values(tensor({1, 2}, {1, std::numeric_limits<Scalar>::infinity()})));
  }

  void what_holds_no_numbers_is_refused() {
    const auto file = open_npz(fs::path(HEADLIGHT_TEST_DATA) / "captured" / "encoder.npz");
    for (std::size_t i = 0; i < file->tensors().size(); ++i)
      if (file->tensors()[i].name == "tokens") {
        QCOMPARE(message_of<FormatError>([&] { statistics_of(*file, i, "F"); }),
                 QString("F: tensor \"tokens\": expected numbers, found the type <U6"));
        QCOMPARE(texts_of(file->tensors()[i], file->bytes(i), "F").at(0), std::string("[CLS]"));
      }
  }
};

HEADLIGHT_CORE_TEST(TestTensorStatistics)

}  // namespace headlight::test_tensor_statistics

#include "test_tensor_statistics.moc"
