// The safetensors reader and writer: what is accepted, and each hostile file with its message.

#include <bit>
#include <limits>

#include "model/io/file.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_io_safetensors {

using namespace headlight::testing;

class TestIoSafetensors : public QObject {
  Q_OBJECT

  static SafetensorsFile open(const std::string& bytes) { return SafetensorsFile::from_bytes(bytes, "w"); }
  static SafetensorsFile open(const std::string& header, const std::string& buffer) {
    return open(safetensors_bytes(header, buffer));
  }
  static QString refusal(const std::string& bytes) {
    return message_of<FormatError>([&] { open(bytes); });
  }
  static QString refusal(const std::string& header, const std::string& buffer) {
    return refusal(safetensors_bytes(header, buffer));
  }
  // JSON that is easier to read here: ' stands for ".
  static std::string json(std::string text) {
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
  }
  static std::string tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return json("{'dtype':'") + dtype + json("','shape':") + shape + json(",'data_offsets':") + offsets + "}";
  }
  // One tensor "a".
  static std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return json("{'a':") + tensor(dtype, shape, offsets) + "}";
  }
  static std::string valid_file() {
    return safetensors_bytes(json("{'__metadata__':{'k':'v'},'a':") + tensor("F32", "[2,2]", "[0,16]") +
                                 json(",'b.c':") + tensor("F16", "[3]", "[16,22]") + "}  ",
                             std::string(22, '\1'));
  }
  static std::vector<Scalar> loaded(const std::string& dtype, int count, const std::string& buffer) {
    const std::string n = std::to_string(count);
    return open(one(dtype, "[" + n + "]", "[0," + std::to_string(buffer.size()) + "]"), buffer).load("a").values();
  }
  using Values = std::vector<Scalar>;

 private slots:
  void reads_names_shapes_and_metadata() {
    const SafetensorsFile file = open(valid_file());
    QCOMPARE(file.tensors().size(), std::size_t{2});
    QCOMPARE(file.tensors()[0].name, std::string("a"));
    QCOMPARE(file.tensors()[0].shape, (std::vector<std::uint64_t>{2, 2}));
    QCOMPARE(file.tensors()[0].shape_text(), std::string("[2 x 2]"));
    QCOMPARE(file.tensors()[1].dtype, std::string("F16"));
    QCOMPARE(file.tensors()[1].count(), std::uint64_t{3});
    QCOMPARE(file.metadata().at("k"), std::string("v"));
    QVERIFY(!file.find("b"));
    QCOMPARE(file.load("b.c").shape(), Shape({3}));
  }
  void converts_every_type() {
    QCOMPARE(loaded("F32", 2, bytes_of({1.5f, -2.0f})), (Values{1.5, -2}));
    QCOMPARE(loaded("F64", 2, bytes_of({1.5, -2.0})), (Values{1.5, -2}));
    QCOMPARE(loaded("F16", 2, bytes_of<std::uint16_t>({0x3e00, 0xc000})), (Values{1.5, -2}));
    QCOMPARE(loaded("BF16", 2, bytes_of<std::uint16_t>({0x3fc0, 0xc000})), (Values{1.5, -2}));
    QCOMPARE(loaded("I8", 2, bytes_of<std::int8_t>({-1, 127})), (Values{-1, 127}));
    QCOMPARE(loaded("U8", 2, bytes_of<std::uint8_t>({255, 1})), (Values{255, 1}));
    QCOMPARE(loaded("I16", 1, bytes_of<std::int16_t>({-300})), (Values{-300}));
    QCOMPARE(loaded("U16", 1, bytes_of<std::uint16_t>({65535})), (Values{65535}));
    QCOMPARE(loaded("I32", 1, bytes_of<std::int32_t>({-70000})), (Values{-70000}));
    QCOMPARE(loaded("U32", 1, bytes_of<std::uint32_t>({4000000000u})), (Values{4000000000}));
    QCOMPARE(loaded("I64", 1, bytes_of<std::int64_t>({-5})), (Values{-5}));
    QCOMPARE(loaded("U64", 1, bytes_of<std::uint64_t>({7})), (Values{7}));
    QCOMPARE(loaded("BOOL", 2, bytes_of<std::uint8_t>({0, 1})), (Values{0, 1}));
  }
  void numbers_at_odd_addresses() {
    const SafetensorsFile file =
        open(json("{'x':") + tensor("U8", "[1]", "[0,1]") + json(",'a':") + tensor("F32", "[2]", "[1,9]") + "}",
             "\7" + bytes_of({1.5f, -2.0f}));
    QCOMPARE(file.load("a").values(), (Values{1.5, -2}));
  }
  void tensor_of_several_chunks() {
    const Index count = (Index{1} << 18) * 2 + 3;
    std::string buffer(static_cast<std::size_t>(count) * 4, '\0');
    for (Index i = 0; i < count; ++i) {
      const auto value = static_cast<float>(i % 1000);
      std::memcpy(buffer.data() + i * 4, &value, 4);
    }
    const Values values = loaded("F32", static_cast<int>(count), buffer);
    for (Index i = 0; i < count; ++i) QCOMPARE(values[static_cast<std::size_t>(i)], static_cast<Scalar>(i % 1000));
  }
  void empty_and_rank_0_tensors() {
    const SafetensorsFile file =
        open(json("{'e':") + tensor("F32", "[0,3]", "[0,0]") + json(",'s':") + tensor("F32", "[]", "[0,4]") + "}",
             bytes_of({2.5f}));
    QCOMPARE(file.load("e").shape(), Shape({0, 3}));
    QCOMPARE(file.load("s").shape(), Shape());
    QCOMPARE(file.load("s")[0], Scalar(2.5));
  }
  void no_tensors_at_all() { QVERIFY(open("{}", "").tensors().empty()); }
  void white_space_around_the_header() { QVERIFY(open(" \n{}\t ", "").tensors().empty()); }
  void counts_what_is_no_number() {
    const float infinity = std::numeric_limits<float>::infinity();
    const SafetensorsFile file =
        open(one("F32", "[4]", "[0,16]"), bytes_of({std::nanf(""), infinity, -infinity, 1.0f}));
    const NonFinite count = count_non_finite(file.load("a"));
    QCOMPARE(count.nan, Index{1});
    QCOMPARE(count.infinite, Index{2});
    QVERIFY(!count_non_finite(Tensor::vector({1, 2})));
  }
  void small_numbers_are_listed_and_refused_to_compute_with() {
    const SafetensorsFile file =
        open(json("{'a':") + tensor("F8_E4M3", "[2]", "[0,2]") + json(",'b':") + tensor("F4", "[4]", "[2,4]") +
                 json(",'c':") + tensor("C64", "[1]", "[4,12]") + "}",
             std::string(12, '\0'));
    QCOMPARE(file.tensors().size(), std::size_t{3});
    QCOMPARE(message_of<FormatError>([&] { file.load("a"); }),
             QString("w: tensor \"a\": numbers of type F8_E4M3 cannot be computed with"));
    QCOMPARE(message_of<FormatError>([&] { file.load("c"); }),
             QString("w: tensor \"c\": numbers of type C64 cannot be computed with"));
  }
  void six_dimensions_are_listed_and_refused_to_load() {
    const SafetensorsFile file = open(one("F32", "[1,1,1,1,1,2]", "[0,8]"), std::string(8, '\0'));
    QCOMPARE(file.tensors()[0].shape_text(), std::string("[1 x 1 x 1 x 1 x 1 x 2]"));
    QCOMPARE(message_of<FormatError>([&] { file.load("a"); }),
             QString("w: tensor \"a\": it has 6 dimensions, at most 5 are supported"));
  }
  void unknown_name() {
    QCOMPARE(message_of<UsageError>([] { open(valid_file()).load("z"); }), QString("w: there is no tensor \"z\""));
  }

  // Hostile files, one by one.
  void empty_file() {
    QCOMPARE(refusal(""), QString("w: the file is cut off: it has 0 bytes, a safetensors file starts with the 8 bytes "
                                  "of its header's length"));
  }
  void header_cut_off() {
    QCOMPARE(refusal(valid_file().substr(0, 50)),
             QString("w: the file is cut off (an interrupted download?); missing of its header of %1 bytes: %2 bytes")
                 .arg(valid_file().size() - 22 - 8)
                 .arg(valid_file().size() - 22 - 50));
  }
  void buffer_cut_off() {
    QCOMPARE(refusal(valid_file().substr(0, valid_file().size() - 5)),
             QString("w: the file is cut off (an interrupted download?); missing at the end: 5 bytes"));
  }
  void header_too_long() {
    QCOMPARE(refusal(bytes_of<std::uint64_t>({100'000'001}) + "{}"),
             QString("w: not a safetensors file: it announces a header of 100,000,001 bytes, at most 100,000,000 bytes "
                     "are allowed"));
  }
  void header_length_of_all_ones() {
    QVERIFY(refusal(std::string(16, '\xff')).startsWith("w: not a safetensors file: it announces a header of"));
  }
  void git_lfs_pointer() {
    QCOMPARE(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
             QString("w: this is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'"));
  }
  void web_page() {
    const QString page = "w: this is a web page (HTML), not the file itself; the download went wrong";
    QCOMPARE(refusal("<!DOCTYPE html><html></html>"), page);
    QCOMPARE(refusal("\n <HTML><body>"), page);
  }
  void zip_archive() {
    QCOMPARE(refusal(std::string("PK\x03\x04\0\0\0\0", 8)),
             QString("w: this is a zip archive (a PyTorch checkpoint or an npz?), not a safetensors file"));
  }
  void junk_before_the_header() {
    const QString start = "w: not a safetensors file: the header must start with '{'";
    QCOMPARE(refusal("x{}", ""), start);
    QCOMPARE(refusal("\xef\xbb\xbf{}", ""), start);
    QCOMPARE(refusal("[]", ""), start);
    QCOMPARE(refusal("", ""), start);
  }
  void junk_after_the_header() { QCOMPARE(refusal("{}x", ""), QString("w: the header is not valid JSON (byte 3)")); }
  void zero_bytes_in_the_header() {
    QCOMPARE(refusal(std::string("{}\0\0", 4), ""), QString("w: the header is not valid JSON (byte 3)"));
  }
  void header_that_is_no_json() { QVERIFY(refusal("{\"a\":", "").startsWith("w: the header is not valid JSON (byte")); }
  void header_that_is_no_utf8() {
    QVERIFY(refusal("{\"a\xff\":{}}", "").startsWith("w: the header is not valid JSON (byte"));
  }
  void hole() {
    QCOMPARE(refusal(json("{'a':") + tensor("U8", "[2]", "[0,2]") + json(",'b':") + tensor("U8", "[2]", "[3,5]") + "}",
                     std::string(5, '\0')),
             QString("w: no tensor covers the 1 byte before tensor \"b\""));
  }
  void overlap() {
    QCOMPARE(refusal(json("{'a':") + tensor("U8", "[3]", "[0,3]") + json(",'b':") + tensor("U8", "[3]", "[2,5]") + "}",
                     std::string(5, '\0')),
             QString("w: tensor \"b\" overlaps the one before it by 1 byte"));
  }
  void same_bytes_under_two_names() {
    QCOMPARE(refusal(json("{'a':") + tensor("U8", "[3]", "[0,3]") + json(",'b':") + tensor("U8", "[3]", "[0,3]") + "}",
                     std::string(3, '\0')),
             QString("w: tensor \"b\" overlaps the one before it by 3 bytes"));
  }
  void trailing_byte() {
    QCOMPARE(refusal(one("U8", "[2]", "[0,2]"), std::string(3, '\0')),
             QString("w: no tensor covers the last 1 byte of the file"));
  }
  void duplicate_tensor() {
    QCOMPARE(refusal(json("{'a':") + tensor("U8", "[1]", "[0,1]") + json(",'a':") + tensor("U8", "[1]", "[1,2]") + "}",
                     "xx"),
             QString("w: the key \"a\" is there twice"));
  }
  void duplicate_metadata() {
    QCOMPARE(refusal(json("{'__metadata__':{},'__metadata__':{}}"), ""),
             QString("w: the key \"__metadata__\" is there twice"));
  }
  void duplicate_key_in_metadata() {
    QCOMPARE(refusal(json("{'__metadata__':{'k':'1','k':'2'}}"), ""),
             QString("w: in \"__metadata__\": the key \"k\" is there twice"));
  }
  void duplicate_key_in_a_tensor() {
    QCOMPARE(refusal(json("{'a':{'dtype':'U8','dtype':'U8','shape':[1],'data_offsets':[0,1]}}"), "x"),
             QString("w: in \"a\": the key \"dtype\" is there twice"));
  }
  void unknown_key_in_a_tensor() {
    QCOMPARE(refusal(json("{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1],'x':1}}"), "x"),
             QString("w: tensor \"a\": unknown key \"x\""));
  }
  void metadata_that_is_no_text() {
    QCOMPARE(refusal(json("{'__metadata__':{'k':1}}"), ""),
             QString("w: __metadata__ may hold only strings: expected a string for \"k\", found a number"));
    QCOMPARE(refusal(json("{'__metadata__':{'k':{}}}"), ""),
             QString("w: __metadata__ may hold only strings: expected a string for \"k\", found an object"));
    QCOMPARE(refusal(json("{'__metadata__':null}"), ""),
             QString("w: expected an object for \"__metadata__\", found null"));
  }
  void tensor_that_is_no_object() {
    QCOMPARE(refusal(json("{'a':[1]}"), ""), QString("w: expected an object for \"a\", found an array"));
  }
  void missing_dtype() {
    QCOMPARE(refusal(json("{'a':{'shape':[1],'data_offsets':[0,1]}}"), "x"),
             QString("w: tensor \"a\": dtype is missing"));
  }
  void missing_shape() {
    QCOMPARE(refusal(json("{'a':{'dtype':'U8','data_offsets':[0,1]}}"), "x"),
             QString("w: tensor \"a\": shape is missing"));
  }
  void missing_offsets() {
    QCOMPARE(refusal(json("{'a':{'dtype':'U8','shape':[1]}}"), "x"),
             QString("w: tensor \"a\": data_offsets is missing"));
  }
  void unknown_dtype() {
    // One that is not known is named where tensors are listed, and computed with nowhere.
    for (const char* dtype : {"F33", "f32"}) {
      const SafetensorsFile file =
          SafetensorsFile::from_bytes(safetensors_bytes(one(dtype, "[1]", "[0,4]"), "xxxx"), "w");
      QVERIFY(message_of<FormatError>([&] { file.load("a"); }).startsWith("w: tensor \"a\": "));
    }
  }
  void dtype_that_is_no_text() {
    QCOMPARE(refusal(json("{'a':{'dtype':32,'shape':[1],'data_offsets':[0,1]}}"), "x"),
             QString("w: tensor \"a\": expected a string for \"dtype\", found a number"));
  }
  void shape_that_is_a_number() {
    QCOMPARE(refusal(one("U8", "1", "[0,1]"), "x"),
             QString("w: tensor \"a\": expected an array for \"shape\", found a number"));
  }
  void nested_shape() {
    QCOMPARE(refusal(one("U8", "[[1]]", "[0,1]"), "x"),
             QString("w: tensor \"a\": shape must hold whole numbers from 0 on, found an array"));
  }
  void negative_dimension() {
    QCOMPARE(refusal(one("U8", "[-1]", "[0,1]"), "x"),
             QString("w: tensor \"a\": shape must hold whole numbers from 0 on, found the negative number -1"));
  }
  void fractional_dimension() {
    QCOMPARE(refusal(one("U8", "[1.0]", "[0,1]"), "x"),
             QString("w: tensor \"a\": shape must hold whole numbers from 0 on, found the number 1.0"));
  }
  void dimension_beyond_64_bits() {
    QCOMPARE(
        refusal(one("U8", "[18446744073709551616]", "[0,1]"), "x"),
        QString("w: tensor \"a\": shape must hold whole numbers from 0 on, found the number 18446744073709551616"));
  }
  void dimension_beyond_2_to_the_48() {
    QCOMPARE(refusal(one("U8", "[281474976710657]", "[0,1]"), "x"),
             QString("w: tensor \"a\": the dimension 281474976710657 is larger than 2^48"));
  }
  void product_that_wraps_to_zero() {
    QCOMPARE(refusal(one("U8", "[4294967296,4294967296]", "[0,0]"), ""),
             QString("w: tensor \"a\": the shape [4294967296 x 4294967296] is too large"));
  }
  void product_that_wraps_with_the_size_of_a_number() {
    QCOMPARE(refusal(one("F32", "[2147483648,2147483648]", "[0,0]"), ""),
             QString("w: tensor \"a\": the shape [2147483648 x 2147483648] is too large"));
  }
  void shape_and_offsets_disagree() {
    QCOMPARE(refusal(one("F32", "[3]", "[0,8]"), std::string(8, '\0')),
             QString("w: tensor \"a\": the shape [3] of F32 needs 12 bytes, data_offsets give 8 bytes"));
  }
  void half_a_byte() {
    QCOMPARE(refusal(one("F4", "[3]", "[0,2]"), "xx"),
             QString("w: tensor \"a\": the shape [3] of F4 does not fill whole bytes"));
  }
  void end_before_begin() {
    QCOMPARE(refusal(one("U8", "[1]", "[1,0]"), "x"),
             QString("w: tensor \"a\": its data ends (0) before it begins (1)"));
  }
  void offsets_of_one_number() {
    QCOMPARE(refusal(one("U8", "[1]", "[1]"), "x"), QString("w: tensor \"a\": data_offsets must have 2 numbers"));
  }
  void offsets_of_three_numbers() {
    QCOMPARE(refusal(one("U8", "[1]", "[0,1,1]"), "x"), QString("w: tensor \"a\": data_offsets must have 2 numbers"));
  }
  void negative_offset() {
    QCOMPARE(refusal(one("U8", "[1]", "[-1,0]"), "x"),
             QString("w: tensor \"a\": data_offsets must hold whole numbers from 0 on, found the negative number -1"));
  }
  void offsets_far_beyond_the_file() {
    QVERIFY(refusal(one("U8", "[281474976710656]", "[0,281474976710656]"), "x").startsWith("w: the file is cut off"));
  }
  void deep_nesting() {
    const std::string deep(1'000'000, '[');
    QCOMPARE(refusal("{\"a\":" + deep, ""), QString("w: expected an object for \"a\", found an array"));
  }
  void control_characters_in_a_name_do_not_reach_the_terminal() {
    QCOMPARE(refusal(json("{'\\u001b[2J':1}"), ""), QString("w: expected an object for \"\\x1b[2J\", found a number"));
  }
  void very_long_name_is_shortened() { QVERIFY(refusal("{\"" + std::string(100'000, 'n') + "\":1}", "").size() < 300); }

  void truncation_at_every_byte() {
    const std::string file = valid_file();
    for (std::size_t size = 0; size < file.size(); ++size) {
      const QString message = refusal(file.substr(0, size));
      QVERIFY2(message.startsWith("w: the file is cut off"), qPrintable(message));
    }
  }
  void every_byte_flipped_in_every_way() {
    const std::string file = valid_file();
    int accepted = 0;
    for (std::size_t at = 0; at < file.size() - 22; ++at) {
      for (int value = 0; value < 256; ++value) {
        std::string changed = file;
        changed[at] = static_cast<char>(value);
        try {
          const SafetensorsFile opened = open(changed);
          for (const TensorInfo& info : opened.tensors()) {
            try {
              QVERIFY(opened.load(info.name).size() <= 22);
            } catch (const FormatError& error) {
              QVERIFY(QString(error.what()).contains("cannot be computed with"));
            }
          }
          ++accepted;
        } catch (const FormatError& error) {
          QVERIFY(QString(error.what()).startsWith("w: "));
        }
      }
    }
    QVERIFY(accepted > static_cast<int>(file.size()) - 22);  // at least each byte as it was
  }

  void written_files_come_back() {
    Folder folder;
    const std::vector<NamedTensor> tensors = {{"m", fill(1, {3, 5})},
                                              {"s", Tensor::full({}, 2)},
                                              {"e", Tensor::zeros({0, 4})},
                                              {"naïve \"name\"\n", fill(2, {7})}};
    write_safetensors(folder / "w", tensors, {{"key", "välue"}}, StorageType::f64);
    const SafetensorsFile file(folder / "w");
    QCOMPARE(file.metadata(), (std::map<std::string, std::string>{{"key", "välue"}}));
    QCOMPARE(file.tensors().size(), tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      QCOMPARE(file.tensors()[i].name, tensors[i].name);
      QCOMPARE(file.load(tensors[i].name).shape(), tensors[i].value.shape());
      QCOMPARE(file.load(tensors[i].name).values(), tensors[i].value.values());
    }
  }
  void header_is_padded_to_8_bytes() {
    Folder folder;
    for (int length = 1; length <= 9; ++length) {
      write_safetensors(folder / "w", {{std::string(static_cast<std::size_t>(length), 'n'), fill(1, {2})}}, {},
                        StorageType::f32);
      const std::string bytes = get_file(folder / "w");
      QCOMPARE(bytes.size() % 8, std::size_t{0});
      QCOMPARE(bytes[8], '{');
    }
  }
  void exact_bytes_of_a_small_file() {
    Folder folder;
    write_safetensors(folder / "w", {{"a", Tensor::vector({1, -2})}}, {{"k", "v"}}, StorageType::f16);
    const std::string header = json("{'__metadata__':{'k':'v'},'a':{'dtype':'F16','shape':[2],'data_offsets':[0,4]}}");
    const std::string padding((8 - header.size() % 8) % 8, ' ');
    QCOMPARE(get_file(folder / "w"), safetensors_bytes(header + padding, std::string("\x00\x3c\x00\xc0", 4)));
  }
  void duplicate_name_is_not_written() {
    Folder folder;
    const std::string path = (folder / "w").string();
    QCOMPARE(message_of<UsageError>([&] {
               write_safetensors(path, {{"a", fill(1, {2})}, {"a", fill(1, {2})}}, {}, StorageType::f32);
             }),
             QString::fromStdString("cannot write " + path + ": the name \"a\" is there twice"));
    QVERIFY(folder.names().empty());
  }
  void reserved_name_is_not_written() {
    Folder folder;
    const std::string path = (folder / "w").string();
    QCOMPARE(message_of<UsageError>([&] {
               write_safetensors(path, {{"__metadata__", fill(1, {2})}}, {}, StorageType::f32);
             }),
             QString::fromStdString("cannot write " + path + ": the name \"__metadata__\" is reserved"));
  }
  void broken_name_is_not_written() {
    Folder folder;
    const std::string path = (folder / "w").string();
    QCOMPARE(message_of<UsageError>([&] {
               write_safetensors(path, {{"\xff", fill(1, {2})}}, {}, StorageType::f32);
             }),
             QString::fromStdString("cannot write " + path + ": a name or text is not valid UTF-8"));
  }
  void tensor_without_value_is_not_written() {
    Folder folder;
    const std::string path = (folder / "w").string();
    QCOMPARE(message_of<UsageError>([&] {
               write_safetensors(path, {{"a", Tensor()}}, {}, StorageType::f32);
             }),
             QString::fromStdString("cannot write " + path + ": the tensor \"a\" has no value"));
  }
  void full_disk_keeps_the_old_file() {
    Folder folder;
    write_safetensors(folder / "w", {{"a", fill(1, {2})}}, {}, StorageType::f32);
    const std::string old = get_file(folder / "w");
    QString message;
    {
      const FileSizeLimit limit(1000);
      message = message_of<FileError>([&] {
        write_safetensors(folder / "w", {{"a", Tensor::zeros({10000})}}, {}, StorageType::f32);
      });
    }
    QCOMPARE(message, QString::fromStdString("cannot write " + (folder / "w").string() +
                                             ": the file would be larger than this system allows"));
    QCOMPARE(get_file(folder / "w"), old);
    QCOMPARE(folder.names(), std::vector<std::string>{"w"});
  }
  void missing_file() {
    Folder folder;
    QCOMPARE(message_of<FileError>([&] { SafetensorsFile file(folder / "no"); }),
             QString::fromStdString("cannot read " + (folder / "no").string() + ": there is no such file or folder"));
  }
  void file_cut_off_after_it_was_opened() {
    Folder folder;
    write_safetensors(folder / "w", {{"a", fill(1, {100})}}, {}, StorageType::f32);
    const SafetensorsFile file(folder / "w");
    fs::resize_file(folder / "w", 100);
    QVERIFY(message_of<FileError>([&] { file.load("a"); }).contains("too early; was it changed while it was read?"));
  }
  void sparse_giant_opens_without_memory() {
    Folder folder;
    const std::uint64_t bytes = std::uint64_t{1} << 40;
    const std::string size = std::to_string(bytes);
    put_file(folder / "w", safetensors_bytes(one("U8", "[" + size + "]", "[0," + size + "]"), ""));
    try {
      fs::resize_file(folder / "w", fs::file_size(folder / "w") + bytes);
    } catch (const fs::filesystem_error&) {
      QSKIP("this file system holds no sparse file of 1 TiB");
    }
    QCOMPARE(SafetensorsFile(folder / "w").tensors()[0].count(), bytes);
  }
};

HEADLIGHT_TEST(TestIoSafetensors)

}  // namespace headlight::test_io_safetensors

#include "test_io_safetensors.moc"
