// The table by which the values of a run are found: it agrees with a map, whatever the hashes are.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/core/random.h"
#include "model/core/slots.h"
#include "tests/test_program.h"

namespace headlight::test_slots {

class TestSlots : public QObject {
  Q_OBJECT
 private slots:
  void agree_with_a_map_data() {
    QTest::addColumn<qulonglong>("hashes");  // that there are for 5,000 names
    QTest::newRow("as they are") << (1ull << 40);
    QTest::newRow("many are equal") << 100ull;
    QTest::newRow("all are equal") << 1ull;
  }

  // Some names come more than once: the first one is found.
  void agree_with_a_map() {
    QFETCH(qulonglong, hashes);
    Random random(1, Random::Stream::sample);
    std::vector<std::string> names;
    std::map<std::string, int> first;
    Slots table;
    const auto hash = [&](const std::string& name) { return std::hash<std::string>()(name) % hashes * 64; };
    const auto find = [&](const std::string& name) {
      return table.find(hash(name), [&](int i) { return names[static_cast<std::size_t>(i)] == name; });
    };
    QCOMPARE(find("value 1"), -1);
    for (int i = 0; i < 5000; ++i) {
      names.push_back("value " + std::to_string(static_cast<int>(random.uniform() * 4000)));
      first.emplace(names.back(), i);
      table.add(hash(names.back()), i);
      if (i % 50 == 0) QCOMPARE(find(names.back()), first.at(names.back()));
    }
    for (int i = 0; i < 4000; ++i) {
      const std::string name = "value " + std::to_string(i);
      QCOMPARE(find(name), first.contains(name) ? first.at(name) : -1);
    }
  }
};

HEADLIGHT_TEST(TestSlots)

}  // namespace headlight::test_slots

#include "test_slots.moc"
