// The document: every change can be undone, typing word by word, and a model change takes its edits along.

#include <malloc.h>

#include <QLocale>
#include <QSignalSpy>
#include <QTest>

#include "app/document/session.h"
#include "model/core/random.h"
#include "model/io/formats/format.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_session {

class TestSession : public QObject {
  Q_OBJECT

  static void type(Session& session, const QString& text) {
    for (const QChar c : text) session.set_source(from_utf8(session.document().source) + c);
  }
  static Document started(const QString& source) {
    Document document;
    document.model = small_model();
    document.source = source.toStdString();
    return document;
  }
  static Intervention weight(Index cell, Scalar value) {
    return {"decoder.step[2].attention.weights", Intervention::Kind::pin, cell, value, {}, 1, Intervention::kFlat, {}};
  }

 private slots:
  void typing_is_undone_word_by_word() {
    Session session;
    session.start(started({}));
    type(session, "may 5, 2001");
    session.undo_stack().undo();
    QCOMPARE(session.document().source, std::string("may 5,"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, std::string("may"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, std::string());
    QVERIFY(!session.undo_stack().canUndo());
    session.undo_stack().redo();
    session.undo_stack().redo();
    session.undo_stack().redo();
    QCOMPARE(session.document().source, std::string("may 5, 2001"));
  }

  void deleting_after_typing_is_a_step_of_its_own() {
    Session session;
    session.start(started({}));
    type(session, "abc");
    session.set_source("ab");
    session.set_source("a");
    session.undo_stack().undo();
    QCOMPARE(session.document().source, std::string("abc"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, std::string());
  }

  void a_paste_is_a_step_of_its_own() {
    Session session;
    session.start(started("x"));
    session.set_source("xy");
    session.set_source("september 27, 1994");
    session.undo_stack().undo();
    QCOMPARE(session.document().source, std::string("xy"));
  }

  void the_same_text_changes_nothing() {
    Session session;
    session.start(started("may"));
    QSignalSpy changed(&session, &Session::changed);
    session.set_source("may");
    QVERIFY(changed.isEmpty());
    QVERIFY(!session.undo_stack().canUndo());
  }

  void edits_are_listed_replaced_removed_and_undone() {
    Session session;
    session.start(started("may"));
    session.add_intervention(weight(3, 0.5));
    session.add_intervention(weight(4, 0.25));
    session.add_intervention(weight(3, 0.75));  // the same cell again
    QCOMPARE(session.document().interventions, (std::vector{weight(4, 0.25), weight(3, 0.75)}));
    session.undo_stack().undo();
    QCOMPARE(session.document().interventions, (std::vector{weight(3, 0.5), weight(4, 0.25)}));
    session.undo_stack().redo();
    session.remove_intervention(0);
    QCOMPARE(session.document().interventions, (std::vector{weight(3, 0.75)}));
    session.remove_intervention(5);  // no such row
    QCOMPARE(session.document().interventions.size(), std::size_t{1});
    session.clear_differences();
    QVERIFY(session.document().interventions.empty());
    session.undo_stack().undo();
    QCOMPARE(session.document().interventions, (std::vector{weight(3, 0.75)}));
  }

  void another_model_drops_edits_and_undo_brings_them_back() {
    Session session;
    session.start(started("may 3"));
    session.add_intervention(weight(3, 0.5));
    session.set_target("2001-01-01");
    const Document before = session.document();
    const auto other = small_model("seq2seq_peeky");
    session.set_model(other);
    QCOMPARE(session.document().model, other);
    QCOMPARE(session.document().source, std::string("may 3"));
    QVERIFY(session.document().interventions.empty());
    QVERIFY(!session.document().target);
    session.undo_stack().undo();
    QVERIFY(session.document() == before);
  }

  void a_model_that_cannot_read_the_text_starts_with_its_example() {
    Session session;
    session.start(started("May 5, 2001"));
    auto other = std::make_shared<ModelBundle>(*small_model());
    other->text.source = Tokenizer(Vocabulary({" ", "+", "0", "1"}));
    other->examples = {"10+1", "0+0"};
    session.set_model(other);
    QCOMPARE(session.document().source, std::string("10+1"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, std::string("May 5, 2001"));
  }

  static std::shared_ptr<const ModelBundle> model_of(const char* task) {
    auto bundle = std::make_shared<ModelBundle>(*small_model());
    const Task& row = find_task(task);
    bundle->task = task;
    bundle->text = row.text;
    bundle->examples = row.examples;
    return bundle;
  }

  void a_text_for_another_model_is_set_aside_and_comes_back_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("to");
    QTest::addColumn<bool>("kept");
    const auto row = [](const char* from, const char* text, const char* to, bool kept) {
      QTest::addRow("%s, %s -> %s", from, text, to) << from << text << to << kept;
    };
    row("date", "May 5, 1999", "copy", false);                    // unknown characters
    row("copy", "3141592", "date", false);                        // known ones, of another kind
    row("date", "see you", "date_wide", false);                   // no date
    row("date", "8/15/06", "date_wide", true);                    // a date
    row("copy", "12345", "reverse", true);                        // digits
    row("addition", "12+3", "copy", false);                       // a sum
    row("toy_mt", "the girl sees the elephant", "masked", true);  // most words are known
    row("toy_mt", "the elephant eats bananas", "story", false);   // most are not
  }
  void a_text_for_another_model_is_set_aside_and_comes_back() {
    QFETCH(QString, from);
    QFETCH(QString, text);
    QFETCH(QString, to);
    QFETCH(bool, kept);
    Session session;
    Document document;
    document.model = model_of(qPrintable(from));
    document.source = text.toStdString();
    session.start(document);
    const auto other = model_of(qPrintable(to));
    session.set_model(other);
    QCOMPARE(session.document().source, kept ? text.toStdString() : other->examples.front());
    QCOMPARE(session.set_aside(), kept ? QString() : text);
    if (!kept) {
      session.set_source(text);  // as the message offers
      QCOMPARE(session.document().model, other);
      QVERIFY(session.set_aside().isNull());
      session.undo_stack().undo();
      QCOMPARE(session.set_aside(), text);
    }
    session.undo_stack().undo();
    QCOMPARE(session.document().source, text.toStdString());
    QVERIFY(session.set_aside().isNull());
  }

  // A third model that reads it has it again, also where models are looked at in between.
  void what_was_set_aside_is_read_again_where_it_can_be() {
    for (const bool looking : {false, true}) {
      Session session;
      Document document;
      document.model = model_of("date");
      document.source = "May 5, 1999";
      session.start(document);
      session.set_model(model_of("copy"));
      QCOMPARE(session.set_aside(), QString("May 5, 1999"));
      if (looking) session.begin_looking();
      session.set_model(model_of("addition"));
      QCOMPARE(session.document().source, std::string("123+456"));
      QCOMPARE(session.set_aside(), QString("May 5, 1999"));
      session.set_model(model_of("date_wide"));
      QCOMPARE(session.document().source, std::string("May 5, 1999"));
      QVERIFY(session.set_aside().isNull());
      if (!looking) continue;
      session.look_back();
      QCOMPARE(session.document().source, find_task("copy").examples.front());
      QCOMPARE(session.set_aside(), QString("May 5, 1999"));
      session.end_looking();
    }
  }

  // What nobody typed is no loss, and the same task reads what its other models were given, odd or not.
  void what_nobody_typed_is_not_set_aside() {
    Session session;
    Document document;
    document.model = model_of("copy");
    document.source = document.model->examples.front();
    session.start(document);
    session.set_model(model_of("date"));
    QCOMPARE(session.document().source, find_task("date").examples.front());
    QVERIFY(session.set_aside().isNull());
    session.set_source("20010505");
    session.set_model(model_of("date"));
    QCOMPARE(session.document().source, std::string("20010505"));
  }

  void the_request_says_what_the_document_says() {
    Session session;
    session.start(started(QStringLiteral("août")));
    session.set_target("19");
    session.add_intervention(weight(1, 0.5));
    const Request request = session.request();
    QCOMPARE(request.source, std::string("ao\xc3\xbbt"));
    QCOMPARE(request.target, std::optional<std::string>("19"));
    QCOMPARE(request.interventions.size(), std::size_t{1});
    QVERIFY(request.trace);
  }

  // Whatever came and went, each step of undo and of redo is the document that was there.
  void every_step_of_undo_brings_its_edits_back() {
    Session session;
    session.start(started("may 3"));
    Random random(2, Random::Stream::sample);
    std::vector<std::vector<Intervention>> at = {{}};
    const auto some = [&] {
      std::vector<Intervention> edits;
      for (std::uint32_t i = random.below(4); i > 0; --i)
        edits.push_back(weight(static_cast<Index>(random.below(12)), static_cast<Scalar>(random.below(3))));
      return edits;
    };
    for (int i = 0; i < 500; ++i) {
      switch (random.below(8)) {
        case 0:
          session.remove_intervention(static_cast<int>(random.below(12)));
          break;
        case 1:
          session.set_source("may " + QString::number(i));
          break;
        case 2:
          if (i % 10 == 0) session.clear_differences();
          break;
        default:
          session.change_interventions(some(), some());
      }
      const auto step = static_cast<std::size_t>(session.undo_stack().index());
      at.resize(step + 1);
      at[step] = session.document().interventions;
    }
    QVERIFY(at.size() > 200);
    for (std::size_t step = at.size() - 1; step > 0; --step) {
      session.undo_stack().undo();
      QVERIFY(session.document().interventions == at[step - 1]);
    }
    for (std::size_t step = 1; step < at.size(); ++step) {
      session.undo_stack().redo();
      QVERIFY(session.document().interventions == at[step]);
    }
  }

  // Each step of undo used to hold every edit twice: half a gigabyte here.
  void undo_holds_what_changed_and_no_more() {
    Session session;
    Document document = started("may 3");
    for (Index cell = 0; cell < 1000; ++cell) document.interventions.push_back(weight(cell, 1));
    session.start(document);
    const std::size_t before = mallinfo2().uordblks;
    for (Index cell = 0; cell < 1000; ++cell) session.change_interventions({weight(cell, 2)}, {});
    QCOMPARE(session.undo_stack().count(), 1000);
    QCOMPARE(session.document().interventions.front(), weight(0, 2));
    const std::size_t after = mallinfo2().uordblks;
    QVERIFY2(after < before + (20u << 20), qPrintable(QString::number(after - before)));
  }

  void more_edits_than_a_run_can_have_are_refused() {
    Session session;
    session.start(started("may 3"));
    QSignalSpy refused(&session, &Session::refused), changed(&session, &Session::changed);
    std::vector<Intervention> edits;
    for (std::size_t cell = 0; cell < kMaxEdits; ++cell) edits.push_back(weight(static_cast<Index>(cell), 1));
    session.change_interventions(edits, {});
    QCOMPARE(session.document().interventions.size(), kMaxEdits);
    QCOMPARE(refused.size(), 0);
    session.add_intervention(weight(static_cast<Index>(kMaxEdits), 1));
    QCOMPARE(refused.size(), 1);
    QVERIFY2(refused[0][0].toString().contains(QLocale().toString(static_cast<int>(kMaxEdits))),
             qPrintable(refused[0][0].toString()));
    QCOMPARE(changed.size(), 1);
    session.add_intervention(weight(7, 2));  // in the place of another
    QCOMPARE(refused.size(), 1);
    QCOMPARE(session.document().interventions.back(), weight(7, 2));
    session.change_interventions({}, edits);
    QVERIFY(session.document().interventions.empty());
  }

  void stored_attention_takes_no_changes() {
    Session session;
    Document document;
    document.model = open_path(std::filesystem::path(HEADLIGHT_TEST_DATA) / "captured" / "encoder.npz");
    document.source = "0";
    session.start(document);
    QSignalSpy refused(&session, &Session::refused);
    session.add_intervention(weight(3, 0.5));
    session.set_target(QStringLiteral("x"));
    DecodeSettings beam;
    beam.kind = DecodeSettings::Kind::beam;
    session.set_decoding(beam, 1);
    session.set_setting(QStringLiteral("heads"), 4);
    QCOMPARE(refused.size(), 4);
    QVERIFY(!session.has_differences());
  }

  void line_breaks_become_spaces() {
    QCOMPARE(single_line("a\nb\r\nc\td\re"), QString("a b c d e"));
    QCOMPARE(single_line(QString("a") + QChar(0x2028) + "b" + QChar(0x2029)), QString("a b "));
    QCOMPARE(single_line("plain"), QString("plain"));
  }
};

HEADLIGHT_WIDGET_TEST(TestSession)

}  // namespace headlight::test_session

#include "test_session.moc"
