// Files of tensors that are damaged, and checkpoints that nobody would write without a purpose: read or refused, never
// more.

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "model/io/file.h"
#include "model/io/tensor_file.h"
#include "model/io/zip.h"
#include "tests/model/io_helpers.h"
#include "tests/model/opened_tensors.h"
#include "tests/test_program.h"

namespace headlight::test_hostile_tensors {

using namespace headlight::tensor_files;
using namespace headlight::testing;

namespace {

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

}  // namespace

class TestHostileTensors : public QObject {
  Q_OBJECT

 private slots:
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
};

HEADLIGHT_TEST(TestHostileTensors)

}  // namespace headlight::test_hostile_tensors

#include "test_hostile_tensors.moc"
