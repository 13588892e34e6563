// GGUF files: written byte by byte, broken, and those that the library's own programs made.

#include <QTest>
#include <cmath>
#include <limits>

#include "model/core/json_library.h"
#include "model/core/packed_factor.h"
#include "model/core/random.h"
#include "model/io/formats/format.h"
#include "model/io/formats/gguf/gguf_file.h"
#include "model/io/formats/gguf/gguf_types.h"
#include "model/io/half.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "model/io/tensor_values.h"
#include "tests/model/gguf_bytes.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_gguf {

using namespace headlight::testing;

namespace {

using Bytes = GgufBytes;

fs::path gguf_material() { return made_elsewhere().parent_path() / "models" / "gguf"; }

std::string half_bytes(double value) { return Bytes::number(to_half(value)); }

std::vector<float> widened(std::uint32_t number, const std::string& block) {
  const gguf::BlockType* type = gguf::block_type(number);
  std::vector<float> values(type->values);
  type->widen(reinterpret_cast<const unsigned char*>(block.data()), 1, values.data());
  return values;
}

// Where a block has numbers of half precision.
std::vector<std::size_t> halves_of(unsigned number) {
  switch (number) {
    case 10:
      return {80, 82};
    case 11:
      return {108};
    case 14:
      return {208};
    case 3:
    case 7:
    case 12:
    case 13:
      return {0, 2};
    case 39:
      return {};
    default:
      return {0};
  }
}

Bytes small_file() {
  Bytes file;
  file.key("general.architecture", 8, Bytes::text("small"));
  file.key("a.byte", 1, Bytes::number<std::int8_t>(-7));
  file.key("a.large", 10, Bytes::number<std::uint64_t>(UINT64_MAX));
  file.key("a.real", 6, Bytes::number(1e-6f));
  file.key("a.truth", 7, std::string(1, '\1'));
  file.texts("a.texts", {"", "\xc3\xa4", "two words"});
  file.numbers<std::int16_t>("a.list", 3, {-1, 2});
  file.tensor("floats", {3, 2}, 0, bytes_of<float>({1, 2, 3, 4, 5, 6}));
  file.tensor("blocks", {32}, 8, half_bytes(0.5) + std::string(32, '\x02'));
  return file;
}

std::string reason_of(const fs::path& path) { return format_of(path)->contents(path).reason; }

// The values of a tensor that the material has of it: all, or 64 at equal distances.
std::vector<float> probed(const std::vector<float>& all) {
  if (all.size() <= 64) return all;
  std::vector<float> some;
  for (std::size_t k = 0; k < 64; ++k) some.push_back(all[k * (all.size() - 1) / 63]);
  return some;
}

}  // namespace

class TestGguf : public QObject {
  Q_OBJECT

 private slots:
  // Types that multiply without being widened: against sums in double of the widened numbers.
  void rows_multiply_data() {
    QTest::addColumn<unsigned>("number");
    for (const unsigned number : {2u, 3u, 6u, 7u, 8u, 10u, 11u, 12u, 13u, 14u, 20u, 23u, 39u})
      QTest::newRow(gguf::block_type(number)->name) << number;
  }
  void rows_multiply() {
    QFETCH(unsigned, number);
    const gguf::BlockType& type = *gguf::block_type(number);
    constexpr std::size_t kNumbers = 768;
    const std::size_t blocks = kNumbers / type.values;
    Random random(7, Random::Stream::init, number);
    // Every byte is drawn; scales that are halves get small exponents.
    std::string row(blocks * type.bytes, '\0');
    for (char& byte : row) byte = static_cast<char>(static_cast<unsigned char>(random.uniform() * 256));
    for (std::size_t b = 0; b < blocks; ++b)
      for (const std::size_t at : halves_of(number)) row[b * type.bytes + at + 1] = static_cast<char>(0x24 + b % 4);
    for (std::size_t b = 0; number == 39 && b < blocks; ++b) row[b * type.bytes] = static_cast<char>(120 + b % 4);
    const auto* bytes = reinterpret_cast<const unsigned char*>(row.data());
    std::vector<float> wide(kNumbers);
    type.widen(bytes, blocks, wide.data());
    Tensor x({static_cast<Index>(kNumbers)});
    for (const double size : {1.0, 1e-30, 1e30}) {
      for (Index i = 0; i < x.size(); ++i)
        x[i] = static_cast<Scalar>((random.uniform() - 0.5) * (i % 97 == 0 ? 30 : 1) * size);
      PackedFactor factor;
      factor.set(x.data(), x.size());
      double sum = 0, of_sizes = 0;
      for (Index i = 0; i < x.size(); ++i) {
        const double product = static_cast<double>(nth(wide, i)) * static_cast<double>(x[i]);
        sum += product;
        of_sizes += std::abs(product);
      }
      QVERIFY(std::abs(static_cast<double>(type.multiply(bytes, blocks, factor)) - sum) <= 2e-7 * of_sizes);
    }
    for (Index i = 0; i < x.size(); ++i) x[i] = 0;
    PackedFactor factor;
    factor.set(x.data(), x.size());
    QCOMPARE(type.multiply(bytes, blocks, factor), 0.0f);
    x[300] = std::numeric_limits<Scalar>::quiet_NaN();  // is seen
    factor.set(x.data(), x.size());
    QVERIFY(std::isnan(type.multiply(bytes, blocks, factor)));
  }

