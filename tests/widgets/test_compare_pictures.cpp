// The picture of two runs: what is laid side by side, the difference, one cursor, the list of what changed, export,
// pictures.

#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/test_program.h"
#include "tests/widgets/compare_runs.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/recorded_text.h"
#include "tests/widgets/sample_heads.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/number_words.h"
#include "widgets/views/compare/compare_pictures.h"
#include "widgets/views/compare/compare_tokens.h"

namespace headlight::test_compare_pictures {

using namespace compared;

namespace {

using Form = ComparePicturesLayout::Form;

QString text_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class TestComparePictures : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void pictures_go_where_there_is_room_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<int>("form");
    QTest::newRow("wide") << QSizeF(1200, 300) << static_cast<int>(Form::row);
    QTest::newRow("high") << QSizeF(300, 900) << static_cast<int>(Form::column);
    QTest::newRow("small") << QSizeF(360, 200) << static_cast<int>(Form::difference);
  }
  void pictures_go_where_there_is_room() {
    QFETCH(QSizeF, size);
    QFETCH(int, form);
    const auto layout = ComparePicturesLayout::of(size, {220, 180}, 20, 60);
    QCOMPARE(static_cast<int>(layout.form), form);
    if (layout.form == Form::row) QCOMPARE(layout.pictures[0].width() + 60, layout.pictures[1].width());
    for (std::size_t i = 0; i < 3; ++i) {
      if (layout.form == Form::difference && i < 2) {
        QVERIFY(layout.pictures[i].isEmpty() && layout.titles[i].isEmpty());
        continue;
      }
      QVERIFY(QRectF(QPointF(), size).contains(layout.pictures[i]));
      QVERIFY(!layout.titles[i].intersects(layout.pictures[i]));
      for (std::size_t j = 0; j < i; ++j) QVERIFY(!layout.pictures[i].intersects(layout.pictures[j]));
    }
  }

