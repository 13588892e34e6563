// The text form of what-if edits: every kind is read and written, numbers to the bit, and what cannot be read is
// refused.

#include <bit>

#include "model/core/random.h"
#include "model/trace/trace.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_edit_texts {

using namespace headlight::testing;
using Kind = Intervention::Kind;

class TestEditTexts : public QObject {
  Q_OBJECT

 private slots:
  void parsed_data();
  void parsed();
  void text_of_every_kind();
  void texts_read_back_exactly();
  void numbers_of_every_kind_data();
  void numbers_of_every_kind();
  void unreadable_edits_data();
  void unreadable_edits();
  void impossible_edits_data();
  void impossible_edits();
};

void TestEditTexts::parsed_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<Intervention>("expected");
  const auto row = [](const char* text, const char* site, Kind kind, Index cell, Scalar value) {
    QTest::newRow(text) << QString(text) << edit_of(site, kind, cell, value);
  };
  row("decoder.step[3].attention.weights[7]=0.5", "decoder.step[3].attention.weights", Kind::set, 7, Scalar(0.5));
  row("decoder.step[3].attention.weights[7]~0.25", "decoder.step[3].attention.weights", Kind::pin, 7, Scalar(0.25));
  row("encoder.states[12]*-2", "encoder.states", Kind::scale, 12, -2);
  row("encoder.states[0]+0.125", "encoder.states", Kind::add, 0, Scalar(0.125));
  row("encoder.states[0]+-3", "encoder.states", Kind::add, 0, -3);
  row("encoder.states*2", "encoder.states", Kind::scale, -1, 2);
  row("encoder.states+1e-3", "encoder.states", Kind::add, -1, Scalar(1e-3));
  row("encoder.states=0", "encoder.states", Kind::zero, -1, 0);
  row("decoder.step[*].attention.scores[3]=-1", "decoder.step[*].attention.scores", Kind::set, 3, -1);
  row("decoder.step[*].attention.scores=0", "decoder.step[*].attention.scores", Kind::zero, -1, 0);
  Intervention span = edit_of("encoder.embed.out", Kind::set, 8, 0);
  span.count = 4;
  QTest::newRow("span") << "encoder.embed.out[8:12]=0" << span;
  row("decoder.step[*].attention.scores[2]=-1", "decoder.step[*].attention.scores", Kind::set, 2, -1);
  row("decoder.step[*].attention.scores*2", "decoder.step[*].attention.scores", Kind::scale, -1, 2);
  row("encoder.step[2].lstm.gate.f=0", "encoder.step[2].lstm.gate.f", Kind::zero, -1, 0);
}

void TestEditTexts::parsed() {
  QFETCH(QString, text);
  QFETCH(Intervention, expected);
  QVERIFY(parse_intervention(text.toStdString()) == expected);
  QVERIFY(parse_intervention(to_text(expected)) == expected);
}

void TestEditTexts::text_of_every_kind() {
  QCOMPARE(to_text(edit_of("encoder.states", Kind::set, 3, Scalar(0.1))), std::string("encoder.states[3]=0.1"));
  QCOMPARE(to_text(edit_of("encoder.states", Kind::pin, 3, 1)), std::string("encoder.states[3]~1"));
  QCOMPARE(to_text(edit_of("encoder.states", Kind::scale, -1, Scalar(-0.5))), std::string("encoder.states*-0.5"));
  QCOMPARE(to_text(edit_of("encoder.states", Kind::add, 0, 2)), std::string("encoder.states[0]+2"));
  QCOMPARE(to_text(edit_of("encoder.states", Kind::zero, 3, 0)), std::string("encoder.states[3]=0"));
  QCOMPARE(to_text(edit_of("encoder.states", Kind::replace, -1, 0, {1, 2, 3})),
           std::string("encoder.states=[3 values]"));
}

