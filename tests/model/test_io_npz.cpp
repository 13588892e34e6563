// npz and npy: written for numpy, read from numpy, and damaged files with their messages.

#include <zlib.h>

#include <QProcess>
#include <limits>

#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_io_npz {

using namespace headlight::testing;

namespace {

std::filesystem::path numpy() { return std::filesystem::path(HEADLIGHT_TEST_DATA) / "numpy"; }

std::string npy(const std::string& dict, const std::string& data) {
  std::string header = dict + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += {'\1', '\0', static_cast<char>(header.size()), '\0'};
  return bytes + header + data;
}

std::string npy(const std::string& descr, const std::string& order, const std::string& shape, const std::string& data) {
  return npy("{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }", data);
}

}  // namespace

class TestIoNpz : public QObject {
  Q_OBJECT

  using Values = std::vector<Scalar>;
  static QString array_refusal(const std::string& bytes) {
    return message_of<FormatError>([&] { parse_npy(bytes, "f"); });
  }
  static QString archive_refusal(const std::string& bytes) {
    return message_of<FormatError>([&] { parse_npz(bytes, "f"); });
  }
  static std::string written(const std::vector<NamedTensor>& tensors) {
    Folder folder;
    write_npz(folder / "t.npz", tensors, NpyType::f4);
    return get_file(folder / "t.npz");
  }

