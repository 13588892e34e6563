// The line below a picture is about the run that is shown: its sentences, and colours that go as far as its numbers.
// And the picture of a model without attention, which is one vector.

#include <QAction>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/language.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/alignment/one_vector.h"

namespace headlight::test_captions {

class TestCaptions : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const char* model, QSize size = {1280, 800}) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(model);
    document.source = "May 5, 2001";
    window_->resize(size);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void show_picture(const char* name) {
    QVERIFY(window_->panels().raise(name));
    settle();
  }
  const ColourKey& key() { return window_->status().key()->key(); }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void colours_go_as_far_as_the_numbers() {
    open("date-attention");
    QCOMPARE(key().kind, ColourKey::Kind::shares);
    QCOMPARE(window_->status().key()->high(), QString("1"));
    QVERIFY(window_->status().key()->isVisible());
    show_picture("states");
    QCOMPARE(key().kind, ColourKey::Kind::signs);
    QVERIFY(key().largest > 0 && key().largest <= 1);  // hidden states lie between -1 and 1
    QVERIFY(window_->status().key()->low().startsWith(QChar(0x2212)));
    show_picture("query-key");
    QCOMPARE(key().kind, ColourKey::Kind::signs);
    show_picture("map");
    QCOMPARE(key().kind, ColourKey::Kind::none);
    QVERIFY(!window_->status().key()->isVisible());
  }

  void places_have_the_range_of_their_table() {
    open("date-transformer");
    show_picture("positions");
    QCOMPARE(key().kind, ColourKey::Kind::signs);
    QVERIFY(std::abs(key().largest - 1) < 1e-3);  // sines and cosines
  }

  // One chosen head for all pictures: one that lacks it says so, and keeps what it shows.
  void a_picture_without_the_chosen_head_says_so() {
    open("date-transformer");
    show_picture("alignment");
    window_->selection().set_head(HeadPlace{AttentionMap::Kind::encoder_self, 0, 1});
    settle();
    QVERIFY2(window_->status().caption().contains(QString::fromUtf8("layer 1 · head 2 (encoder), is not in this")),
             qPrintable(window_->status().caption()));
    QCOMPARE(window_->selection().head()->head, Index{1});
    window_->actions()["count_from_zero"]->setChecked(true);
    settle();
    QVERIFY2(window_->status().caption().contains("L0H1"), qPrintable(window_->status().caption()));
    window_->actions()["count_from_zero"]->setChecked(false);
    window_->selection().set_head({});
    settle();
    QVERIFY(!window_->status().caption().contains("stays chosen"));
  }

  // Without attention, all that is known of a text is one vector: the picture of this model.
  void no_attention_is_a_picture_of_the_one_vector_data() {
    QTest::addColumn<bool>("each_step");
    QTest::newRow("date-plain") << false;  // Sutskever et al. 2014: the decoder starts from it
    QTest::newRow("date-peeky") << true;   // Cho et al. 2014: every step sees it
  }
  void no_attention_is_a_picture_of_the_one_vector() {
    QFETCH(bool, each_step);
    open(QTest::currentDataTag());
    QCOMPARE(window_->panels().front(), QString("alignment"));
    OneVectorCanvas* canvas = window_->views().alignment()->one_vector();
    QVERIFY(canvas->isVisible());
    QCOMPARE(canvas->is_read_at_each_step(), each_step);
    QVERIFY(window_->status().caption().contains("one vector"));
    const Tensor vector = window_->result()->trace->value("encoder.bottleneck");
    QCOMPARE(canvas->numbers(), static_cast<int>(vector.size()));
    double largest = 0;
    for (int i = 0; i < canvas->numbers(); ++i) {
      QCOMPARE(canvas->value(i), static_cast<double>(vector[i]));
      largest = std::max(largest, std::abs(static_cast<double>(vector[i])));
    }
    QCOMPARE(key().kind, ColourKey::Kind::signs);
    QVERIFY(std::abs(key().largest - largest) < 1e-9);
    // A click opens the number, the keys go to its neighbours.
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {},
                      canvas->viewport_point(canvas->vector_layout().tile(5).center()).toPoint());
    settle();
    const SelectionState& state = window_->selection().state();
    QCOMPARE(state.entry, std::optional(window_->result()->trace->find("encoder.bottleneck")));
    QCOMPARE(state.cell, std::optional<qint64>(5));
    QVERIFY(window_->panels().is_seen("inspector"));
    canvas->setFocus();
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->chosen(), 6);
    QTest::keyClick(canvas, Qt::Key_Down);
    QCOMPARE(canvas->chosen(), 6 + canvas->vector_layout().across);
    QCOMPARE(window_->panels().picture("alignment").figure().title.isEmpty(), false);
    // Another model has its attention there again.
    Document other = window_->session().document();
    other.model = load_model("date-attention");
    window_->start(other);
    settle();
    QVERIFY(!canvas->isVisible());
  }

  // Whatever room there is: all tiles lie in the vector, and the lines of text above and below it.
  void the_vector_fits_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<int>("numbers");
    for (const QSizeF size : {QSizeF(300, 240), QSizeF(834, 524), QSizeF(1068, 624), QSizeF(1620, 904)})
      for (const int numbers : {1, 7, 128, 1000})
        QTest::addRow("%.0f x %.0f, %d", size.width(), size.height(), numbers) << size << numbers;
  }
  void the_vector_fits() {
    QFETCH(QSizeF, size);
    QFETCH(int, numbers);
    OneVectorLayout::Metrics m;
    m.view = size;
    m.source.assign(12, 1);
    m.output.assign(10, 1);
    m.numbers = numbers;
    const OneVectorLayout layout = OneVectorLayout::of(m);
    QVERIFY(layout.vector.top() > m.source_line && layout.vector.bottom() < layout.output_top);
    QVERIFY(!layout.said.intersects(layout.vector));
    QVERIFY(layout.across * layout.down >= numbers && layout.across * (layout.down - 1) < numbers);
    for (int i = 0; i < numbers; ++i) {
      QVERIFY(layout.vector.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(layout.tile(i)));
      QCOMPARE(layout.number_at(layout.tile(i).center()), i);
    }
    QCOMPARE(layout.number_at(layout.vector.topLeft() - QPointF(1, 1)), -1);
    QVERIFY(layout.source.left() >= 0 && layout.source.right() <= layout.width + 1e-6);
    if (size.width() > 800 && numbers <= 128) QVERIFY(layout.width <= size.width() && layout.height <= size.height());
  }
};

HEADLIGHT_WIDGET_TEST(TestCaptions)

}  // namespace headlight::test_captions

#include "test_captions.moc"
