// Files of tensors that PyTorch and NumPy wrote, beside the values that they should have.

#include <cstring>

#include "model/io/half.h"
#include "model/io/safetensors.h"
#include "model/io/tensor_file.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/model/opened_tensors.h"
#include "tests/test_program.h"

namespace headlight::test_tensor_files {

using namespace headlight::tensor_files;
using namespace headlight::testing;

namespace {

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
