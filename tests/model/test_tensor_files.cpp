// Files of tensors that PyTorch and NumPy wrote, beside the values that they should have; the same files damaged; and
// files that nobody would write without a purpose.

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>

#include "model/core/budget.h"
#include "model/io/file.h"
#include "model/io/half.h"
#include "model/io/safetensors.h"
#include "model/io/tensor_file.h"
#include "model/io/zip.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_tensor_files {

using namespace headlight::testing;

namespace {

using Opened = std::shared_ptr<const TensorFile>;
using Opener = Opened (*)(const fs::path&);

fs::path data(const std::string& name) { return fs::path(HEADLIGHT_TEST_DATA) / "pytorch" / name; }

Opener opener_for(const std::string& name) {
  if (name.ends_with(".npz")) return open_npz;
  if (name.ends_with(".npy")) return open_npy;
  if (name.ends_with(".pkl")) return open_pickle;
  return open_torch_zip;
}
Opened opened(const std::string& name) { return opener_for(name)(data(name)); }

const TensorEntry* find(const TensorFile& file, const std::string& name, std::string* bytes = nullptr) {
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    if (file.tensors()[i].name != name) continue;
    if (bytes) *bytes = file.bytes(i);
    return &file.tensors()[i];
  }
  return nullptr;
}

// As float32: that is how NumPy's files keep what NumPy has no type for.
std::string as_floats(const std::string& bytes, const std::string& dtype) {
  if (dtype != "F16" && dtype != "BF16") return bytes;
  std::string floats;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, 2);
    const auto value = static_cast<float>(dtype == "F16" ? from_half(bits) : from_bfloat16(bits));
    floats.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  return floats;
}

std::string number(std::uint64_t value, int bytes) {
  return std::string(reinterpret_cast<const char*>(&value), static_cast<std::size_t>(bytes));
}
std::string text(const std::string& text) { return "X" + number(text.size(), 4) + text; }
std::string count(std::int64_t value) { return "\x8a\x08" + number(static_cast<std::uint64_t>(value), 8); }
std::string list(const std::vector<std::int64_t>& values) {
  std::string all = "(";
  for (const std::int64_t value : values) all += count(value);
  return all + "t";
}
// What torch.save writes for a tensor, with any numbers in it.
std::string tensor(const std::string& key, std::int64_t numbers, std::int64_t offset,
                   const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride,
                   const std::string& storage = "FloatStorage") {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\n" + storage + "\n" + text(key) +
         text("cpu") + count(numbers) + "tQ" + count(offset) + list(size) + list(stride) + "\x89}tR";
}
std::string pickled(const std::string& body) { return "\x80\x02" + body + "."; }

std::uint32_t checksum_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

// A checkpoint with this data.pkl and, as storage 0, this many bytes.
void put_checkpoint(const fs::path& path, const std::string& pickle, std::size_t bytes = 24,
                    const std::string& more = {}) {
  write_file_atomically(path, [&](FileWriter& file) {
    ZipWriter zip(file);
    const auto add = [&](const std::string& name, const std::string& content) {
      zip.add(name, content.size(), checksum_of(content), [&](FileWriter& to) { to.write(content); });
    };
    add("m/data.pkl", pickle);
    add("m/data/0", std::string(bytes, '\x3f'));
    if (!more.empty()) add("m/" + more, "x");
    zip.finish();
  });
}