  void a_file_by_hand() {
    Folder folder;
    put_file(folder / "s.gguf", small_file().bytes());
    const GgufFile file(folder / "s.gguf");
    QCOMPARE(file.tensors().size(), std::size_t(2));
    QCOMPARE(file.tensors()[0].shape, (std::vector<std::uint64_t>{2, 3}));
    QCOMPARE(numbers_of(file, 0, "s")[3], Scalar(4));
    QCOMPARE(file.tensors()[1].dtype, std::string("F32"));
    QCOMPARE(file.stored(1).type, std::string("Q8_0"));
    QCOMPARE(file.stored(1).bytes, std::uint64_t(34));
    for (const Scalar value : numbers_of(file, 1, "s").values()) QCOMPARE(value, Scalar(1));
    QCOMPARE(file.whole("a.large"), std::optional(UINT64_MAX));
    QCOMPARE(file.real("a.real"), std::optional(1e-6));  // as it was written, not as a float32 is
    QCOMPARE(file.texts("a.texts"), (std::vector<std::string>{"", "\xc3\xa4", "two words"}));
    QCOMPARE(file.numbers("a.list"), (std::vector<double>{-1, 2}));
    QCOMPARE(file.typed_value(1), std::pair(std::string("INT8"), std::string("-7")));
    QCOMPARE(file.typed_value(6), std::pair(std::string("ARRAY/INT16"), std::string("[-1,2]")));
    QVERIFY(message_of<FormatError>([&] { file.whole("a.byte"); }).endsWith("found -7 of type INT8"));
    QVERIFY(!file.whole("missing"));
  }

  // Wherever a file is cut off, and whichever byte of it is another one.
  void every_cut_and_every_byte_ends() {
    Folder folder;
    const std::string whole = small_file().bytes();
    int refused = 0;
    const auto attempt = [&](const std::string& bytes) {
      put_file(folder / "s.gguf", bytes);
      try {
        const GgufFile file(folder / "s.gguf");
        for (std::size_t i = 0; i < file.tensors().size(); ++i)
          if (file.tensors()[i].bytes < 4096) file.bytes(i);
        for (std::size_t i = 0; i < file.values().size(); ++i) file.typed_value(i);
      } catch (const Error&) {
        ++refused;
      }
    };
    for (std::size_t length = 0; length < whole.size(); length += length < 400 ? 1 : 7)
      attempt(whole.substr(0, length));
    QVERIFY(refused > 300);
    for (std::size_t at = 0; at < whole.size(); at += 3)
      for (const char byte : {'\0', '\xff', '\x20'}) {
        std::string other = whole;
        other[at] = byte;
        attempt(other);
      }
  }

