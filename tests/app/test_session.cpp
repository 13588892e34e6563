// The document: every change can be undone, typing word by word, and a model change takes its edits along.

#include <QSignalSpy>
#include <QTest>

#include "app/session.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight {

class TestSession : public QObject {
  Q_OBJECT

  static void type(Session& session, const QString& text) {
    for (const QChar c : text) session.set_source(session.document().source + c);
  }
  static Document started(const QString& source) {
    Document document;
    document.model = small_model();
    document.source = source;
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
    QCOMPARE(session.document().source, QString("may 5,"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, QString("may"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, QString());
    QVERIFY(!session.undo_stack().canUndo());
    session.undo_stack().redo();
    session.undo_stack().redo();
    session.undo_stack().redo();
    QCOMPARE(session.document().source, QString("may 5, 2001"));
  }

  void deleting_after_typing_is_a_step_of_its_own() {
    Session session;
    session.start(started({}));
    type(session, "abc");
    session.set_source("ab");
    session.set_source("a");
    session.undo_stack().undo();
    QCOMPARE(session.document().source, QString("abc"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, QString());
  }

  void a_paste_is_a_step_of_its_own() {
    Session session;
    session.start(started("x"));
    session.set_source("xy");
    session.set_source("september 27, 1994");
    session.undo_stack().undo();
    QCOMPARE(session.document().source, QString("xy"));
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
    QCOMPARE(session.document().source, QString("may 3"));
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
    QCOMPARE(session.document().source, QString("10+1"));
    session.undo_stack().undo();
    QCOMPARE(session.document().source, QString("May 5, 2001"));
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

  void line_breaks_become_spaces() {
    QCOMPARE(single_line("a\nb\r\nc\td\re"), QString("a b c d e"));
    QCOMPARE(single_line(QString("a") + QChar(0x2028) + "b" + QChar(0x2029)), QString("a b "));
    QCOMPARE(single_line("plain"), QString("plain"));
  }
};

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestSession)
#include "test_session.moc"
