// Shares and origins against tests/data/reference/living, which tests/reference/living.py computed in float64 from what
// a run wrote and from the weights.

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/io/model_folder.h"
#include "tests/model/living_checks.h"
#include "tests/test_program.h"

namespace headlight::test_living_reference {

using namespace headlight::testing;

namespace {

using Side = LivingLane::Side;

std::filesystem::path folder() { return std::filesystem::path(HEADLIGHT_TEST_DATA) / "reference" / "living"; }

// The row of a side's lane by its place in the computation.
int row_of(const LivingMap& map, Side side, int position) {
  const auto [first, count] = map.range(side);
  for (int row = 0; row < count; ++row)
    if (map.lanes[static_cast<std::size_t>(first + row)].position == position) return row;
  return -1;
}

int kind_of(const std::string& name) {
  using Kind = LivingStation::Kind;
  const std::map<std::string, Kind> kinds = {{"attention", Kind::attention},
                                             {"cross", Kind::cross},
                                             {"mlp", Kind::mlp},
                                             {"cell", Kind::cell},
                                             {"candidate", Kind::cell},
                                             {"readout", Kind::readout},
                                             {"convolution", Kind::convolution}};
  return static_cast<int>(kinds.at(name));
}

LivingPart::Kind part_of(const std::string& name) {
  using Kind = LivingPart::Kind;
  const std::map<std::string, Kind> kinds = {{"carried", Kind::carried},     {"attention", Kind::attention},
                                             {"written", Kind::written},     {"token", Kind::token},
                                             {"recurrent", Kind::recurrent}, {"tap", Kind::tap},
                                             {"state", Kind::state},         {"context", Kind::context},
                                             {"start", Kind::start},         {"bias", Kind::bias}};
  return kinds.at(name);
}

const LivingPart* find(const LivingMap& map, const Json& wanted, int* rows_first) {
  const Side side = wanted["side"] == "source" ? Side::source : Side::target;
  for (const LivingStation& station : map.stations) {
    if (station.side != side || static_cast<int>(station.kind) != kind_of(wanted["kind"]) ||
        station.layer != wanted["layer"].get<Index>())
      continue;
    *rows_first = station.first;
    for (const LivingPart& part : wanted["kind"] == "candidate" ? station.candidate : station.parts)
      if (part.kind == part_of(wanted["part"]) && part.offset == wanted["offset"].get<int>()) return &part;
  }
  return nullptr;
}

// Of two numbers whose inputs were rounded to float32.
bool near(double found, double expected) { return std::abs(found - expected) <= 2e-4 * (1 + std::abs(expected)); }

}  // namespace

class TestLivingReference : public QObject {
  Q_OBJECT

 private slots:
  void by_the_definitions_data() {
    QTest::addColumn<QString>("file");
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
      QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
  }
  void by_the_definitions() {
    QFETCH(QString, file);
    const Json expected = Json::parse(std::ifstream(file.toStdString()));
    Request request;
    request.model = load_model(expected["model"].get<std::string>());
    request.source = expected["source"].get<std::string>();
    request.capture.explain = false;
    const auto map = living_map(std::make_shared<const Result>(run(request)));
    QVERIFY(map);
    int compared = 0;
    for (const Json& table : expected["shares"]) {
      const std::string name = table["side"].get<std::string>() + " " + table["kind"].get<std::string>() + " " +
                               table["layer"].dump() + " " + table["part"].get<std::string>();
      int first = 0;
      const LivingPart* part = find(*map, table, &first);
      QVERIFY2(part, name.c_str());
      const Side side = map->lanes[static_cast<std::size_t>(first)].side;
      for (std::size_t t = 0; t < table["values"].size(); ++t) {
        const Json& value = table["values"][t];
        const int row = row_of(*map, side, static_cast<int>(t));
        QVERIFY(row >= 0);
        if (!value.is_array()) {
          QVERIFY2(near(part->total(row), value.get<double>()), qPrintable(QString("%1, row %2: found %3, expected %4")
                                                                               .arg(name.c_str())
                                                                               .arg(t)
                                                                               .arg(part->total(row))
                                                                               .arg(value.get<double>())));
          ++compared;
          continue;
        }
        const Side columns = map->lanes[static_cast<std::size_t>(part->first_column)].side;
        QCOMPARE(static_cast<Index>(value.size()), part->columns);
        for (std::size_t j = 0; j < value.size(); ++j) {
          const double found = part->at(row, row_of(*map, columns, static_cast<int>(j)));
          QVERIFY2(near(found, value[j].get<double>()),
                   qPrintable(QString("%1, row %2, column %3: found %4, expected %5")
                                  .arg(name.c_str())
                                  .arg(t)
                                  .arg(j)
                                  .arg(found)
                                  .arg(value[j].get<double>())));
          ++compared;
        }
      }
    }
    QVERIFY(compared > 20);
    QVERIFY(!expected["origins"].empty());
    for (const Json& origin : expected["origins"]) {
      const LivingFlow flow = living_flow(*map, {map->lane_of_step(origin["step"].get<int>()), -1});
      for (const char* side : {"source", "target"}) {
        const Side of = side[0] == 's' ? Side::source : Side::target;
        for (std::size_t j = 0; j < origin[side].size(); ++j) {
          const double found =
              flow.origin[static_cast<std::size_t>(map->range(of).first + row_of(*map, of, static_cast<int>(j)))];
          QVERIFY2(std::abs(found - origin[side][j].get<double>()) < 5e-4,
                   qPrintable(QString("output %1, %2 %3: found %4, expected %5")
                                  .arg(origin["step"].get<int>())
                                  .arg(side)
                                  .arg(j)
                                  .arg(found)
                                  .arg(origin[side][j].get<double>())));
        }
      }
    }
  }
};

HEADLIGHT_TEST(TestLivingReference)

}  // namespace headlight::test_living_reference

#include "test_living_reference.moc"
