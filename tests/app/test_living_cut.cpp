// Delete on a ribbon, a head or what a step writes: it is cut, the model runs again, and what that truly changed stands
// beside the share; undo restores the same picture.
#include <QPushButton>
#include <QTest>
#include <algorithm>

#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/views/living/view.h"
#include "widgets/views/origins/origins_view.h"

namespace headlight::test_living_cut {

class TestLivingCut : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;
  LivingView* living_ = nullptr;
  OriginsView* origins_ = nullptr;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const QString& model, const QString& text) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->resize(1280, 800);
    window_->actions()["less_motion"]->setChecked(true);
    Document document;
    document.model = load_model(model.toStdString());
    document.source = text.toStdString();
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    QVERIFY(window_->panels().raise("map"));
    settle();
    living_ = window_->findChild<LivingView*>();
    origins_ = window_->findChild<OriginsView*>();
    QVERIFY(living_ && living_->map() && origins_);
  }
  QImage picture() {
    QImage image = living_->grab().toImage();
    for (int i = 0; i < 500 && !living_->is_sharp(); ++i) {
      QTest::qWait(10);
      image = living_->grab().toImage();
    }
    return living_->grab().toImage();
  }
  // The strongest ribbon into the state of an output that can be cut, what is written there, or the first head.
  LivingSpot spot_of(const QString& what) {
    LivingSpot spot;
    const LivingMap& map = *living_->map();
    if (what == "head") {
      for (int s = 0; s < static_cast<int>(map.stations.size()); ++s)
        for (int p = 0; p < static_cast<int>(map.stations[static_cast<std::size_t>(s)].parts.size()); ++p)
          if (map.stations[static_cast<std::size_t>(s)].parts[static_cast<std::size_t>(p)].heads > 1) {
            spot.what = LivingSpot::What::head;
            spot.station = s;
            spot.part = p;
            spot.head = 1;
          }
      return spot;
    }
    for (const LivingShare& share : living_->strongest()) {
      const RibbonEnds ends = ribbon_ends(map, share);
      if (ends.from == ends.to || cut_of(map, share).empty()) continue;
      spot.what = LivingSpot::What::ribbon;
      spot.station = share.station;
      spot.part = share.part;
      spot.row = share.row;
      spot.column = share.column;
      spot.lane = ends.to;
      break;
    }
    if (what == "written") {
      for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
        const LivingStation& station = map.stations[static_cast<std::size_t>(s)];
        const int part = station.part(LivingPart::Kind::written);
        if (part < 0 || !station.has(living_->choice().lane)) continue;
        spot.what = LivingSpot::What::written;
        spot.station = s;
        spot.part = part;
        spot.row = living_->choice().lane - station.first;
        spot.column = -1;
        spot.lane = living_->choice().lane;
      }
    }
    return spot;
  }

 private slots:
  void cleanup() { window_.reset(); }

  void what_is_deleted_is_cut_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("what");
    for (const auto& [model, text] : std::initializer_list<std::pair<const char*, const char*>>{
             {"story-gpt", "tom in the garden. he carries a red box. he gives"},
             {"tatoeba-transformer", "we did not know that she was ill ."},
             {"masked-bert", "the keys to the old cabinet [MASK] on the table."},
             {"date-attention", "November 22, 2026"},
             {"toy-mt-convs2s", "the girl sees the big red house"}})
      for (const char* what : {"ribbon", "head", "written"}) {
        const bool has = QLatin1String(what) == QLatin1String("ribbon") ||
                         (QLatin1String(model) != QLatin1String("date-attention") &&
                          QLatin1String(model) != QLatin1String("toy-mt-convs2s"));
        if (has) QTest::newRow(qPrintable(QStringLiteral("%1, %2").arg(model, what))) << model << text << what;
      }
  }
  void what_is_deleted_is_cut() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    QFETCH(QString, what);
    open(model, text);
    SelectionState state;
    state.step = 1;
    window_->selection().set(state);
    settle();
    living_->set_cursor(spot_of(what));
    QVERIFY(!living_->cut().empty());
    living_->setFocus();
    const auto before = window_->result();
    const QImage was = picture();
    QVERIFY(!origins_->isVisible());  // it comes by itself
    QTest::keyClick(living_, Qt::Key_Delete);
    settle();
    const auto after = window_->result();
    QVERIFY(!after->interventions.empty());
    QVERIFY(origins_->isVisible());
    // The same token's probability in both runs, as it is written there.
    const auto said = [](double probability) {
      return probability < 0.0005 ? QStringLiteral("< 0.1")
                                  : QString::number(std::min(100 * probability, 99.9), 'f', 1);
    };
    const Tensor all = after->trace->value("decoder.step[1].output.probs");
    QVERIFY(all.defined());
    const QString words = origins_->cut_words();
    QVERIFY2(words.contains(said(before->steps[1].probability) + QStringLiteral(" % sure")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("now %1 %").arg(said(static_cast<double>(all[before->steps[1].id])))),
             qPrintable(words));
    if (what == "ribbon") QVERIFY2(words.section('\n', 0, 0).contains(QStringLiteral(" %")), qPrintable(words));
    QVERIFY(picture() != was);
    // Back: the panel that came makes the picture narrower, so it is put away first.
    window_->session().undo_stack().undo();
    settle();
    QVERIFY(window_->result()->interventions.empty());
    window_->panels().arrange("look");
    window_->panels().put_away("origins");
    settle();
    living_->setFocus();
    QVERIFY(!origins_->isVisible());
    QCOMPARE(picture(), was);
  }

  // *Cut it* cuts the ribbon that is lit, also one that goes into another output than the one that is asked about, one
  // that was chosen before the panel opened, and one whose weight went through the selection.
  void the_button_cuts_what_is_lit() {
    open("story-gpt", "tom in the garden. he carries a red box. he gives");
    SelectionState state;
    state.step = 1;
    window_->selection().set(state);
    settle();
    const std::vector<LivingShare> strongest = living_->strongest();
    QVERIFY(strongest.size() > 3);
    for (std::size_t i = 0, tried = 0; i < strongest.size() && tried < 3; ++i) {
      const LivingShare& share = strongest[strongest.size() - 1 - i];
      const RibbonEnds ends = ribbon_ends(*living_->map(), share);
      const std::vector<Intervention> expected = cut_of(*living_->map(), share);
      if (ends.from == ends.to || expected.empty()) continue;
      ++tried;
      window_->panels().put_away("origins");
      LivingSpot spot;
      spot.what = LivingSpot::What::ribbon;
      spot.station = share.station;
      spot.part = share.part;
      spot.row = share.row;
      spot.column = share.column;
      spot.lane = ends.to;
      QMetaObject::invokeMethod(living_, [&] { living_->setFocus(); });
      living_->set_cursor(spot);
      QTest::keyClick(living_, Qt::Key_Return);  // opens its share: its weight is selected
      settle();
      window_->panels().raise("origins");
      settle();
      auto* button = [&] {
        for (QPushButton* each : origins_->findChildren<QPushButton*>())
          if (each->text() == "Cut it") return each;
        return static_cast<QPushButton*>(nullptr);
      }();
      QVERIFY(button && button->isEnabled());
      QTest::mouseClick(button, Qt::LeftButton);
      settle();
      QCOMPARE(window_->result()->interventions, expected);
      window_->session().undo_stack().undo();
      settle();
    }
  }

  // A model that writes nothing has an effect that can be named.
  void a_cut_in_an_encoder_says_what_it_did() {
    open("masked-bert", "the keys to the old cabinet [MASK] on the table.");
    living_->set_cursor(spot_of("head"));
    living_->setFocus();
    QTest::keyClick(living_, Qt::Key_Delete);
    settle();
    QVERIFY2(!origins_->cut_words().contains("NaN") && !origins_->cut_words().contains("‘’"),
             qPrintable(origins_->cut_words()));
  }

  // Nothing was chosen, and the panel was not open: an output that it goes into is asked about.
  void a_cut_without_a_choice_chooses_an_output() {
    open("story-gpt", "tom in the garden. he carries a red box. he gives");
    living_->setFocus();
    QTest::keyClick(living_, Qt::Key_Escape);
    QCOMPARE(living_->choice().lane, -1);
    living_->set_cursor(spot_of("head"));
    QTest::keyClick(living_, Qt::Key_Delete);
    settle();
    QVERIFY(!window_->result()->interventions.empty());
    QVERIFY(living_->choice().lane >= 0);
    QVERIFY2(origins_->cut_words().contains(QStringLiteral("sure, now")), qPrintable(origins_->cut_words()));
  }

  // F where nothing of the chosen output passes goes on along the state's own largest share.
  void f_goes_on_where_no_flow_is() {
    open("story-gpt", "tom in the garden. he carries a red box. he gives");
    SelectionState state;
    state.step = 0;
    window_->selection().set(state);
    settle();
    LivingSpot last;
    last.what = LivingSpot::What::lane;
    last.lane = static_cast<int>(living_->map()->lanes.size()) - 1;
    living_->set_cursor(last);
    QVERIFY(living_->follow(true));
    QCOMPARE(living_->cursor().what, LivingSpot::What::ribbon);
    QCOMPARE(ribbon_ends(*living_->map(), *living_->chosen_share()).to, last.lane);
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingCut)

}  // namespace headlight::test_living_cut

#include "test_living_cut.moc"
