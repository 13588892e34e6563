// Files in the float64 core: nothing is rounded on the way through float32.

#include "model/io/dump.h"
#include "model/io/npz.h"
#include "model/io/safetensors.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_io_double {

using namespace headlight::testing;

class TestIoDouble : public QObject {
  Q_OBJECT

 private slots:
  void float64_files_keep_every_bit() {
    Folder folder;
    const Tensor value = Tensor::vector({1.0 / 3, 1e300, -5e-324});
    write_safetensors(folder / "w", {{"a", value}}, {}, StorageType::f64);
    QCOMPARE(SafetensorsFile(folder / "w").load("a").values(), value.values());
    write_npz(folder / "t.npz", {{"a", value}}, NpyType::f8);
    QCOMPARE(read_npz(folder / "t.npz")[0].value.values(), value.values());
  }
  void float16_is_rounded_once() {
    Folder folder;
    const double above_a_tie = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
    write_safetensors(folder / "w", {{"a", Tensor::vector({above_a_tie})}}, {}, StorageType::f16);
    QCOMPARE(SafetensorsFile(folder / "w").load("a")[0], 1 + std::ldexp(1, -10));
  }
  void dumps_are_in_float64() {
    Folder folder;
    Recorder recorder({}, {});
    recorder.visit(SitePath("decoder"), "init.h", Tensor::of({1, 1}, {1.0 / 3}));
    const auto trace = recorder.finish({});
    dump_trace(*trace, folder / "t.safetensors");
    QCOMPARE(SafetensorsFile(folder / "t.safetensors").tensors()[0].dtype, std::string("F64"));
    dump_trace(*trace, folder / "t.csv");
    QVERIFY(get_file(folder / "t.csv").find("decoder.init.h,0,,,0.3333333333333333\r\n") != std::string::npos);
  }
};

HEADLIGHT_TEST(TestIoDouble)

}  // namespace headlight::test_io_double

#include "test_io_double.moc"