  void blocks_by_hand() {
    // d = 2, the first byte holds places 0 and 16.
    const auto q4_0 = widened(2, half_bytes(2) + "\x1f" + std::string(15, '\0'));
    QCOMPARE(q4_0[0], 14.0f);
    QCOMPARE(q4_0[16], -14.0f);
    QCOMPARE(q4_0[1], -16.0f);
    const auto q5_1 =
        widened(7, half_bytes(0.5) + half_bytes(-1) + std::string("\x01\0\0\0", 4) + "\x23" + std::string(15, '\0'));
    QCOMPARE(q5_1[0], 0.5f * 19 - 1);
    QCOMPARE(q5_1[16], 0.5f * 2 - 1);
    // Scales of groups 0 and 4: 5 and 3 | 2 << 4 = 35; least 7 and 9 | 1 << 4 = 25.
    std::string scales(12, '\0');
    scales[0] = static_cast<char>(2 << 6 | 5);
    scales[4] = static_cast<char>(1 << 6 | 7);
    scales[8] = static_cast<char>(9 << 4 | 3);
    const auto q4_k = widened(12, half_bytes(0.25) + half_bytes(0.5) + scales + std::string(128, '\x42'));
    QCOMPARE(q4_k[0], 0.25f * 5 * 2 - 0.5f * 7);
    QCOMPARE(q4_k[128], 0.25f * 35 * 2 - 0.5f * 25);
    QCOMPARE(q4_k[32], 0.0f);
    const auto mxfp4 = widened(39, std::string(1, '\x80') + "\x9f" + std::string(15, '\0'));
    QCOMPARE(mxfp4[0], -12.0f);
    QCOMPARE(mxfp4[16], -1.0f);
    const auto q1_0 = widened(41, half_bytes(3) + "\x02" + std::string(15, '\0'));
    QCOMPARE(q1_0[0], -3.0f);
    QCOMPARE(q1_0[1], 3.0f);
  }

  void parts_of_a_tensor_are_the_same() {
    Folder folder;
    Bytes bytes;
    std::string blocks;
    for (int b = 0; b < 9; ++b) {
      blocks += half_bytes(0.5 + b);
      for (int i = 0; i < 16; ++i) blocks += static_cast<char>(17 * i + b);
    }
    bytes.tensor("t", {96, 3}, 2, blocks);
    put_file(folder / "t.gguf", bytes.bytes());
    const GgufFile file(folder / "t.gguf");
    const std::string all = file.bytes(0);
    for (const auto& [offset, count] : {std::pair(0, 4), {4, 300}, {127, 2}, {128, 128}, {700, 452}}) {
      std::string part(static_cast<std::size_t>(count), '\0');
      file.read(0, static_cast<std::uint64_t>(offset), part.data(), part.size());
      QCOMPARE(part, all.substr(static_cast<std::size_t>(offset), part.size()));
    }
    char one = 0;
    QVERIFY(message_of<FormatError>([&] { file.read(0, all.size(), &one, 1); }).endsWith("it ends early"));
  }

  void types_of_tables_are_listed_and_do_not_run() {
    Folder folder;
    Bytes bytes;
    bytes.key("general.architecture", 8, Bytes::text("llama"));
    bytes.tensor("w", {256}, 17, std::string(74, '\0'));
    put_file(folder / "t.gguf", bytes.bytes());
    const GgufFile file(folder / "t.gguf");
    QCOMPARE(file.tensors()[0].dtype, std::string("IQ2_XS"));
    QCOMPARE(reason_of(folder / "t.gguf"),
             std::string("tensor \"w\" is of type IQ2_XS, whose values lie in tables that are not here"));
  }