// A session that is saved and opened again computes the same.
void TestEditTexts::texts_read_back_exactly() {
  Random random(1, Random::Stream::data);
  for (int i = 0; i < 2000; ++i) {
    const auto value =
        static_cast<Scalar>(random.normal() * std::pow(10.0, static_cast<double>(random.below(20)) - 10));
    for (const Kind kind : {Kind::set, Kind::pin, Kind::scale, Kind::add}) {
      const Intervention edit = edit_of("encoder.states", kind, static_cast<Index>(random.below(1000)), value);
      QVERIFY2(parse_intervention(to_text(edit)) == edit, to_text(edit).c_str());
    }
  }
}

void TestEditTexts::unreadable_edits_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  const QString example = "write for example 'decoder.step[3].attention.weights[7]=0.5'";
  const QString no_edit =
      "' is not an edit; " + example + " (= sets, ~ sets and rescales the others, * scales, + adds)";
  QTest::newRow("empty") << ""
                         << "'" + no_edit;
  QTest::newRow("no sign") << "encoder.states"
                           << "'encoder.states" + no_edit;
  QTest::newRow("no site") << "=1"
                           << "'=1" + no_edit;
  QTest::newRow("no number") << "encoder.states*"
                             << "'encoder.states*': '' is not a number; " + example;
  QTest::newRow("a word") << "encoder.states*two"
                          << "'encoder.states*two': 'two' is not a number; " + example;
  QTest::newRow("a comma") << "encoder.states*0,5"
                           << "'encoder.states*0,5': '0,5' is not a number; " + example;
  QTest::newRow("more behind") << "encoder.states*2 "
                               << "'encoder.states*2 ': '2 ' is not a number; " + example;
  for (const char* number : {"1e999", "-1e999", "1e39", "-3.4028236e38"})
    QTest::newRow(number) << QString("encoder.states*%1").arg(number)
                          << QString("'encoder.states*%1': '%1' is beyond the range of a 32-bit float").arg(number);
  for (const char* number : {"0x10", "1_000", "1e", "--1", "nan(1)", "infinite"})
    QTest::newRow(number) << QString("encoder.states*%1").arg(number)
                          << QString("'encoder.states*%1': '%1' is not a number; ").arg(number) + example;
  QTest::newRow("set without a cell") << "encoder.states=1"
                                      << "'encoder.states=1': name one cell, for example 'encoder.states[0]'";
  QTest::newRow("pin without a cell") << "encoder.states~0"
                                      << "'encoder.states~0': name one cell, for example 'encoder.states[0]'";
  QTest::newRow("no such site") << "encoder.state*2"
                                << "there is no site 'encoder.state'; `headlight inspect MODEL` lists the sites";
  QTest::newRow("no such site, cell") << "encoder.state[1]*2"
                                      << "'encoder.state[1]*2': there is no site 'encoder.state[1]'";
  QTest::newRow("no band") << "encoder.states[i-j>2]=0"
                           << "'encoder.states[i-j>2]=0': cells outside a band are written [j-i>2] or [|j-i|>2]";
  for (const char* cell : {"-1", "1.5", "x", "", "99999999999999999999", "2147483648", "00"})
    QTest::newRow((std::string("cell ") + cell).c_str())
        << QString("encoder.states[%1]*2").arg(cell)
        << QString("'encoder.states[%1]*2': '%1' is not a cell; cells count from 0 to 2147483647").arg(cell);
  QTest::newRow("end of a span") << "encoder.states[0:9223372036854775808]*2"
                                 << "'encoder.states[0:9223372036854775808]*2': '9223372036854775808' is not a cell; "
                                    "cells count from 0 to 2147483647";
  QTest::newRow("empty span") << "encoder.states[3:3]*2"
                              << "'encoder.states[3:3]*2': [3:3] holds no cell";
  QTest::newRow("backwards") << "encoder.states[4:3]*2"
                             << "'encoder.states[4:3]*2': [4:3] holds no cell";
  QTest::newRow("three numbers") << "encoder.states[1,2,3]*2"
                                 << "'encoder.states[1,2,3]*2': [1,2,3] has too many numbers; cells are written [cell] "
                                    "or [row,cell]";
  for (const char* index : {"99999999999999999999", "2147483648", "-1", "007", "x", "", "1*"})
    QTest::newRow((std::string("step ") + index).c_str())
        << QString("decoder.step[%1].attention.weights[0]=1").arg(index)
        << QString(
               "'decoder.step[%1].attention.weights[0]=1': '%1' is not an index; expected a number from 0 to "
               "2147483647, or * for any")
               .arg(index);
  for (const char* number : {"inf", "-inf", "nan"})
    QTest::newRow((std::string("pinned to ") + number).c_str())
        << QString("encoder.states[0]~%1").arg(number)
        << QString("'encoder.states[0]~%1': expected a finite number: the others make room for it").arg(number);
}

