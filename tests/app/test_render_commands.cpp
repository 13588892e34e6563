// Pictures of the command line: every view, their sizes, animations, stored attention, and what is drawn without a
// display.

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTest>

#include "app/jobs/session_opener.h"
#include "app/stage/view_table.h"
#include "model/io/npz.h"
#include "tests/app/program_with_models.h"
#include "tests/test_program.h"

namespace headlight::test_render_commands {

using testing::Outcome;

class TestRenderCommands : public QObject, testing::ProgramWithModels {
  Q_OBJECT

 private slots:
  void initTestCase() { make_models(); }

  void stored_attention_is_drawn() {
    const QString file = QStringLiteral(HEADLIGHT_TEST_DATA "/captured/batch-00000-of-00002.npz"),
                  out = scratch_.filePath("heads.png");
    for (const char* view : {"heads", "ribbons"})
      QCOMPARE(headlight({"render", file, "--view", view, "--text", "3", "--out", out}).error, QString());
    QVERIFY(QFileInfo(out).size() > 1000);
    const Outcome far = headlight({"render", file, "--view", "heads", "--text", "4", "--out", out});
    QCOMPARE(far.status, 2);
    QVERIFY(far.error.contains("there is no text 4: expected a number from 0 to 3"));
    QCOMPARE(headlight({"render", "attn_seq2seq", "--view", "heads", "--text", "0", "--out", out}).status, 2);
    // Without a number the first text is meant, and said; a model has none.
    const Outcome first = headlight({"render", file, "--view", "heads", "--out", out});
    QCOMPARE(first.status, 0);
    QCOMPARE(first.error, QString("headlight: text 0 of 4; --source N chooses another one, from 0\n"));
    const Outcome run = headlight({"run", HEADLIGHT_TEST_DATA "/captured/encoder.npz"});
    QCOMPARE(run.status, 0);
    QCOMPARE(run.error, QString("headlight: text 0, the only one\n"));
    QCOMPARE(headlight({"run", "attn_seq2seq"}).status, 2);
  }
  // What needs a model is not there.
  void stored_attention_has_no_views_of_a_model_data() {
    QTest::addColumn<QString>("view");
    for (const ViewRow& row : view_table())
      if (!QStringList({"heads", "ribbons", "compare"}).contains(row.name)) QTest::newRow(row.name) << row.name;
    QTest::newRow("steps") << "steps";
    QTest::newRow("differences") << "differences";
  }
  void stored_attention_has_no_views_of_a_model() {
    QFETCH(QString, view);
    const QString out = scratch_.filePath("none.png");
    const Outcome drawn =
        headlight({"render", HEADLIGHT_TEST_DATA "/captured/encoder.npz", "--view", view, "--text", "0", "--out", out});
    QCOMPARE(drawn.status, 2);
    QCOMPARE(drawn.error, QString("headlight: 'encoder.npz' has nothing to show in the view '%1'\n").arg(view));
    QVERIFY(!QFileInfo::exists(out));
  }
  void stored_values_that_are_no_shares_are_told() {
    Tensor scores({1, 2, 3, 3});
    for (Index i = 0; i < scores.size(); ++i) scores[i] = static_cast<Scalar>(i % 3) - 1;
    const QString file = scratch_.filePath("scores.npz"), out = scratch_.filePath("scores.png");
    write_npz(file.toStdString(), {{"attentions", scores}}, NpyType::f4);
    for (const char* view : {"heads", "window"})
      QCOMPARE(headlight({"render", file, "--view", view, "--text", "0", "--out", out}).error,
               QString("headlight: warning: 6 of 6 rows of attention have negative values: scores, perhaps, but no "
                       "weights.\n"));
    QCOMPARE(headlight({"render", file, "--view", "ribbons", "--text", "0", "--out", out}).status, 2);
  }