  void tokens_stand_above_each_other() {
    const auto layout = CompareTokensLayout::of({5, 40, 1000}, {});
    QCOMPARE(layout.columns.size(), std::size_t(3));
    double right = layout.label_before.right();
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& column = layout.columns[i];
      QCOMPARE(column.before.left(), column.after.left());
      QVERIFY(column.before.bottom() <= column.mark.top() && column.mark.bottom() <= column.after.top());
      QVERIFY(column.before.left() >= right);
      right = column.before.right();
      QCOMPARE(layout.column_at(column.mark.center()), static_cast<int>(i));
    }
    QCOMPARE(layout.columns[2].before.width(), CompareTokensLayout::Metrics{}.largest);
    QVERIFY(layout.width >= right && layout.column_at({-1, 0}) == -1);
  }

  // In the list of what changed most, each value says of which layer and head it is.
  void the_list_names_layers() {
    CompareSubject subject;
    subject.kind = CompareSubject::Kind::site;
    subject.site = "decoder.step[*].layer[1].self_attn.head.weights";
    QVERIFY2(subject_name(subject).contains("(layer 2)"), qPrintable(subject_name(subject)));
    subject.site = "decoder.step[*].attention.weights";
    QVERIFY(!subject_name(subject).contains('('));
  }

  void two_pictures_stand_side_by_side() {
    Setup s;
    show_at(s.view, {900, 420});
    s.view.set_result(before());
    s.view.set_result(after());
    const Heatmap *a = s.view.pictures()->heatmap(0), *b = s.view.pictures()->heatmap(1);
    QVERIFY(a->isVisible() && b->isVisible() && !s.view.pictures()->heatmap(2)->isVisible());
    QCOMPARE(a->size(), b->size());
    QVERIFY(a->geometry().right() < b->geometry().left());
    QVERIFY(a->width() + b->width() >= 0.9 * s.view.width());
    // What was written stands above each, and what is another token is marked in both.
    const auto changed = [&](int which) {
      QStringList found;
      for (const CompareTitle::Token& token : s.view.pictures()->title(which).output)
        if (!token.same) found << token.text;
      return found;
    };
    std::string written;
    for (const CompareTitle::Token& token : s.view.pictures()->title(0).output) written += token.text.toStdString();
    QCOMPARE(written, before()->output);
    QVERIFY(!changed(0).isEmpty() || !changed(1).isEmpty());
    // The difference on wish.
    s.view.set_difference_shown(true);
    QVERIFY(s.view.pictures()->heatmap(2)->isVisible() && s.view.tokens()->isVisible());
  }

  void the_difference_is_b_minus_a() {
    Setup s;
    show_at(s.view, {1000, 500});
    const auto a = before(), b = after();
    s.view.set_result(a);
    s.view.set_result(b);
    const ComparePictures& pictures = *s.view.pictures();
    const Heatmap &first = *pictures.heatmap(0), &second = *pictures.heatmap(1), &change = *pictures.heatmap(2);
    // '4' became '5', the last '7' is gone: ten places. The letters that the model knows, and the blanks as one
    // column.
    QCOMPARE(first.rows(), 10);
    QCOMPARE(change.range(), Heatmap::Range::symmetric);
    QCOMPARE(first.range(), Heatmap::Range::unit);
    int known = 0;
    for (const TextToken& token : a->tokens) known += !token.padding && token.id ? 1 : 0;
    QCOMPARE(change.columns(), known + 1);
    for (int row = 0; row < 9; ++row)
      for (int column = 0; column <= known; ++column)
        QCOMPARE(change.value(row, column), second.value(row, column) - first.value(row, column));
    QVERIFY(std::isnan(second.value(9, 0)) && std::isnan(change.value(9, 0)) && !std::isnan(first.value(9, 0)));
    const Tensor weights = a->trace->value("decoder.step[2].attention.weights");
    QCOMPARE(first.value(2, 0), static_cast<float>(weights[a->position_of_token[0]]));
    QCOMPARE(s.view.tokens()->summary(), QString("2 of 10 tokens differ."));
    QVERIFY(s.view.tokens()->description(3).contains(QStringLiteral("A writes ‘4’")));
    QVERIFY(s.view.tokens()->description(9).contains("Only A"));
    QVERIFY(s.view.accessibleDescription().contains("Most changed"));
  }

  void one_cursor_for_all() {
    Setup s;
    show_at(s.view, {1000, 500});
    s.view.set_difference_shown(true);
    const auto b = after();
    s.view.set_result(before());
    s.view.set_result(b);
    Heatmap& change = *s.view.pictures()->heatmap(2);
    change.setFocus();
    change.set_selected_cell(4, 2);
    QTest::keyClick(&change, Qt::Key_Right);
    for (int i = 0; i < 3; ++i) QCOMPARE(s.view.pictures()->heatmap(i)->selected_cell(), (HeatmapCell{4, 3}));
    QCOMPARE(*s.selection.state().step, 4);
    QCOMPARE(*s.selection.state().source_token, 3);
    const int entry = b->trace->find("decoder.step[4].attention.weights");
    QCOMPARE(*s.selection.state().entry, entry);
    QCOMPARE(static_cast<float>((*b->trace)[entry].value[*s.selection.state().cell]),
             s.view.pictures()->heatmap(1)->value(4, 3));
    s.selection.set({0, 6, {}, {}});  // from another view
    for (int i = 0; i < 3; ++i) QCOMPARE(s.view.pictures()->heatmap(i)->selected_cell(), (HeatmapCell{6, 0}));
    QSignalSpy hovered(&s.selection, &Selection::hovered);
    emit change.cellHovered(5, 1);
    QVERIFY(!hovered.isEmpty());
    QCOMPARE(*s.selection.hovered_step(), 5);
    QCOMPARE(*s.selection.hovered_token(), 1);
    // The tokens: a step that B does not have stays a place of the list alone.
    QTest::keyClick(s.view.tokens(), Qt::Key_End);
    QVERIFY(s.view.tokens()->accessibleDescription().contains("Only A"));
  }

  void the_list_begins_with_what_changed_most() {
    Setup s;
    show_at(s.view, {1000, 500});
    auto a = std::make_shared<Result>(*sample::heads_result());
    sample::HeadOptions options;
    options.source[2] = "dog";
    auto b = std::make_shared<Result>(*sample::heads_result(options));
    a->model = b->model = model();
    b->source = "other";
    s.view.set_result(a);
    s.view.set_result(b);
    QTRY_VERIFY(!s.view.difference_shown().sites.empty());
    const auto boxes = s.view.findChildren<QComboBox*>();
    const QComboBox* list = *std::find_if(boxes.begin(), boxes.end(), [](QComboBox* box) { return box->isEditable(); });
    QCOMPARE(list->itemText(0), QString("where it looks"));
    // 3 layers x 4 heads of three kinds, and as many sites as there are names.
    QCOMPARE(list->count(), 1 + 36 + static_cast<int>(s.view.difference_shown().sites.size()));
    QVERIFY(list->itemText(37).contains("self_attn") || list->itemText(37).contains("cross_attn"));
    CompareSubject head{CompareSubject::Kind::head, AttentionMap::Kind::encoder_self, 1, 2, {}};
    s.view.set_subject(head);
    QCOMPARE(s.view.pictures()->heatmap(0)->rows(), 9);
    const Tensor weights = a->trace->value("encoder.layer[1].self_attn.head.weights");
    QCOMPARE(s.view.pictures()->heatmap(0)->value(4, 7), static_cast<float>(weights[2 * 81 + 4 * 9 + 7]));
    QVERIFY(s.view.pictures()->heatmap(0)->table_model()->headerData(2, Qt::Vertical).toString().contains("dog"));
  }

  void exports_pictures_and_every_cell() {
    Setup s;
    show_at(s.view, {1000, 500});
    s.view.set_difference_shown(true);
    s.view.set_result(before());
    s.view.set_result(after());
    const QTemporaryDir dir;
    s.view.export_to(dir.filePath("a.png"));
    QVERIFY(!QImage(dir.filePath("a.png")).isNull());
    s.view.export_to(dir.filePath("a.csv"));
    QStringList lines = text_of(dir.filePath("a.csv")).split("\r\n", Qt::SkipEmptyParts);
    QVERIFY(lines.takeFirst().startsWith("# {"));  // what it is about
    const Heatmap& first = *s.view.pictures()->heatmap(0);
    QCOMPARE(lines.size(), 1 + first.rows() * first.columns());
    QCOMPARE(lines[0], QString("row,column,A,B,difference"));
    const QStringList cell = lines[1 + first.columns() + 1].split(',');
    QCOMPARE(cell[2].toFloat(), first.value(1, 1));
    QCOMPARE(cell[4].toFloat(), s.view.pictures()->heatmap(2)->value(1, 1));
    QVERIFY(lines.last().endsWith(",,"));  // B has no such step
  }

  // What is not shown is not in the picture that leaves the program either.
  void an_exported_picture_has_what_is_shown() {
    for (const bool shown : {false, true}) {
      Setup s;
      show_at(s.view, {1000, 500});
      s.view.set_result(before());
      s.view.set_result(after());
      s.view.set_difference_shown(shown);
      const Figure figure = s.view.figure();
      TextRecorder recorder(figure.size);
      QPainter painter(&recorder);
      figure.paint(painter);
      const auto axes =
          std::ranges::count_if(recorder.texts(), [](const RecordedText& t) { return t.text == "source"; });
      QCOMPARE(axes, shown ? 3 : 2);  // one of each picture
    }
  }
  // With the difference, too, everything begins at the margin, and axes and colours are explained around the pictures:
  // those of shares below them, those of changes beside their title.
  void the_difference_stands_on_the_grid() {
    Setup s;
    show_at(s.view, {1280, 420});
    s.view.set_result(before());
    s.view.set_result(after());
    s.view.set_difference_shown(true);
    for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
    QWidget* pictures = s.view.pictures();
    QStringList written;
    double left = 1e9, right = 0;
    for (QWidget* each : {pictures, static_cast<QWidget*>(s.view.tokens())})
      for (const RecordedText& text : texts_of(each)) {
        written << text.text;
        left = std::min(left, text.place.left());
        right = std::max(right, text.place.right());
      }
    QVERIFY2(std::abs(left - space::kMargin) <= 1.5, qPrintable(QString::number(left)));
    QVERIFY2(right <= 1280 - space::kMargin + 1.5, qPrintable(QString::number(right)));
    QVERIFY(!written.contains("source") && !written.contains("output"));
    const CellScale changes = s.view.pictures()->heatmap(2)->colour_scale();
    QVERIFY(written.contains(short_number(changes.low, 3)) && written.contains(short_number(changes.high, 3)));
    for (int i = 0; i < 3; ++i) {
      const Heatmap& map = *s.view.pictures()->heatmap(i);
      QVERIFY(map.heatmap_layout().colour_bar.isEmpty());
      QVERIFY(map.geometry().right() - space::kMargin <= 1280);
    }
  }

  void small_panels_show_the_difference_alone() {
    Setup s;
    show_at(s.view, {360, 240});
    s.view.set_result(before());
    s.view.set_result(after());
    QVERIFY(!s.view.pictures()->heatmap(0)->isVisible() && s.view.pictures()->heatmap(2)->isVisible());
    QCOMPARE(s.view.width(), 360);
  }

  void pictures_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("light") << static_cast<int>(Theme::Mode::light);
    QTest::newRow("dark") << static_cast<int>(Theme::Mode::dark);
  }
  void pictures() {
    QFETCH(int, mode);
    Theme::instance().set_mode(static_cast<Theme::Mode>(mode));
    Setup s;
    show_at(s.view, {900, 440});
    s.view.set_difference_shown(true);
    s.view.set_result(before());
    s.view.set_result(after());
    s.selection.set({3, 5, {}, {}});
    QTRY_VERIFY(!s.view.difference_shown().sites.empty());
    COMPARE_IMAGE(s.view, QStringLiteral("compare_") + QTest::currentDataTag());
  }
};

HEADLIGHT_WIDGET_TEST(TestComparePictures)

}  // namespace headlight::test_compare_pictures

#include "test_compare_pictures.moc"
