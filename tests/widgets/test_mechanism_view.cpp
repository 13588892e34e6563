// The mechanism switchboard: controls say what the model has, each change asks for itself, differences are marked.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "model/models/variant.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/segments.h"
#include "widgets/base/selection.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/mechanism/mechanism_settings.h"
#include "widgets/views/mechanism/mechanism_view.h"

namespace headlight::test_mechanism_view {

using Page = MechanismView::Page;
using State = MechanismGridData::State;

namespace {

std::shared_ptr<const Result> run_of(const char* model, const Json& settings = Json::object(),
                                     std::vector<Intervention> edits = {}, const char* source = nullptr) {
  Request request;
  request.model = variant(load_model(model), settings);
  request.source = source ? source : request.model->examples.front();
  request.interventions = std::move(edits);
  request.capture.explain = false;
  return std::make_shared<const Result>(run(request));
}

// What the view asked for.
struct Asked {
  QList<QPair<QString, Json>> settings;
  std::vector<Intervention> added, withdrawn;
  int times = 0;
};

struct Board {
  Selection selection;
  ViewRequests requests;
  MechanismView view{ViewContext{&selection, &requests}};
  Asked asked;
  explicit Board(std::shared_ptr<const Result> result = nullptr, QSize size = {420, 400}) {
    QObject::connect(&requests, &ViewRequests::setting, &view, [this](const QString& key, const Json& value) {
      asked.settings.append({key, value});
    });
    QObject::connect(&requests, &ViewRequests::edits, &view, [this](const auto& added, const auto& withdrawn) {
      asked.added = added;
      asked.withdrawn = withdrawn;
      ++asked.times;
    });
    if (result) view.set_result(std::move(result));
    show_at(view, size);
  }
  QTabWidget* tabs() { return view.findChild<QTabWidget*>(); }
};

}  // namespace

class TestMechanismView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }
  void cleanup() { Theme::instance().set_font_scale(1); }

  // Found by random events: a scroll area looks at the field that had the keyboard on the way to the next control.
  void the_keyboard_passes_settings_without_a_model() {
    ViewRequests requests;
    QWidget around;
    QVBoxLayout column(&around);
    MechanismSettings settings(&requests);
    QLineEdit before;
    column.addWidget(&before);
    column.addWidget(&settings);
    show_at(around, {300, 200});
    before.setFocus();
    QTest::keyClick(&settings, Qt::Key_Tab);
    settings.set_model(load_model("sample_models/date-attention"));
    QWidget* field = nullptr;
    for (auto* each : settings.widget()->findChildren<QWidget*>())
      if (each->isVisible() && each->focusPolicy() & Qt::TabFocus) field = each;
    QVERIFY(field);
    field->setFocus();
    QCOMPARE(settings.focusWidget(), field);
    // The next Tab would go to a field that is gone.
    settings.set_model(nullptr);
    QVERIFY(!settings.focusWidget() && !around.focusWidget());
    QTest::keyClick(&settings, Qt::Key_Tab);
  }

  void cells_and_labels_do_not_overlap_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QSizeF>("view");
    QTest::newRow("heads") << 2 << 4 << QSizeF(340, 300);
    QTest::newRow("large model") << 24 << 16 << QSizeF(340, 220);
    QTest::newRow("long text") << 512 << 512 << QSizeF(640, 420);
    QTest::newRow("one cell") << 1 << 1 << QSizeF(1400, 900);
  }
  void cells_and_labels_do_not_overlap() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(QSizeF, view);
    MechanismGridLayout::Metrics metrics;
    metrics.view = view;
    metrics.rows = rows;
    metrics.columns = columns;
    const MechanismGridLayout layout = MechanismGridLayout::of(metrics);
    using Part = MechanismGridHit::Part;
    QVERIFY(layout.cell >= metrics.least && layout.cell <= metrics.most);
    for (const int r : {0, rows / 2, rows - 1})
      for (const int c : {0, columns / 2, columns - 1}) {
        const QRectF cell = layout.cell_rect(r, c);
        QVERIFY(!cell.intersects(layout.row_label(r)) && !cell.intersects(layout.column_label(c)));
        QCOMPARE(layout.place_at(cell.center()), (MechanismGridHit{Part::cell, r, c}));
        QCOMPARE(layout.place_at(layout.row_label(r).center()), (MechanismGridHit{Part::row, r, -1}));
        QCOMPARE(layout.place_at(layout.column_label(c).center()), (MechanismGridHit{Part::column, -1, c}));
        QVERIFY(cell.right() <= layout.width && cell.bottom() <= layout.height);
      }
    QCOMPARE(layout.place_at({-5, -5}).part, Part::none);
  }

  void which_models_are_offered() {
    for (const char* name : {"date-attention", "date-plain", "story-gpt", "toy-mt-convs2s", "masked-bert"})
      QVERIFY(MechanismView::offers(*run_of(name)));
    QVERIFY(!MechanismView::offers(*run_of("copy-ntm")));
    Board board(run_of("copy-ntm"));
    QVERIFY(!board.tabs()->isVisible());
    QVERIFY_EXCEPTION_THROWN(board.view.export_to("x.png"), UsageError);
    board.view.set_result(run_of("date-attention"));
    QVERIFY(board.tabs()->isVisible());
    QVERIFY(!board.tabs()->isTabVisible(1) && board.tabs()->isTabVisible(2));
    board.view.set_result(run_of("story-gpt"));
    QVERIFY(board.tabs()->isTabVisible(1));
  }

  void choosing_asks_for_the_setting() {
    Board board(run_of("date-attention"));
    auto* segments = qobject_cast<Segments*>(board.view.settings()->control("attention.score"));
    QVERIFY(segments);
    QComboBox* score = segments->list();
    QCOMPARE(score->currentText(), QString("dot"));
    score->setCurrentIndex(score->findText("cosine"));
    emit score->activated(score->currentIndex());
    QCOMPARE(board.asked.settings.size(), 1);
    QCOMPARE(board.asked.settings[0].first, QString("attention.score"));
    QVERIFY(board.asked.settings[0].second == "cosine");
    qobject_cast<QCheckBox*>(board.view.settings()->control("reverse_source"))->click();
    QVERIFY(board.asked.settings[1].first == "reverse_source" && board.asked.settings[1].second == false);
  }

  // A switch of words where all have room, else a list of them; both say the same, and ask for the same.
  void a_few_choices_are_one_switch() {
    Segments segments;
    QSignalSpy chosen(&segments, &Segments::chosen);
    segments.set_choices({{"dot", "d"}, {"scaled", "s"}, {"cosine", "c", false}});
    segments.set_current(1);
    show_at(segments, {500, 40});
    QVERIFY(segments.bar()->isVisible() && !segments.list()->isVisible());
    QVERIFY(segments.bar()->geometry().right() < 500);
    QCOMPARE(segments.bar()->currentIndex(), 1);
    QVERIFY(!segments.bar()->isTabEnabled(2));
    QTest::mouseClick(segments.bar(), Qt::LeftButton, {}, segments.bar()->tabRect(2).center());
    QCOMPARE(chosen.size(), 0);
    QTest::mouseClick(segments.bar(), Qt::LeftButton, {}, segments.bar()->tabRect(0).center());
    QCOMPARE(chosen, (QList<QVariantList>{{0}}));
    segments.resize(segments.bar()->sizeHint().width() - 1, 40);
    QVERIFY(!segments.bar()->isVisible() && segments.list()->isVisible());
    segments.set_current(-1);  // none of them
    QCOMPARE(segments.current(), -1);
    QCOMPARE(chosen.size(), 1);
  }

  void a_slider_asks_while_it_moves() {
    Board board(run_of("date-attention"));
    auto* number = qobject_cast<QDoubleSpinBox*>(board.view.settings()->control("attention.temperature"));
    auto* slider = number->parentWidget()->findChild<QSlider*>();
    QCOMPARE(number->value(), 1.0);
    slider->setSliderDown(true);
    slider->setValue(slider->maximum());
    QVERIFY(board.asked.settings.last().second == 10.0);
    slider->setValue(slider->minimum());
    QVERIFY(board.asked.settings.last().second == 0.1);
    // The result of an earlier place does not pull the slider out of the hand.
    board.view.set_result(run_of("date-attention", {{"attention.temperature", 5.0}}));
    QCOMPARE(slider->value(), slider->minimum());
    // Back where it was trained it is no difference.
    slider->setValue((slider->minimum() + slider->maximum()) / 2);
    QVERIFY(board.asked.settings.last().second == 1.0);
    slider->setSliderDown(false);
  }

  void differences_are_marked_and_taken_back() {
    Board board(run_of("date-attention"));
    QToolButton* reset = board.view.settings()->reset_button("attention.score");
    QVERIFY(!reset->isVisible());
    board.view.set_result(run_of("date-attention", {{"attention.score", "general"}}));
    reset = board.view.settings()->reset_button("attention.score");
    QVERIFY(reset->isVisible());
    QVERIFY(!board.view.settings()->reset_button("attention.reach")->isVisible());
    bool says_trained = false, says_noise = false;
    for (const QLabel* label : board.view.settings()->findChildren<QLabel*>()) {
      says_trained = says_trained || (label->isVisible() && label->text() == "trained: dot");
      says_noise = says_noise || (label->isVisible() && label->text().contains("W_a [128 x 128]"));
    }
    QVERIFY(says_trained && says_noise);
    reset->click();
    QVERIFY(board.asked.settings.last().first == "attention.score" && board.asked.settings.last().second == "dot");
  }

  void what_a_model_cannot_take_cannot_be_chosen() {
    Board board(run_of("toy-mt-bahdanau"));
    auto* score = qobject_cast<Segments*>(board.view.settings()->control("attention.score"))->list();
    const auto* items = qobject_cast<QStandardItemModel*>(score->model());
    QVERIFY(!items->item(score->findText("dot"))->isEnabled());
    QVERIFY(items->item(score->findText("dot"))->toolTip().contains("queries have 64 and keys 128"));
    QVERIFY(items->item(score->findText("general"))->isEnabled());
  }

  void heads_are_switched() {
    Board board(run_of("story-gpt"));
    board.view.show_page(Page::heads);
    MechanismGrid* grid = board.view.heads()->grid();
    QCOMPARE(grid->shown().rows, 2);
    QCOMPARE(grid->shown().columns, 4);
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, grid->grid_layout().cell_rect(1, 2).center().toPoint());
    QCOMPARE(board.asked.added.size(), std::size_t{2});
    QCOMPARE(board.asked.added[0].site, std::string("decoder.layer[1].self_attn.head[2].out"));
    const auto edits = board.asked.added;
    board.view.set_result(run_of("story-gpt", Json::object(), edits));
    QVERIFY(grid->shown().at(1, 2) == State::off && grid->shown().is_edited(1, 2));
    QVERIFY(grid->shown().at(1, 1) == State::on);
    QVERIFY(grid->accessibleDescription().contains("layer 2") && grid->accessibleDescription().contains("off"));
    QTest::keyClick(grid, Qt::Key_Space);
    QVERIFY(board.asked.withdrawn == edits && board.asked.added.empty());
    QTest::keyClick(grid, Qt::Key_Space, Qt::ShiftModifier);  // the rest of the row goes off
    QCOMPARE(board.asked.added.size(), std::size_t{6});
    QTest::keyClick(grid, Qt::Key_Space, Qt::ControlModifier);  // of the column the other layer
    QCOMPARE(board.asked.added.size(), std::size_t{2});
  }

  void cells_of_a_drag_are_one_change() {
    Board board(run_of("date-transformer"));
    board.view.show_page(Page::mask);
    board.view.mask()->set_mask(AttentionMap::Kind::encoder_self, AttentionMask::kAllLayers);
    MechanismGrid* grid = board.view.mask()->grid();
    const auto at = [&](int row, int column) { return grid->grid_layout().cell_rect(row, column).center().toPoint(); };
    QTest::mousePress(grid->viewport(), Qt::LeftButton, {}, at(2, 1));
    for (const int column : {2, 3, 2}) QTest::mouseMove(grid->viewport(), at(2, column));
    QCOMPARE(board.asked.times, 0);
    QTest::mouseRelease(grid->viewport(), Qt::LeftButton, {}, at(2, 3));
    QCOMPARE(board.asked.times, 1);
    QCOMPARE(board.asked.added.size(), std::size_t{3});
    QCOMPARE(to_text(board.asked.added[0]), std::string("encoder.layer[*].self_attn.keep[2,1]=0"));
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, grid->grid_layout().column_label(4).center().toPoint());
    QCOMPARE(board.asked.added.size(), std::size_t{1});
    QCOMPARE(to_text(board.asked.added[0]), std::string("encoder.layer[*].self_attn.keep[:,4]=0"));
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, grid->grid_layout().row_label(3).center().toPoint());
    QCOMPARE(to_text(board.asked.added[0]), std::string("encoder.layer[*].self_attn.keep[3,:]=0"));
  }

  void masks_of_the_menu() {
    Board board(run_of("masked-bert"));
    board.view.show_page(Page::mask);
    const auto trigger = [&](const QString& start) {
      emit board.view.mask()->presets()->aboutToShow();
      for (QAction* action : board.view.mask()->presets()->actions())
        if (action->text().startsWith(start)) return action->trigger();
      QFAIL(qPrintable(start));
    };
    trigger("Causal");
    QCOMPARE(board.asked.added.size(), std::size_t{1});
    QCOMPARE(to_text(board.asked.added[0]), std::string("encoder.layer[*].self_attn.keep[j-i>0]=0"));
    board.view.set_result(run_of("masked-bert", Json::object(), board.asked.added));
    const MechanismGridData& shown = board.view.mask()->grid()->shown();
    for (int row = 0; row < shown.rows; ++row)
      for (int column = 0; column < shown.columns; ++column)
        QVERIFY((shown.at(row, column) == State::on) == (column <= row));
    trigger("Window: at most 2");
    QCOMPARE(to_text(board.asked.added[0]), std::string("encoder.layer[*].self_attn.keep[|j-i|>2]=0"));
    QCOMPARE(board.asked.withdrawn.size(), std::size_t{1});
    trigger("None");
    QVERIFY(board.asked.added.empty());
    QCOMPARE(board.asked.withdrawn.size(), std::size_t{1});
  }

  void selection_is_shared() {
    Board board(run_of("date-attention"));
    board.view.show_page(Page::mask);
    SelectionState state;
    state.step = 3;
    state.source_token = 5;
    board.selection.set(state);
    QCOMPARE(board.view.mask()->grid()->cursor(), QPoint(5, 3));
    QTest::keyClick(board.view.mask()->grid(), Qt::Key_Right);
    QCOMPARE(board.selection.state().source_token, std::optional(6));
  }

  void a_hidden_panel_does_nothing() {
    Board board(run_of("date-attention"));
    board.view.hide();
    board.view.set_result(run_of("date-attention", {{"attention.score", "general"}}));
    QVERIFY(!board.view.settings()->reset_button("attention.score")->isVisibleTo(&board.view));
    board.view.show();
    QVERIFY(board.view.settings()->reset_button("attention.score")->isVisibleTo(&board.view));
  }

  void exports_pictures_and_tables() {
    QTemporaryDir folder;
    Board board(run_of("date-transformer"));
    for (const Page page : {Page::settings, Page::heads, Page::mask}) {
      board.view.show_page(page);
      for (const char* name : {"a.png", "a.svg", "a.pdf", "a.csv"}) {
        board.view.export_to(folder.filePath(name));
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 20);
      }
    }
    board.view.show_page(Page::settings);
    board.view.export_to(folder.filePath("s.csv"));
    QFile file(folder.filePath("s.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("window,Window,everything,everything"));
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString mode = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Board board(run_of("date-attention", {{"attention.score", "general"}, {"attention.temperature", 2.5}}), {460, 480});
    COMPARE_IMAGE(board.view, "mechanism_settings_" + mode);
    const auto plain = run_of("date-transformer", Json::object(), {}, "21 NOV 2026");
    std::vector<Intervention> edits = head_off(*plain, AttentionMap::Kind::encoder_self, 1, 2);
    edits.push_back(parse_intervention("encoder.layer[*].self_attn.keep[|j-i|>3]=0"));
    board.view.set_result(run_of("date-transformer", Json::object(), edits, "21 NOV 2026"));
    board.view.heads()->set_kind(AttentionMap::Kind::encoder_self);
    board.view.show_page(Page::heads);
    QCoreApplication::processEvents();
    COMPARE_IMAGE(board.view, "mechanism_heads_" + mode);
    board.view.show_page(Page::mask);
    board.view.mask()->set_mask(AttentionMap::Kind::encoder_self, AttentionMask::kAllLayers);
    QCoreApplication::processEvents();
    COMPARE_IMAGE(board.view, "mechanism_mask_" + mode);
  }

  void its_tabs_begin_where_everything_does() {
    Board board(run_of("date-attention"));
    const auto* bar = board.tabs()->findChild<QTabBar*>();
    double left = 1e9;
    for (const RecordedText& text : texts_of(&board.view))
      if (text.text == bar->tabText(0)) left = std::min(left, text.place.left());
    QVERIFY2(std::abs(left - space::kMargin) <= 2, qPrintable(QString::number(left)));
  }
};

HEADLIGHT_WIDGET_TEST(TestMechanismView)

}  // namespace headlight::test_mechanism_view

#include "test_mechanism_view.moc"