  void a_gif_is_the_stepping() {
    const QString gif = scratch_.filePath("walk.gif"), pictures = scratch_.filePath("walk-%02d.png");
    const QStringList command = {"render", "attn_seq2seq", "--source", "5/3/99",
                                 "--view", "alignment",    "--size",   "300x200"};
    const Outcome outcome = headlight(command + QStringList{"--out", gif});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.error));
    QFile file(gif);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.read(6), QByteArray("GIF89a"));
    // Nothing is written yet, then each of ten tokens.
    QCOMPARE(headlight(command + QStringList{"--out", pictures}).status, 0);
    QCOMPARE(QDir(scratch_.path()).entryList({"walk-*.png"}).size(), 11);
    QCOMPARE(QImage(scratch_.filePath("walk-11.png")).size(), QSize(300, 200));
    QVERIFY(QImage(scratch_.filePath("walk-01.png")) != QImage(scratch_.filePath("walk-11.png")));
  }

  // Nothing is written in the first picture of the map; what is written then stands where it will stand in the end.
  void a_gif_of_the_map_grows() {
    const QString pictures = scratch_.filePath("grow-%02d.png");
    const Outcome outcome = headlight(
        {"render", "attn_seq2seq", "--source", "5/3/99", "--view", "map", "--size", "800x500", "--out", pictures});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.error));
    QCOMPARE(QDir(scratch_.path()).entryList({"grow-*.png"}).size(), 11);
    // Ink in the column of what is written: more from picture to picture.
    const auto ink = [&](int number) {
      const QImage image(scratch_.filePath(QStringLiteral("grow-%1.png").arg(number, 2, 10, QLatin1Char('0'))));
      int rows = 0;
      for (int y = 60; y < image.height() - 27; ++y) {
        bool any = false;
        for (int x = image.width() - 90; x < image.width() - 10; ++x) any = any || qGray(image.pixel(x, y)) < 120;
        rows += any ? 1 : 0;
      }
      return rows;
    };
    QCOMPARE(ink(1), 0);
    for (int number = 2; number <= 11; ++number) QVERIFY(ink(number) > ink(number - 1));
  }

  void render_draws_every_view_without_a_display_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("ending");
    for (const char* view :
         {"alignment", "outputs", "ribbons", "query-key", "states", "map", "computation", "steps", "window"})
      for (const char* ending : {"png", "svg", "pdf"})
        QTest::newRow(qPrintable(QString("%1 as %2").arg(view, ending))) << QString(view) << QString(ending);
    QTest::newRow("alignment as csv") << QString("alignment") << QString("csv");
  }
  void render_draws_every_view_without_a_display() {
    QFETCH(QString, view);
    QFETCH(QString, ending);
    const QString file = scratch_.filePath(view + "." + ending);
    QStringList line = {"render", "attn_seq2seq", "--source", "5/3/99", "--view", view, "--out", file};
    if (ending != "csv")
      line << "--size"
           << "800x500"
           << "--theme"
           << "dark";
    if (ending == "png")
      line << "--scale"
           << "2";
    const Outcome outcome = headlight(line);
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(QFile(file).size() > 200);
    if (ending == "png") QVERIFY(QImage(file).width() >= 800);
  }

  void the_scale_is_that_of_the_picture() {
    const QStringList command = {"render", "attn_seq2seq", "--source", "5/3/99", "--view", "alignment"};
    const QString one = scratch_.filePath("one.png"), three = scratch_.filePath("three.png");
    QCOMPARE(headlight(command + QStringList{"--size", "400x300", "--out", one}).status, 0);
    QCOMPARE(headlight(command + QStringList{"--size", "400x300", "--scale", "3", "--out", three}).status, 0);
    QCOMPARE(QImage(one).width(), 400);
    QCOMPARE(QImage(three).size(), QImage(one).size() * 3);
  }

  void a_figure_is_as_large_as_it_was_asked_for() {
    const QStringList command = {"render", "attn_seq2seq", "--source", "5/3/99", "--view", "alignment"};
    const QString png = scratch_.filePath("wide.png"), svg = scratch_.filePath("wide.svg");
    // 3.25 in are 312 pixels, whatever the picture needs in height.
    QCOMPARE(headlight(command + QStringList{"--width", "3.25in", "--out", png}).error, QString());
    QCOMPARE(QImage(png).width(), 312);
    QCOMPARE(headlight(command + QStringList{"--width", "82.55mm", "--font-size", "6pt", "--out", svg}).status, 0);
    QFile file(svg);
    QVERIFY(file.open(QFile::ReadOnly));
    const QByteArray content = file.readAll();
    QVERIFY2(content.contains("width=\"82.55mm\""), content.left(300).constData());
    QVERIFY2(!content.contains("<image"), "cells are rectangles");
    QCOMPARE(headlight(command + QStringList{"--size", "3inx2in", "--out", png}).status, 0);
    QCOMPARE(QImage(png).size(), QSize(288, 192));
    const Outcome both = headlight(command + QStringList{"--size", "3inx2in", "--width", "3in", "--out", png});
    QCOMPARE(both.status, 2);
    // What does not fit becomes smaller, and that is said.
    const Outcome large = headlight(command + QStringList{"--width", "2in", "--font-size", "40pt", "--out", png});
    QCOMPARE(large.status, 0);
    QVERIFY2(large.error.contains("its text is"), qPrintable(large.error));
    QCOMPARE(QImage(png).width(), 192);
  }

  void a_head_is_counted_from_1() {
    const QString file = QStringLiteral(HEADLIGHT_TEST_DATA "/captured/batch-00000-of-00002.npz"),
                  one = scratch_.filePath("one.csv"), other = scratch_.filePath("other.csv");
    const QStringList command = {"render", file, "--view", "heads", "--text", "3"};
    const auto read = [](const QString& path) {
      QFile opened(path);
      return opened.open(QFile::ReadOnly) ? opened.readAll() : QByteArray();
    };
    QCOMPARE(headlight(command + QStringList{"--layer", "1", "--head", "2", "--out", one}).error, QString());
    QCOMPARE(headlight(command + QStringList{"--layer", "0", "--head", "1", "--count-from", "0", "--out", other}).error,
             QString());
    QVERIFY(!read(one).isEmpty());
    // The corner names the head as it was asked for.
    const auto behind_corner = [](const QByteArray& csv) { return csv.mid(csv.indexOf(',')); };
    QVERIFY(read(one).startsWith("query \xC2\xB7 layer 1 \xC2\xB7 head 2,"));
    QVERIFY(read(other).startsWith("query \xC2\xB7 L0H1,"));
    QCOMPARE(behind_corner(read(one)), behind_corner(read(other)));
    QCOMPARE(headlight(command + QStringList{"--layer", "1", "--head", "1", "--out", other}).error, QString());
    QVERIFY(read(one) != read(other));
    for (const char* option : {"--layer", "--head", "--token"}) {
      const Outcome none = headlight(command + QStringList{option, "0", "--out", other});
      QCOMPARE(none.status, 2);
      QVERIFY2(none.error.contains(QString("%1: there are ").arg(option)), qPrintable(none.error));
    }
    const Outcome side = headlight(command + QStringList{"--side", "cross", "--out", other});
    QCOMPARE(side.error, QString("headlight: --side: this run has no attention of the cross\n"));
  }

  void a_list_of_texts_is_a_picture_each() {
    QFile list(scratch_.filePath("list.txt"));
    QVERIFY(list.open(QFile::WriteOnly));
    list.write("5/3/99\n\n6/4/98\n");
    list.close();
    const QStringList command = {"render", "attn_seq2seq", "--view", "alignment", "--texts", list.fileName()};
    const QString out = scratch_.filePath("text-%04d.svg");
    QCOMPARE(headlight(command + QStringList{"--out", out}).status, 0);
    QVERIFY(QFileInfo::exists(scratch_.filePath("text-0000.svg")));
    QVERIFY(QFileInfo::exists(scratch_.filePath("text-0001.svg")));
    QVERIFY(!QFileInfo::exists(scratch_.filePath("text-0002.svg")));
    const QString one = scratch_.filePath("one.svg");
    QCOMPARE(headlight(command + QStringList{"--text", "1", "--out", one}).status, 0);
    QCOMPARE(headlight(command + QStringList{"--text", "2", "--out", one}).status, 2);
    QCOMPARE(headlight(command + QStringList{"--out", one}).status, 2);
  }

  void a_session_is_run_and_drawn_as_it_was() {
    SessionState state;
    state.model.name = "attn_seq2seq";
    state.source = "5/3/99";
    state.target = "1999";
    const QString session = scratch_.filePath("kept.headlight"), out = scratch_.filePath("kept.csv"),
                  again = scratch_.filePath("again.csv");
    save_session(state, session);
    QCOMPARE(headlight({"render", session, "--view", "alignment", "--out", out}).error, QString());
    const QStringList same = {"render", "attn_seq2seq", "--source", "5/3/99", "--target", "1999"};
    QCOMPARE(headlight(same + QStringList{"--view", "alignment", "--out", again}).status, 0);
    QFile a(out), b(again);
    QVERIFY(a.open(QFile::ReadOnly) && b.open(QFile::ReadOnly));
    QCOMPARE(a.readAll(), b.readAll());
    const Outcome ran = headlight({"run", session}),
                  plain = headlight({"run", "attn_seq2seq", "--source", "5/3/99", "--target", "1999"});
    QCOMPARE(ran.status, 0);
    QCOMPARE(ran.out, plain.out);
    QVERIFY(headlight({"run", session, "--source", "6/4/98"}).out != plain.out);
    QCOMPARE(headlight({"run", scratch_.filePath("none.headlight")}).status, 2);
  }

  void without_a_display_the_first_view_is_drawn() {
    const Outcome outcome = headlight({"attn_seq2seq", "--source", "May 5, 2001"});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("looks most at"));
    const QString file = outcome.out.trimmed().section('\n', -1);
    QVERIFY2(QImage(file).width() >= 1280, qPrintable(file));
  }
};

HEADLIGHT_WIDGET_TEST(TestRenderCommands)

}  // namespace headlight::test_render_commands

#include "test_render_commands.moc"