void TestEditTexts::unreadable_edits() {
  QFETCH(QString, text);
  QFETCH(QString, message);
  QCOMPARE(message_of<UsageError>([&] { parse_intervention(text.toStdString()); }), message);
}

// What no text can say is refused all the same.
void TestEditTexts::impossible_edits_data() {
  QTest::addColumn<Intervention>("edit");
  QTest::addColumn<QString>("message");
  Intervention span = edit_of("encoder.states", Kind::pin, 1, 1);
  span.count = 2;
  QTest::newRow("pin of a span") << span << "'encoder.states[1:3]~1': name one cell, for example 'encoder.states[0]'";
  QTest::newRow("pin of all") << edit_of("encoder.states", Kind::pin, -1, 1)
                              << "'encoder.states~1': name one cell, for example 'encoder.states[0]'";
  QTest::newRow("index") << edit_of("encoder.step[1", Kind::set, 0, 1)
                         << "there is no site 'encoder.step[1'; `headlight inspect MODEL` lists the sites";
  QTest::newRow("open bracket") << edit_of("encoder.states[1", Kind::set, 0, 1)
                                << "'encoder.states[1[0]=1': '1' is not an index; expected a number from 0 to "
                                   "2147483647, or * for any";
}

void TestEditTexts::impossible_edits() {
  QFETCH(Intervention, edit);
  QFETCH(QString, message);
  QCOMPARE(message_of<UsageError>([&] { check(edit); }), message);
  QCOMPARE(message_of<UsageError>([&] { Recorder({}, {edit}); }), message);
}

// Expected values: IEEE 754 binary32.
void TestEditTexts::numbers_of_every_kind_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<quint32>("bits");
  QTest::newRow("largest") << "3.4028235e38" << 0x7f7fffffu;
  QTest::newRow("rounds to the largest") << "3.40282356e38" << 0x7f7fffffu;
  QTest::newRow("smallest") << "1e-45" << 0x00000001u;
  QTest::newRow("rounds to 0") << "1e-46" << 0x00000000u;
  QTest::newRow("minus 0") << "-0" << 0x80000000u;
  QTest::newRow("infinity") << "inf" << 0x7f800000u;
  QTest::newRow("minus infinity") << "-inf" << 0xff800000u;
  QTest::newRow("no number") << "nan" << 0x7fc00000u;
}

void TestEditTexts::numbers_of_every_kind() {
  QFETCH(QString, text);
  QFETCH(quint32, bits);
  const Intervention edit = parse_intervention("encoder.states[3]=" + text.toStdString());
  QCOMPARE(std::bit_cast<std::uint32_t>(static_cast<float>(edit.value)), bits);
  QVERIFY(parse_intervention(to_text(edit)) == edit);  // a NaN, too, is itself
  Intervention other = edit;
  other.value = 1;
  QVERIFY(other != edit);
}

HEADLIGHT_TEST(TestEditTexts)

}  // namespace headlight::test_edit_texts

#include "test_edit_texts.moc"