// "" when every tensor can be read, else what the error says. Anything else than an Error is a defect.
std::string outcome(const fs::path& path, Opener open) {
  try {
    const Opened file = open(path);
    for (std::size_t i = 0; i < file->tensors().size(); ++i)
      if (file->bytes(i).size() != file->tensors()[i].bytes) return "wrong size of " + file->tensors()[i].name;
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

class TestTensorFiles : public QObject {
  Q_OBJECT

 private slots:
  // Some bytes of a tensor are those of the whole, however its file is read.
  void parts_are_those_of_the_whole() {
    Folder folder;
    const fs::path data(HEADLIGHT_TEST_DATA);
    write_safetensors(folder / "w.safetensors", {{"a", Tensor::full({3, 2}, 2)}, {"b", Tensor::vector({1, 2, 3})}}, {},
                      StorageType::f32);
    const std::string header = "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 2), }";
    put_file(folder / "swapped.npy", std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() + 1) + '\0' +
                                         header + "\n" + std::string("\0\1\0\2\0\3\0\4", 8));
    int direct = 0;
    for (const auto& [file, direct_too] : {std::pair(open_npz(data / "pytorch" / "views-and-types.npz"), true),
                                           {open_safetensors(folder / "w.safetensors"), true},
                                           {open_npy(folder / "swapped.npy"), false},
                                           {open_torch_zip(data / "pytorch" / "views-and-types.pt"), false}}) {
      bool any = false;
      for (std::size_t i = 0; i < file->tensors().size(); ++i) {
        const std::string whole = file->bytes(i);
        any = any || file->reads_parts(i);
        for (std::size_t from = 0; from <= whole.size(); from += 1 + whole.size() / 5) {
          const std::size_t count = std::min<std::size_t>(whole.size() - from, 7);
          std::string part(count, '?');
          file->read(i, from, part.data(), count);
          QCOMPARE(part, whole.substr(from, count));
        }
        char beyond = 0;
        QVERIFY(!message_of<Error>([&] { file->read(i, whole.size(), &beyond, 1); }).isEmpty());
      }
      QCOMPARE(any, direct_too);
      direct += any;
    }
    QCOMPARE(direct, 2);
  }

  void values_are_those_of_the_library_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("part");    // of the expected arrays: those that begin with it
    QTest::addColumn<QString>("prefix");  // in front of the names in the file
    const auto row = [](const char* file, const char* expected, const char* part = "", const char* prefix = "") {
      QTest::newRow(file) << QString(file) << QString(expected) << QString(part) << QString(prefix);
    };
    row("views-and-types.pt", "views-and-types.npz");
    row("checkpoint.pt", "small.npz", "", "model_state_dict.");
    row("data-parallel.pt", "small.npz", "", "module.");
    row("whole-module.pt", "small.npz");
    row("bfloat16.pt", "halves.npz", "bfloat16.");
    row("float16.pt", "halves.npz", "float16.");
    row("numpy-list-protocol2.pkl", "numpy-list.npz");
    row("numpy-list-protocol4.pkl", "numpy-list.npz");
    row("numpy-list-protocol5.pkl", "numpy-list.npz");
  }
  void values_are_those_of_the_library() {
    QFETCH(QString, file);
    QFETCH(QString, expected);
    QFETCH(QString, part);
    QFETCH(QString, prefix);
    const Opened found = opened(file.toStdString()), reference = opened(expected.toStdString());
    std::size_t compared = 0;
    for (std::size_t i = 0; i < reference->tensors().size(); ++i) {
      const TensorEntry& wanted = reference->tensors()[i];
      if (!wanted.name.starts_with(part.toStdString())) continue;
      ++compared;
      std::string name = prefix.toStdString() + wanted.name.substr(static_cast<std::size_t>(part.size())), bytes;
      if (file.endsWith(".pkl")) name = std::to_string(std::stoi(name));  // "07" of the archive is item 7 of the list
      const TensorEntry* entry = find(*found, name, &bytes);
      QVERIFY2(entry, name.c_str());
      QCOMPARE(entry->shape, wanted.shape);
      QVERIFY2(as_floats(bytes, entry->dtype) == reference->bytes(i), name.c_str());
    }
    QVERIFY(compared > 0);
    if (!file.startsWith("checkpoint")) QCOMPARE(found->tensors().size(), compared);
  }
  void types_and_ties_are_named() {
    const Opened file = opened("views-and-types.pt");
    const auto dtype = [&](const char* name) { return find(*file, name)->dtype; };
    QCOMPARE(dtype("base"), std::string("F32"));
    QCOMPARE(dtype("long"), std::string("I64"));
    QCOMPARE(dtype("bool"), std::string("BOOL"));
    QCOMPARE(dtype("uint8"), std::string("U8"));
    QCOMPARE(dtype("int16"), std::string("I16"));
    QCOMPARE(find(*file, "tied.b")->shares_with, std::string("base"));
    QCOMPARE(find(*file, "parameter")->shares_with, std::string());
    QCOMPARE(find(*file, "expanded")->bytes, 160u);
    QCOMPARE(find(*opened("bfloat16.pt"), "out.bias")->dtype, std::string("BF16"));
  }
  void what_is_no_tensor_is_shown() {
    const auto values = opened("checkpoint.pt")->values();
    const auto has = [&](const char* name, const char* value) {
      return std::find(values.begin(), values.end(), std::pair<std::string, std::string>(name, value)) != values.end();
    };
    QVERIFY(has("epoch", "3"));
    QVERIFY(has("loss", "0.1"));
    QVERIFY(has("best", "nan"));
    QVERIFY(has("args", "an object of argparse.Namespace"));
    QVERIFY(has("args.name", "run 1"));
    QVERIFY(has("history.1.loss", "0.5"));
  }
  void what_is_no_dictionary_has_names_too() {
    QCOMPARE(opened("one-tensor.pt")->tensors()[0].name, std::string("one-tensor"));
    const Opened file = opened("list.pt");
    QCOMPARE(file->tensors().size(), 2u);
    QCOMPARE(file->tensors()[0].name, std::string("0"));
    QCOMPARE(file->tensors()[1].shares_with, std::string("0"));
  }
  // What is not read is named, and leaves the rest of its file as it is. Written by torch 2.14 and NumPy 2.4.
  void odd_members_are_named_and_left() {
    const auto unread = [](const Opened& file, const std::string& name) {
      for (const auto& [odd, why] : file->unread())
        if (odd == name) return why;
      return std::string();
    };
    std::string bytes;
    const Opened torch = opened("odd-members.pt");
    QVERIFY(find(*torch, "model.w", &bytes));
    QVERIFY(bytes == bytes_of<float>({0, 1, 2, 3, 4, 5}));
    QCOMPARE(find(*torch, "model.b")->shape, (std::vector<std::uint64_t>{2}));
    QCOMPARE(find(*torch, "texts", &bytes)->dtype, std::string("<U4"));
    QVERIFY(bytes == std::string("c\0\0\0a\0\0\0t\0\0\0\0\0\0\0d\0\0\0o\0\0\0g\0\0\0e\0\0\0", 32));
    QCOMPARE(find(*torch, "bytes", &bytes)->dtype, std::string("|S2"));
    QVERIFY(bytes == std::string("abc\0", 4));
    QCOMPARE(find(*torch, "bf", &bytes)->dtype, std::string("BF16"));
    QVERIFY(bytes == bytes_of<std::uint16_t>({0x3f80, 0x4020}));  // 1 and 2.5
    QCOMPARE(find(*torch, "f8")->dtype, std::string("F8_E4M3"));
    QCOMPARE(find(*torch, "complex")->dtype, std::string("C64"));
    QCOMPARE(find(*torch, "unsigned")->dtype, std::string("U16"));
    QCOMPARE(find(*torch, "objects.2")->shape, (std::vector<std::uint64_t>{1}));  // a tensor among objects
    QCOMPARE(unread(torch, "objects"), std::string("an array of Python objects"));
    QCOMPARE(unread(torch, "dates"), std::string("an array of type 'M8'"));
    for (const char* odd : {"spans", "record", "long", "half complex", "sparse", "quantised", "meta"})
      QVERIFY2(!unread(torch, odd).empty(), odd);
    const Opened numpy = opened("odd-members.npz");
    QVERIFY(find(*numpy, "w", &bytes));
    QVERIFY(bytes == bytes_of<float>({0, 1, 2, 3, 4, 5}));
    QCOMPARE(find(*numpy, "bf", &bytes)->dtype, std::string("BF16"));
    QVERIFY(bytes == bytes_of<std::uint16_t>({0x3f80, 0x4020}));
    QCOMPARE(find(*numpy, "c")->dtype, std::string("C128"));
    QCOMPARE(unread(numpy, "objects"), std::string("arrays of Python objects are not supported"));
    QCOMPARE(unread(numpy, "dates"), std::string("dates and times ('<M8[D]') are not supported"));
    QCOMPARE(unread(numpy, "record"), std::string("structured arrays are not supported"));
    QCOMPARE(unread(numpy, "f8"), std::string("arrays of type '<V1' are not supported"));
    QVERIFY(!unread(numpy, "long").empty());
    // A dump has what NumPy has.
    Folder folder;
    QCOMPARE(write_npz(folder / "dump.npz", *torch),
             (std::vector<std::pair<std::string, std::string>>{{"f8", "F8_E4M3"}}));
    QVERIFY(find(*open_npz(folder / "dump.npz"), "model.w"));
    // Of safetensors, a type that is newer than this program.
    put_file(folder / "new.safetensors",
             safetensors_bytes(R"({"a":{"dtype":"F3_NEW","shape":[3],"data_offsets":[0,4]},)"
                               R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                               std::string(4, 'x') + bytes_of<float>({7})));
    const Opened safe = open_safetensors(folder / "new.safetensors");
    QCOMPARE(safe->tensors().size(), 1u);
    QVERIFY(safe->bytes(0) == bytes_of<float>({7}));
    QCOMPARE(unread(safe, "a"), std::string("numbers of type F3_NEW, which is not known"));
  }
  // pickle.dump puts a file of torch.save, as it was before version 1.6, into the pickle for each storage.
  void tensors_of_pickle_dump_are_read() {
    const Opened file = opened("pickled-tensors.pkl");
    const auto is = [&](const char* name, const std::string& dtype, const std::string& wanted) {
      std::string bytes;
      const TensorEntry* entry = find(*file, name, &bytes);
      return entry && entry->dtype == dtype && bytes == wanted;
    };
    QVERIFY(is("a", "F32", bytes_of<float>({0, 1, 2, 3, 4, 5})));
    QVERIFY(is("b.0", "F32", bytes_of<float>({1, 2, 3, 4})));
    QVERIFY(is("b.1", "F32", bytes_of<float>({2, 3})));
    QVERIFY(is("h", "BF16", bytes_of<std::uint16_t>({0x3fc0})));  // 1.5
    QVERIFY(is("i", "I64", bytes_of<std::int64_t>({9007199254740993})));
    QVERIFY(is("p", "F32", bytes_of<float>({9})));
    QCOMPARE(find(*file, "a")->shape, (std::vector<std::uint64_t>{2, 3}));
    QVERIFY(file->unread().empty());
  }
  void the_dump_is_what_was_read() {
    Folder folder;
    for (const char* name : {"views-and-types.pt", "bfloat16.pt", "float16.pt", "numpy-list-protocol5.pkl"}) {
      const Opened file = opened(name);
      write_npz(folder / "dump.npz", *file);
      const Opened dump = open_npz(folder / "dump.npz");
      QCOMPARE(dump->tensors().size(), file->tensors().size());
      for (std::size_t i = 0; i < dump->tensors().size(); ++i) {
        const TensorEntry &a = file->tensors()[i], &b = dump->tensors()[i];
        QCOMPARE(b.name, a.name);
        QCOMPARE(b.shape, a.shape);
        QCOMPARE(b.dtype, a.dtype == "BF16" ? std::string("F32") : a.dtype);
        QVERIFY(dump->bytes(i) == (a.dtype == "BF16" ? as_floats(file->bytes(i), a.dtype) : file->bytes(i)));
      }
    }
  }
  void arrays_of_numpy_by_hand() {
    Folder folder;
    // [[1, 2, 3], [4, 5, 6]] with columns first, big-endian int16; and two texts of three characters.
    const auto npy = [](const std::string& descr, const char* order, const char* shape, const std::string& numbers) {
      std::string dict = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
      return std::string("\x93NUMPY\x01\x00", 8) + number(dict.size(), 2) + dict + numbers;
    };
    put_file(folder / "a.npy", npy(">i2", "True", "(2, 3)", std::string("\0\1\0\4\0\2\0\5\0\3\0\6", 12)));
    const Opened a = open_npy(folder / "a.npy");
    QCOMPARE(a->tensors()[0].dtype, std::string("I16"));
    QCOMPARE(a->tensors()[0].shape, (std::vector<std::uint64_t>{2, 3}));
    QVERIFY(a->bytes(0) == std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12));
    put_file(folder / "t.npy", npy("<U2", "False", "(1,)", std::string("a\0\0\0b\0\0\0", 8)));
    QCOMPARE(open_npy(folder / "t.npy")->tensors()[0].dtype, std::string("<U2"));
    put_file(folder / "o.npy", npy("|O", "False", "(1,)", "x"));
    QCOMPARE(outcome(folder / "o.npy", open_npy),
             (folder / "o.npy").string() + ": arrays of Python objects are not supported");
    put_file(folder / "s.npy", npy("<f4", "False", "(1000000, 1000000)", "x"));
    QCOMPARE(outcome(folder / "s.npy", open_npy),
             (folder / "s.npy").string() + ": the array is cut off; missing: 3,999,999,999,999 bytes");
  }

  void damaged_files_are_read_or_refused_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"views-and-types.pt", "list.pt", "numpy-list-protocol5.pkl", "views-and-types.npz",
                             "odd-members.pt", "odd-members.npz", "pickled-tensors.pkl"})
      QTest::newRow(name) << QString(name);
  }
  // Each byte in turn is the last one; each byte in turn is another one. Every outcome but an Error or a whole tensor
  // ends this program.
  void damaged_files_are_read_or_refused() {
    QFETCH(QString, file);
    Folder folder;
    const std::string whole = get_file(data(file.toStdString()));
    const fs::path path = folder / file.toStdString();
    const Opener open = opener_for(file.toStdString());
    put_file(path, whole);
    const int descriptor = ::open(path.c_str(), O_WRONLY);
    QVERIFY(descriptor >= 0);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      const char damaged = static_cast<char>(whole[at] ^ (at % 2 ? 0xff : 0x01));
      QCOMPARE(::pwrite(descriptor, &damaged, 1, static_cast<off_t>(at)), 1);
      const std::string said = outcome(path, open);
      QVERIFY2(!said.starts_with("wrong size"), said.c_str());
      QVERIFY2(said.empty() || said.starts_with(path.string()), said.c_str());
      QCOMPARE(::pwrite(descriptor, &whole[at], 1, static_cast<off_t>(at)), 1);
    }
    QCOMPARE(outcome(path, open), std::string());
    for (std::size_t size = whole.size(); size-- > 0;) {
      QCOMPARE(::ftruncate(descriptor, static_cast<off_t>(size)), 0);
      QVERIFY2(!outcome(path, open).empty(), std::to_string(size).c_str());
    }
    ::close(descriptor);
  }

  void checkpoints_made_to_hurt_data() {
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("said");  // empty: it is read
    const auto row = [](const char* name, const std::string& body, const char* said) {
      QTest::newRow(name) << QByteArray::fromStdString(pickled(body)) << QString(said);
    };
    row("a tensor", tensor("0", 6, 0, {2, 3}, {3, 1}), "");
    row("behind its storage", tensor("0", 6, 1, {2, 3}, {3, 1}),
        "tensor \"f\": its last number is number 6 of a storage of 6");
    row("strides beyond it", tensor("0", 6, 0, {2, 3}, {4, 1}),
        "tensor \"f\": its last number is number 6 of a storage of 6");
    row("a storage that says too much", tensor("0", 60, 0, {50}, {1}),
        "tensor \"f\": its last number is number 49 of a storage of 6");
    row("a storage that is missing", tensor("7", 6, 0, {6}, {1}), "tensor \"f\": its storage data/7 is missing");
    row("a path as storage", tensor("../data.pkl", 6, 0, {6}, {1}),
        "tensor \"f\": its storage data/../data.pkl is missing");
    row("negative offset", tensor("0", 6, -1, {6}, {1}), "tensor \"f\": its offset is no whole number from 0 on");
    row("negative size", tensor("0", 6, 0, {-1}, {1}), "tensor \"f\": its size is no whole number from 0 on");
    row("negative stride", tensor("0", 6, 5, {6}, {-1}), "tensor \"f\": its stride is no whole number from 0 on");
    row("sizes without strides", tensor("0", 6, 0, {2, 3}, {1}), "tensor \"f\": it has 2 dimensions and 1 strides");
    row("shape that overflows", tensor("0", 6, 0, {1ll << 40, 1ll << 40}, {0, 0}),
        "tensor \"f\": the shape [1099511627776 x 1099511627776] is too large");
    row("offset that overflows", tensor("0", 6, INT64_MAX, {6}, {INT64_MAX}),
        "tensor \"f\": the shape [6] is too large");
    row("large dimension", tensor("0", 6, 0, {1ll << 50}, {0}),
        "tensor \"f\": the dimension 1125899906842624 is larger than 2^48");
    row("unknown type", tensor("0", 6, 0, {6}, {1}, "QInt8Storage"), "");
    row("a size of texts",
        "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text("0") + text("cpu") +
            std::string("K\x06tQK\x00", 6) + text("six") + "K\x01\x85tR",
        "tensor \"f\": its size is no tuple");
    row("a tensor of nothing", "ctorch._utils\n_rebuild_tensor_v2\n)R", "tensor \"f\": it is made from too few values");
    row("a storage of nothing", "ctorch._utils\n_rebuild_tensor_v2\n(" + std::string("NK\x00))tR", 7), "");
    row("a call of the system", "cposix\nsystem\n" + text("echo") + "\x85R", "");
    row("a call of eval", "c__builtin__\neval\n" + text("1") + "\x85R", "");
    row("nothing", "", "the pickle is damaged (byte 3)");
    row("only a mark", "(", "the pickle is damaged (byte 4)");
    row("a tuple without its mark", "t", "the pickle is damaged (byte 3)");
    row("a key without a value", "}(Nu", "the pickle is damaged (byte 6)");
    row("an item of a number", "K\x01Na", "the pickle is damaged (byte 6)");
    row("a memory that is not there", "h\x05", "the pickle is damaged (byte 4)");
    row("text that goes on", "X\xff\xff\xff\x7f", "the pickle is cut off");
    row("text of 2^64 bytes", "\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "the pickle is cut off");
    row("broken text", std::string("X\x02\0\0\0\xc3\x28", 7), "a text of the pickle is not valid UTF-8 (byte 7)");
    row("two pickles", "N.\x80\x02N",
        "the pickle is followed by 4 bytes; several pickles in one file are not supported");
    row("old opcode", "I5\n", "the pickle has the opcode \\x49 at byte 2, which is not read");
    row("an extension", "\x82\x01", "the pickle has the opcode \\x82 at byte 2, which is not read");
    row("a buffer beside it", "\x97", "the pickle has the opcode \\x97 at byte 2, which is not read");
    row("a list in itself",
        std::string("]q\x00h\x00"
                    "a",
                    6),
        "");
    row("a dict in itself", std::string("}q\x00X\x01\0\0\0ah\x00s", 11), "");
  }
  void checkpoints_made_to_hurt() {
    QFETCH(QByteArray, pickle);
    QFETCH(QString, said);
    Folder folder;
    const fs::path path = folder / "f.pt";
    put_checkpoint(path, pickle.toStdString());
    QString found = QString::fromStdString(outcome(path, open_torch_zip));
    for (const std::string& where : {path.string() + ": data.pkl: ", path.string() + ": "})
      if (found.startsWith(QString::fromStdString(where))) found = found.mid(static_cast<int>(where.size()));
    QCOMPARE(found, said);
  }
  void other_protocols() {
    Folder folder;
    for (const auto& [start, said] : {std::pair(std::string("\x80\x01N."), "pickles of protocol 1 are not supported"),
                                      std::pair(std::string("\x80\x06N."), "pickles of protocol 6 are not supported"),
                                      std::pair(std::string("(lp0\n."),
                                                "not a pickle of protocol 2 or newer: it does "
                                                "not start with \\x80")}) {
      put_file(folder / "f.pkl", start);
      QCOMPARE(outcome(folder / "f.pkl", open_pickle), (folder / "f.pkl").string() + ": " + said);
    }
  }
  void archives_that_are_no_checkpoints() {
    Folder folder;
    const fs::path path = folder / "f.pt";
    const std::string one = pickled(tensor("0", 6, 0, {6}, {1}));
    put_checkpoint(path, one, 24, "constants.pkl");
    QVERIFY(outcome(path, open_torch_zip).find("this is a TorchScript archive") != std::string::npos);
    put_checkpoint(path, one, 24, "code/data.pkl");
    QVERIFY(outcome(path, open_torch_zip).ends_with("two of its entries are called data.pkl"));
    put_checkpoint(path, one, 24, "byteorder");
    QVERIFY(outcome(path, open_torch_zip).ends_with("its numbers are big-endian, which is not read"));
    QVERIFY(
        outcome(data("small.npz"), open_torch_zip).ends_with("not a PyTorch checkpoint: the archive has no data.pkl"));
    QVERIFY(outcome(data("torchscript.pt"), open_torch_zip).find("TorchScript") != std::string::npos);
  }

  // A few bytes that ask for everything.
  void memory_is_not_taken_before_it_is_checked() {
    Folder folder;
    const fs::path path = folder / "f.pt";
    put_checkpoint(path, pickled(tensor("0", 6, 0, {100'000, 100'000}, {0, 0})));
    QCOMPARE(open_torch_zip(path)->tensors()[0].bytes, 40'000'000'000u);
    QVERIFY(outcome(path, open_torch_zip).ends_with("it repeats the numbers of a much smaller storage"));
    put_checkpoint(path, pickled(tensor("0", 6, 0, {1000, 1000}, {0, 0})));  // what an expanded view may be
    QCOMPARE(outcome(path, open_torch_zip), std::string());
  }
  void a_pickle_does_not_grow_in_memory() {
    Folder folder;
    const auto said = [&](const std::string& body) {
      put_file(folder / "f.pkl", pickled(body));
      const std::string all = outcome(folder / "f.pkl", open_pickle);
      return all.substr(std::min(all.size(), (folder / "f.pkl").string().size() + 2));
    };
    std::string deep, same = text(std::string(100'000, 'x')) + "q\x01", many;
    for (int i = 0; i < 100; ++i) deep += "]";
    for (int i = 0; i < 99; ++i) deep += "a";
    QCOMPARE(said(deep), std::string("nested more than 64 levels deep"));
    for (int i = 0; i < 20; ++i) same += "h\x01h\x01\x93";
    QCOMPARE(said(same), std::string("the pickle repeats its texts too often"));
    QCOMPARE(said(std::string(2'000'001, 'N')), std::string("the pickle has more than 2000000 objects"));
    // Lists of twice the list before: 2^60 ways to the last one, and one look at each.
    std::string doubled("]q\x00", 3);
    for (int i = 0; i < 60; ++i)
      doubled += "](h" + std::string(1, static_cast<char>(i)) + "h" + std::string(1, static_cast<char>(i)) + "eq" +
                 std::string(1, static_cast<char>(i + 1));
    QCOMPARE(said(doubled), std::string());
    // A long key on the way to a million values.
    many = "}" + text(std::string(4000, 'k')) + "](";
    for (int i = 0; i < 1'000'000; ++i) many += "N";
    QCOMPARE(said(many + "es"), std::string("the names of its tensors have more than 128000000 bytes"));
  }

  void everything_of_the_material_opens() {
    SKIP_WITHOUT_MATERIAL();
    int files = 0;
    for (const char* folder : {"pytorch", "pytorch/seq2seq", "captured"}) {
      for (const auto& entry : fs::directory_iterator(made_elsewhere() / folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() || name == "legacy-format.pt" || name == "torchscript.pt" || name.ends_with(".txt"))
          continue;
        ++files;
        const Opener open = name.ends_with(".safetensors") ? open_safetensors : opener_for(name);
        QCOMPARE(outcome(entry.path(), open), std::string());
      }
    }
    QVERIFY(files > 40);
  }
};

HEADLIGHT_TEST(TestTensorFiles)

}  // namespace headlight::test_tensor_files

#include "test_tensor_files.moc"