  void broken_files_of_the_material() {
    SKIP_WITHOUT_MATERIAL();
    int refused = 0;
    for (const Json& row : read_json(gguf_material() / "broken" / "broken.json", 1u << 22)) {
      const fs::path path = gguf_material() / "broken" / row.at("file").get<std::string>();
      const std::string inspect = row.at("inspect"), name = row.at("file");
      std::string said;
      try {
        const Contents found = format_of(path)->contents(path);
        QVERIFY2(inspect != "refused", name.c_str());
        if (row.at("run") == "refused") QVERIFY2(!found.runs, name.c_str());
        said = found.reason;
      } catch (const Error& error) {
        QVERIFY2(inspect == "refused" || inspect == "either", name.c_str());
        said = error.what();
        ++refused;
      }
      if (said.empty()) continue;
      QVERIFY2(said.find('\n') == said.npos, said.c_str());
      for (const Json& words : row.at("words")) {
        const bool any = std::any_of(words.begin(), words.end(), [&](const Json& word) {
          return (name + ": " + said).find(word.get<std::string>()) != std::string::npos;
        });
        QVERIFY2(any, (name + ": " + said).c_str());
      }
    }
    QVERIFY(refused >= 25);
  }

  void numbers_of_the_material() {
    SKIP_WITHOUT_MATERIAL();
    int tensors = 0;
    for (const auto& entry : fs::directory_iterator(gguf_material())) {
      if (entry.path().extension() != ".gguf" || !fs::exists(fs::path(entry.path()).replace_extension(".json")))
        continue;
      const std::string name = entry.path().stem().string();
      const GgufFile file(entry.path());
      const Json told = read_json(fs::path(entry.path()).replace_extension(".json"), 1u << 24);
      QCOMPARE(file.values().size(), told.at("metadata").size());
      std::size_t k = 0;
      for (const auto& [key, value] : told.at("metadata").items()) {
        QCOMPARE(file.values()[k].first, key);
        QCOMPARE(file.typed_value(k).first, value.at("type").get<std::string>());
        ++k;
      }
      QCOMPARE(file.tensors().size(), told.at("tensors").size());
      const fs::path arrays = fs::path(entry.path()).replace_extension(".npz");
      if (!fs::exists(arrays)) continue;
      std::map<std::string, Tensor> expected;
      for (const NamedTensor& array : read_npz(arrays)) expected[array.name] = array.value;
      std::size_t at = 0;
      for (std::size_t i = 0; i < file.tensors().size(); ++i) {
        const Json& row = told.at("tensors")[i];
        const TensorEntry& tensor = file.tensors()[i];
        QCOMPARE(tensor.name, row.at("name").get<std::string>());
        QCOMPARE(file.stored(i).type, row.at("type").get<std::string>());
        const std::size_t count = std::min<std::size_t>(64, row.at("values").get<std::size_t>());
        const bool known = has_numbers(tensor);
        std::vector<float> found(known ? static_cast<std::size_t>(tensor.count()) : 0);
        if (known) read_numbers(tensor.dtype, file.bytes(i), 0, tensor.count(), found.data(), name);
        const bool whole = !expected.contains("probes");
        if (!whole) found = probed(found);
        const Tensor& wanted = whole ? expected["values." + tensor.name] : expected["probes"];
        double worst = 0, largest = 1e-9;
        for (std::size_t n = 0; known && n < found.size(); ++n) {
          const double value = wanted[static_cast<Index>(whole ? n : at + n)];
          worst = std::max(worst, std::abs(value - static_cast<double>(found[n])));
          largest = std::max(largest, std::abs(value));
        }
        QVERIFY2(worst <= 1e-6 * largest, (name + ": " + tensor.name).c_str());
        at += count;
        tensors += known;
      }
    }
    QVERIFY(tensors > 500);
  }

  void parts_are_one_file() {
    SKIP_WITHOUT_MATERIAL();
    const GgufFile whole(gguf_material() / "small-q4_0.gguf"), parts(gguf_material() / "parts-00001-of-00003.gguf"),
        second(gguf_material() / "parts-00002-of-00003.gguf");
    QCOMPARE(parts.paths().size(), std::size_t(3));
    QCOMPARE(second.tensors().size(), parts.tensors().size());
    QCOMPARE(parts.tensors().size(), whole.tensors().size());
    for (std::size_t i = 0; i < parts.tensors().size(); ++i)
      QCOMPARE(parts.bytes(i), whole.bytes(*whole.find_tensor(parts.tensors()[i].name)));
  }
};

HEADLIGHT_TEST(TestGguf)

}  // namespace headlight::test_gguf

#include "test_gguf.moc"