 private slots:
  void written_files_come_back() {
    Folder folder;
    const std::vector<NamedTensor> tensors = {{"decoder.step[3].attention.weights", fill(1, {2, 3})},
                                              {"scalar", Tensor::full({}, 7)},
                                              {"row", fill(2, {5})},
                                              {"empty", Tensor::zeros({0, 2})},
                                              {"名", fill(3, {2, 3, 4})}};
    write_npz(folder / "t.npz", tensors, NpyType::f8);
    const std::vector<NamedTensor> read = read_npz(folder / "t.npz");
    QCOMPARE(read.size(), tensors.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      QCOMPARE(read[i].name, tensors[i].name);
      QCOMPARE(read[i].value.shape(), tensors[i].value.shape());
      QCOMPARE(read[i].value.values(), tensors[i].value.values());
    }
  }
  void empty_archive() { QVERIFY(parse_npz(written({}), "f").empty()); }
  void more_entries_than_16_bits_count() {
    std::vector<NamedTensor> tensors;
    for (int i = 0; i < 66'000; ++i) tensors.push_back({"t" + std::to_string(i), Tensor::full({}, Scalar(i))});
    const std::vector<NamedTensor> read = parse_npz(written(tensors), "f");
    QCOMPARE(read.size(), tensors.size());
    QCOMPARE(read.back().value[0], Scalar(65'999));
  }
  void same_tensors_give_the_same_bytes() {
    QVERIFY(written({{"a", fill(1, {2, 3})}}) == written({{"a", fill(1, {2, 3})}}));
  }

  // tests/data/numpy was written by NumPy itself: what we write holds the same bytes for the same arrays.
  void what_we_write_is_what_numpy_writes() {
    const Scalar infinity = std::numeric_limits<Scalar>::infinity();
    const std::string ours = written({{"weights", Tensor::of({2, 3}, {0, 1, 2, 3, 4, 5.5})},
                                      {"odd", Tensor::vector({-infinity, Scalar(0.25), Scalar(0.1)})},
                                      {"scalar", Tensor::full({}, 7)}});
    for (const char* name : {"weights", "odd", "scalar"}) {
      const std::string theirs = get_file(numpy() / (std::string(name) + ".npy"));
      QVERIFY(theirs.size() > 128);
      QVERIFY2(ours.find(std::string(name) + ".npy") != std::string::npos, name);
      QVERIFY2(ours.find(theirs) != std::string::npos, name);
    }
  }
  void we_read_what_numpy_writes() {
    const std::vector<NamedTensor> arrays = read_npz(numpy() / "arrays.npz");
    QCOMPARE(arrays.size(), std::size_t{6});
    for (const NamedTensor& tensor : arrays) {
      QCOMPARE(tensor.value.shape(), Shape({2, 3, 4}));
      for (Index i = 0; i < 24; ++i) QCOMPARE(tensor.value[i], static_cast<Scalar>(tensor.name == "flag" ? i > 11 : i));
    }
    const std::vector<NamedTensor> packed = read_npz(numpy() / "packed.npz");
    QCOMPARE(packed[0].name, std::string("x"));
    QCOMPARE(packed[0].value.shape(), Shape({200, 3, 4}));
    for (Index i = 0; i < 2400; ++i) QCOMPARE(packed[0].value[i], static_cast<Scalar>(i % 24));
    QCOMPARE(read_npy(numpy() / "a.npy").name, std::string("a"));
    QCOMPARE(read_npy(numpy() / "a.npy").value[23], Scalar(23));
  }
  // IEEE 754: 1, 2, 3 and 0.1 as half precision are 3c00, 4000, 4200 and 2e66.
  void halves_in_safetensors_bytes() {
    Folder folder;
    write_safetensors(folder / "w", {{"a", Tensor::of({2, 2}, {1, 2, 3, Scalar(0.1)})}}, {}, StorageType::f16);
    const std::string bytes = get_file(folder / "w");
    QVERIFY(bytes.ends_with(std::string("\x00\x3c\x00\x40\x00\x42\x66\x2e", 8)));
    QVERIFY(bytes.find("\"dtype\":\"F16\"") != std::string::npos);
    QCOMPARE(bytes.size() % 8, std::size_t{0});
  }

  void big_endian_and_column_order() {
    QCOMPARE(parse_npy(npy(">i2", "False", "(2,)", std::string("\1\0\0\2", 4)), "f").values(), (Values{256, 2}));
    QCOMPARE(parse_npy(npy("|i1", "True", "(2, 3)", "\1\2\3\4\5\6"), "f").values(), (Values{1, 3, 5, 2, 4, 6}));
  }
  void not_an_array() {
    QCOMPARE(array_refusal("hello"), QString("f: not an npy array: it does not start with \\x93NUMPY"));
  }
  void unknown_version() {
    std::string bytes = npy("|i1", "False", "(1,)", "\1");
    bytes[6] = 9;
    QCOMPARE(array_refusal(bytes), QString("f: npy version 9 is not supported"));
  }
  void python_objects() {
    QCOMPARE(array_refusal(npy("|O", "False", "(1,)", "x")), QString("f: arrays of Python objects are not supported"));
  }
  void structured_array() {
    QCOMPARE(array_refusal(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "xxxx")),
             QString("f: structured arrays are not supported"));
  }
  void complex_array() {
    QCOMPARE(array_refusal(npy("<c8", "False", "(1,)", "xxxxxxxx")),
             QString("f: arrays of type '<c8' are not supported"));
  }
  void float_of_one_byte() {
    QCOMPARE(array_refusal(npy("<f1", "False", "(1,)", "x")), QString("f: arrays of type '<f1' are not supported"));
  }
  void array_cut_off() {
    QCOMPARE(array_refusal(npy("<f4", "False", "(3,)", "xxxxxxxx")),
             QString("f: the array is cut off; missing: 4 bytes"));
  }
  void bytes_after_the_array() {
    QCOMPARE(array_refusal(npy("<f4", "False", "(1,)", "xxxxx")), QString("f: the array is followed by 1 byte"));
  }
  void shape_that_wraps_to_zero() {
    QCOMPARE(array_refusal(npy("<f4", "False", "(4294967296, 4294967296)", "")), QString("f: the shape is too large"));
  }
  void huge_dimension() {
    QCOMPARE(array_refusal(npy("<f4", "False", "(99999999999999999999,)", "")), QString("f: its shape is too large"));
  }
  void negative_dimension() {
    QCOMPARE(array_refusal(npy("<f4", "False", "(-1,)", "")), QString("f: its shape is damaged"));
  }
  void six_dimensions() {
    QCOMPARE(array_refusal(npy("|i1", "False", "(1, 1, 1, 1, 1, 1)", "x")),
             QString("f: it has 6 dimensions, at most 5 are supported"));
  }
  void code_in_the_header() {
    QCOMPARE(array_refusal(npy("{'descr': __import__('os'), 'shape': ()}", "")), QString("f: its header is damaged"));
  }
  void repeated_key_in_the_header() {
    QCOMPARE(array_refusal(npy("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': ()}", "")),
             QString("f: its header has an unexpected key 'descr'"));
  }
  void array_cut_off_at_every_byte() {
    const std::string bytes = npy("<f4", "False", "(2, 1)", "xxxxxxxx");
    for (std::size_t size = 0; size < bytes.size(); ++size)
      QVERIFY(array_refusal(bytes.substr(0, size)).startsWith("f: "));
  }

  void not_an_archive() {
    QCOMPARE(archive_refusal("hello"),
             QString("f: not a zip archive, or cut off: its directory at the end is missing"));
  }
  void archive_cut_off_at_every_byte() {
    const std::string bytes = written({{"a", fill(1, {2})}, {"b", fill(2, {3})}});
    for (std::size_t size = 0; size < bytes.size(); ++size)
      QVERIFY(archive_refusal(bytes.substr(0, size)).startsWith("f: "));
  }
  void every_byte_of_an_archive_flipped() {
    const std::string bytes = written({{"a", fill(1, {2})}, {"b", fill(2, {3})}});
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xff}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ change);
        try {
          for (const NamedTensor& tensor : parse_npz(changed, "f")) QVERIFY(tensor.value.size() <= 3);
        } catch (const FormatError& error) {
          QVERIFY(QString(error.what()).startsWith("f: "));
        }
      }
    }
  }
  void changed_number_fails_the_checksum() {
    std::string bytes = written({{"a", fill(1, {2})}});
    bytes[30 + 5 + 128 + 2] ^= 1;  // local header, name, npy header of 128 bytes, third byte of the numbers
    QCOMPARE(archive_refusal(bytes), QString("f: the entry \"a.npy\" is damaged: its checksum is wrong"));
  }
  void promise_of_a_bomb() {
    std::string bytes = written({{"a", fill(1, {2})}});
    const std::size_t directory = bytes.find("PK\1\2");
    bytes[directory + 10] = 8;     // deflated
    bytes[directory + 26] = 0x7f;  // third byte of the unpacked size
    QVERIFY(archive_refusal(bytes).startsWith("f: the entry \"a.npy\" claims to unpack 136 bytes to 8,"));
  }
  void encrypted_entry() {
    std::string bytes = written({{"a", fill(1, {2})}});
    bytes[bytes.find("PK\1\2") + 8] = 1;
    QCOMPARE(archive_refusal(bytes), QString("f: the entry \"a.npy\" is encrypted"));
  }
  void unknown_packing() {
    std::string bytes = written({{"a", fill(1, {2})}});
    bytes[bytes.find("PK\1\2") + 10] = 12;
    QCOMPARE(archive_refusal(bytes),
             QString("f: the entry \"a.npy\" is packed by method 12; only stored and deflated ones can be read"));
  }
  void repeated_entry() {
    std::string bytes = written({{"a", fill(1, {2})}, {"b", fill(1, {2})}});
    bytes[bytes.rfind("b.npy")] = 'a';
    QCOMPARE(archive_refusal(bytes), QString("f: the entry \"a.npy\" is there twice"));
  }
  void overlapping_entries() {
    std::string bytes = written({{"a", fill(1, {2})}, {"b", fill(1, {2})}});
    const std::size_t second = bytes.rfind("PK\1\2");
    std::memset(bytes.data() + second + 42, 0, 4);  // the second entry starts where the first does
    QCOMPARE(archive_refusal(bytes), QString("f: the entries \"a.npy\" and \"b.npy\" overlap"));
  }
  void entry_that_is_no_array() {
    std::string bytes = written({{"a", fill(1, {2})}});
    bytes[bytes.rfind("a.npy") + 4] = 'z';
    QCOMPARE(archive_refusal(bytes), QString("f: the entry \"a.npz\" is no array (.npy)"));
  }
  void duplicate_name_is_not_written() {
    Folder folder;
    const std::string path = (folder / "t.npz").string();
    QCOMPARE(message_of<UsageError>([&] {
               write_npz(path, {{"a", fill(1, {2})}, {"a", fill(1, {2})}}, NpyType::f4);
             }),
             QString::fromStdString("cannot write " + path + ": the name \"a\" is there twice"));
    QVERIFY(folder.names().empty());
  }
};

HEADLIGHT_TEST(TestIoNpz)

}  // namespace headlight::test_io_npz

#include "test_io_npz.moc"
