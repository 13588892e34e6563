// The controls of decoding, draws, guesses at hidden words, and what clicks on them ask for.
#include <QAbstractButton>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "sample_result.h"
#include "tests/test_program.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/text/output_text.h"
#include "widgets/views/output/output_beam_view.h"
#include "widgets/views/output/output_decoding_bar.h"
#include "widgets/views/output/output_draw.h"
#include "widgets/views/output/output_guesses.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/output/output_view.h"

namespace headlight::test_output_panel {

namespace {

using Kind = DecodeSettings::Kind;

// Four tokens of logits 0, log 2, log 5, log 2 and a start sign that is never drawn: probabilities .1 .2 .5 .2 in the
// order of ids.
std::shared_ptr<Result> drawn_result(const SamplingSettings& sampling, double u, TokenId id, Index kept) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text.source = bundle->text.target = Tokenizer(Vocabulary({"a", "b", "c", "d", "<bos>", "<pad>"}));
  bundle->text.bos = 4;
  bundle->text.pad = 5;
  auto made = std::make_shared<Result>();
  made->model = bundle;
  made->decode.kind = Kind::sample;
  made->decode.sampling = sampling;
  Recorder recorder(Capture{{}, false}, {});
  const auto log_of = [](double x) { return static_cast<Scalar>(std::log(x)); };
  recorder.tap()(SitePath(SitePath("decoder"), "step", 0), "output.logits",
                 Tensor::vector({0, log_of(2), log_of(5), log_of(2), log_of(100), log_of(100)}));
  made->trace = recorder.finish({});
  OutputStep step;
  step.id = id;
  step.text = bundle->target_vocabulary().text(id);
  step.u = u;
  step.kept = kept;
  made->steps.push_back(step);
  return made;
}

// "the ___ are on the table" by a model that guesses words: bundled, for hand-made models have no architecture.
std::shared_ptr<const Result> masked_result(const std::string& source) {
  static const auto model = load_model("sample_models/masked-bert");
  Request request;
  request.model = model;
  request.source = source;
  return std::make_shared<const Result>(run(request));
}

struct Shown {
  Selection selection;
  ViewRequests requests;
  OutputPanel panel{{&selection, &requests}};
  QSignalSpy decodings{&requests, &ViewRequests::decoding}, targets{&requests, &ViewRequests::target},
      sources{&requests, &ViewRequests::source};
  explicit Shown(std::shared_ptr<const Result> result, QSize size = {560, 320}) {
    panel.set_result(std::move(result));
    show_at(panel, size);
  }
  template <class T>
  T* control(const QString& name) {
    for (T* each : panel.findChildren<T*>())
      if (each->accessibleName() == name) return each;
    qFatal("no control '%s'", qPrintable(name));
  }
  DecodeSettings asked() const { return decodings.last().at(0).value<DecodeSettings>(); }
  quint64 seed() const { return decodings.last().at(1).toULongLong(); }
};

std::shared_ptr<Result> with(Kind kind, std::uint64_t seed = 7) {
  auto result = std::make_shared<Result>(*sample::result());
  result->decode.kind = kind;
  result->seed = seed;
  return result;
}

QString target_of(const QSignalSpy& spy) { return spy.last().first().value<std::optional<QString>>().value_or("-"); }

}  // namespace

class TestOutputPanel : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    Theme::instance().set_font_scale(1);
  }

  void the_temperature_slider_is_even_in_the_logarithm() {
    QCOMPARE(DecodingBar::temperature_at(0), 0.0);
    QCOMPARE(DecodingBar::temperature_at(1), 0.1);
    QCOMPARE(DecodingBar::temperature_at(100), 2.0);
    // 0.1 · 20^(49.5 / 99) = 0.447: in the middle stands the geometric mean.
    QVERIFY(std::abs(DecodingBar::temperature_at(50) - 0.447) < 0.015);
    bool one = false;
    for (int place = 0; place <= 100; ++place) {
      QVERIFY(place == 0 || DecodingBar::temperature_at(place) >= DecodingBar::temperature_at(place - 1));
      QVERIFY(std::abs(DecodingBar::place_of_temperature(DecodingBar::temperature_at(place)) - place) <= 1);
      one = one || DecodingBar::temperature_at(place) == 1;
    }
    QVERIFY(one);
    QCOMPARE(DecodingBar::place_of_temperature(5), 100);
  }

  void only_what_the_choice_needs_is_shown() {
    Shown shown(with(Kind::greedy));
    const auto seen = [&](const char* name) {
      for (QWidget* each : shown.panel.decoding_bar()->findChildren<QWidget*>())
        if (each->accessibleName() == name) return each->isVisible();
      return false;
    };
    QVERIFY(!seen("temperature") && !seen("beams") && seen("Decoding"));
    shown.panel.set_result(with(Kind::sample));
    QVERIFY(seen("temperature") && seen("top-k") && seen("top-p") && seen("seed") && seen("Draw again"));
    QVERIFY(!seen("beams") && !seen("coverage"));
    auto beam = with(Kind::beam);
    shown.panel.set_result(beam);
    QVERIFY(!seen("temperature") && seen("beams") && seen("length") && seen("coverage"));
    QVERIFY(seen("α of the length penalty"));
    beam->decode.beam.length_norm = LengthNorm::none;
    shown.panel.set_result(std::make_shared<Result>(*beam));
    QVERIFY(!seen("α of the length penalty"));
  }

  void every_change_is_asked_for_at_once() {
    Shown shown(with(Kind::greedy));
    shown.control<QTabBar>("Decoding")->setCurrentIndex(static_cast<int>(Kind::sample));
    QCOMPARE(shown.asked().kind, Kind::sample);
    QCOMPARE(shown.seed(), quint64{7});
    auto* temperature = shown.control<QSlider>("temperature");
    temperature->setSliderDown(true);
    temperature->setSliderPosition(90);
    QCOMPARE(shown.asked().sampling.temperature, DecodingBar::temperature_at(90));
    temperature->setSliderPosition(0);
    QCOMPARE(shown.asked().sampling.temperature, 0.0);
    temperature->setSliderDown(false);
    shown.control<QSpinBox>("top-k")->setValue(3);
    QCOMPARE(shown.asked().sampling.top_k, Index{3});
    shown.control<QDoubleSpinBox>("top-p")->setValue(0.9);
    QCOMPARE(shown.asked().sampling.top_p, 0.9);
    shown.control<QSpinBox>("seed")->setValue(41);
    QCOMPARE(shown.seed(), quint64{41});
    shown.control<QToolButton>("Draw again")->click();
    QCOMPARE(shown.seed(), quint64{42});
    shown.control<QTabBar>("Decoding")->setCurrentIndex(static_cast<int>(Kind::beam));
    shown.control<QSpinBox>("beams")->setValue(16);
    shown.control<QDoubleSpinBox>("α of the length penalty")->setValue(0.6);
    shown.control<QDoubleSpinBox>("coverage")->setValue(0.2);
    QCOMPARE(shown.asked().kind, Kind::beam);
    QCOMPARE(shown.asked().beam.width, Index{16});
    QCOMPARE(shown.asked().beam.alpha, 0.6);
    QCOMPARE(shown.asked().beam.beta, 0.2);
    QCOMPARE(shown.asked().sampling.top_k, Index{3});  // nothing else is forgotten
    QVERIFY(shown.targets.isEmpty() && shown.sources.isEmpty());
  }

  void what_the_result_used_is_shown_and_not_asked_for_again() {
    auto result = with(Kind::sample, 123);
    result->decode.sampling.temperature = 0.77;
    result->decode.sampling.top_p = 0.123;
    Shown shown(result);
    QCOMPARE(shown.decodings.size(), 0);
    QCOMPARE(shown.control<QSpinBox>("seed")->value(), 123);
    QCOMPARE(shown.control<QSlider>("temperature")->value(), DecodingBar::place_of_temperature(0.77));
    shown.control<QSpinBox>("top-k")->setValue(2);
    QCOMPARE(shown.asked().sampling.temperature, 0.77);  // exact, although the slider has no such place
    QCOMPARE(shown.asked().sampling.top_p, 0.123);
  }

  void beam_search_waits_for_the_end_of_edits() {
    auto result = with(Kind::greedy);
    result->interventions.push_back(parse_intervention("encoder.step[0].lstm.h[0]=1"));
    Shown shown(result);
    auto* kinds = shown.control<QTabBar>("Decoding");
    const int beam = static_cast<int>(Kind::beam);
    QVERIFY(!kinds->isTabEnabled(beam));
    QVERIFY(kinds->tabToolTip(beam).contains("Not while values of the run are edited"));
    shown.panel.set_result(with(Kind::greedy));
    QVERIFY(kinds->isTabEnabled(beam));
  }

  void a_forced_output_can_be_taken_back() {
    auto result = with(Kind::sample);
    result->target = "1994";
    Shown shown(result);
    QVERIFY(!shown.control<QSlider>("temperature")->isVisible());
    for (auto* button : shown.panel.findChildren<QPushButton*>())
      if (button->isVisible()) button->click();
    QCOMPARE(shown.targets.size(), 1);
    QVERIFY(!shown.targets.last().first().value<std::optional<QString>>());
    // A beginning leaves the rest to the model.
    result->prefix = true;
    shown.panel.set_result(std::make_shared<Result>(*result));
    QVERIFY(shown.control<QSlider>("temperature")->isVisible());
  }

  void a_candidate_is_forced() {
    Shown shown(with(Kind::greedy));
    OutputView* list = shown.panel.list();
    QSignalSpy candidates(list, &OutputView::candidateActivated), beginnings(&shown.requests, &ViewRequests::beginning);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->output_layout().candidate_rect(6, 1).center().toPoint());
    QCOMPARE(candidates.size(), 1);
    QVERIFY(shown.targets.isEmpty());
    QCOMPARE(beginnings.size(), 1);
    QCOMPARE(beginnings[0][0].toString(), QString("1994-00"));  // "0" is the second at step 6
    // To keep the rest as it was is the other choice.
    const QPoint at = list->output_layout().candidate_rect(6, 1).center().toPoint();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, list->viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(list->viewport(), &event);
    auto* menu = shown.panel.findChild<QMenu*>();
    QVERIFY(menu);
    menu->actions()[1]->trigger();
    menu->close();
    QCOMPARE(target_of(shown.targets), QString("1994-00-27"));
  }

  // Words are written with spaces between them; an end sign in the middle ends the text, another word at its place goes
  // on.
  void targets_are_spelled_as_the_model_reads_them() {
    auto bundle = std::make_shared<ModelBundle>();
    bundle->text.source = bundle->text.target =
        Tokenizer(Vocabulary({"<pad>", "<bos>", "<eos>", "a", "b", "c"}), TokenizerKind::words);
    bundle->text.eos = 2;
    Result result;
    result.model = bundle;
    for (const TokenId id : {3, 4, 2}) result.steps.push_back({id, bundle->target_vocabulary().text(id), 1, {}});
    QCOMPARE(*with_candidate(result, 0, 5), QString("c b"));
    QCOMPARE(*with_candidate(result, 1, 2), QString("a"));
    QCOMPARE(*with_candidate(result, 2, 5), QString("a b c"));
    QVERIFY(!with_candidate(result, 0, 2));
    QVERIFY(!with_candidate(result, 3, 5));
  }

  void a_draw_is_laid_out_by_ids() {
    const auto draw = output_draw(*drawn_result({}, 0.55, 2, 4), 0);
    QVERIFY(draw);
    QCOMPARE(draw->kept, 4);
    QCOMPARE(draw->parts.size(), std::size_t{4});
    const double ends[] = {0.1, 0.3, 0.8, 1.0};
    for (std::size_t i = 0; i < 4; ++i) {
      QVERIFY(std::abs(draw->parts[i].to - ends[i]) < 1e-6);
      QCOMPARE(draw->parts[i].written, i == 2);
    }
    QVERIFY(std::abs(draw->share - 0.5) < 1e-6);
    QVERIFY(draw->parts[2].from <= draw->u && draw->u < draw->parts[2].to);
  }

  // Of the two best, c and b (before d, of the same probability): 2/7 and 5/7.
  void a_draw_shows_what_was_kept_only() {
    SamplingSettings sampling;
    sampling.top_k = 2;
    const auto draw = output_draw(*drawn_result(sampling, 0.2, 1, 2), 0);
    QCOMPARE(draw->parts.size(), std::size_t{2});
    QVERIFY(std::abs(draw->parts[0].to - 2.0 / 7) < 1e-6);
    QVERIFY(draw->parts[0].written);
  }

  void nothing_was_drawn_for_other_runs() {
    auto result = drawn_result({}, 0.55, 2, 4);
    result->decode.kind = Kind::greedy;
    QVERIFY(!output_draw(*result, 0));
    result->decode.kind = Kind::sample;
    QVERIFY(output_draw(*result, 0));
    result->steps[0].kept = 0;  // forced
    QVERIFY(!output_draw(*result, 0));
    result->steps[0].kept = 4;
    result->trace.reset();
    QVERIFY(!output_draw(*result, 0));
  }

  void a_sampled_list_tells_how_it_was_drawn() {
    Shown shown(drawn_result({}, 0.55, 2, 4));
    QVERIFY(shown.panel.list()->output_layout().metrics.draw_height > 0);
    const QString tip = shown.panel.list()->place_tooltip({0, -1});
    QVERIFY2(
        tip.contains("Tokens it could be drawn from: 4.") && tip.contains("number 0.55 fell") && tip.contains("50.0 %"),
        qPrintable(tip));
  }

  // 34 px for each candidate: seven have room where five would do.
  void more_candidates_are_shown_where_there_is_room() {
    OutputLayout::Metrics metrics;
    metrics.width = 400;
    metrics.height = 8 + 16 + 34 + 2 * 4 + 7 * 34 - 4 + 8;
    QCOMPARE(OutputLayout::fitting(10, 5, metrics), 7);
    QCOMPARE(OutputLayout::fitting(6, 5, metrics), 6);
    metrics.height = 50;
    QCOMPARE(OutputLayout::fitting(10, 5, metrics), 5);
    QCOMPARE(OutputLayout::fitting(3, 5, metrics), 3);
    metrics.draw_height = 20;
    metrics.height = 500;
    const OutputLayout layout = OutputLayout::of({40, 40}, 6, metrics);
    QVERIFY(layout.draw_rect(1).top() >= layout.chip_rect(1).bottom());
    QVERIFY(layout.candidate_rect(1, 0).top() >= layout.draw_rect(1).bottom());
    QCOMPARE(layout.place_at(layout.draw_rect(1).center()), (OutputHit{1, -1}));
  }

  void tree_and_list_take_turns() {
    auto result = with(Kind::beam);
    auto tree = std::make_shared<BeamTree>();
    tree->steps.push_back({{BeamHypothesis{BeamHypothesis::Fate::finished, 1, -1, -0.1, -0.1, {}, {}}}});
    tree->best.push_back({0, 0, {1}, -0.1, -0.1, false});
    result->beam = tree;
    Shown shown(result);
    QCOMPARE(shown.panel.page(), OutputPanel::Page::tree);
    QVERIFY(shown.panel.tree()->isVisible());
    QVERIFY(!shown.panel.list()->table_model()->result());  // no work for what nobody sees
    shown.panel.show_list(true);
    QCOMPARE(shown.panel.page(), OutputPanel::Page::list);
    QCOMPARE(shown.panel.list()->table_model()->rowCount(), 10);
    shown.panel.show_list(false);
    shown.panel.set_result(with(Kind::greedy));
    QCOMPARE(shown.panel.page(), OutputPanel::Page::list);
  }

  void hidden_words_are_guessed() {
    const auto result = masked_result("the ___ are on the table");
    const auto words = hidden_words(*result);
    QCOMPARE(words.size(), std::size_t{1});
    QCOMPARE(words[0].token, 1);
    QVERIFY(words[0].guesses.size() >= 7 && words[0].guesses.size() <= 10);
    for (std::size_t i = 1; i < words[0].guesses.size(); ++i)
      QVERIFY(words[0].guesses[i].probability <= words[0].guesses[i - 1].probability);
    // The entropy of all guesses lies between that of a sure model and that of one that knows nothing.
    QVERIFY(words[0].entropy);
    QVERIFY(*words[0].entropy > 0 &&
            *words[0].entropy < std::log(static_cast<double>(result->model->target_vocabulary().size())));
    QCOMPARE(with_guess(*result, 1, words[0].guesses[0].id),
             "the " + QString::fromStdString(words[0].guesses[0].text) + " are on the table");
  }

  // e^H: H = log 2 is like a choice among two, log 20 among 20.
  void entropy_is_said_in_words() {
    QCOMPARE(certainty_in_words(0), QString("almost certain"));
    QCOMPARE(certainty_in_words(std::log(2.0)), QString("quite sure: like a choice among 2.0 words"));
    QCOMPARE(certainty_in_words(std::log(5.0)), QString("torn: like a choice among 5.0 words"));
    QCOMPARE(certainty_in_words(std::log(20.0)), QString("unsure: like a choice among 20 words"));
  }

  void cards_stand_side_by_side_without_overlaps() {
    GuessesLayout::Metrics metrics;
    metrics.width = 520;
    const GuessesLayout layout = GuessesLayout::of(3, 10, metrics);
    QCOMPARE(layout.columns, 2);
    QCOMPARE(layout.card_width, 248.0);  // (520 − 16 − 8) / 2
    QCOMPARE(layout.card(2).topLeft(), QPointF(8, 8 + 2 * 8 + 12 * 22 + 8));
    QVERIFY(!layout.card(0).intersects(layout.card(1)) && !layout.card(0).intersects(layout.card(2)));
    for (int card = 0; card < 3; ++card) {
      QCOMPARE(layout.place_at(layout.sentence(card).center()), (GuessHit{card, -1}));
      for (int rank = 0; rank < 10; ++rank) {
        QCOMPARE(layout.place_at(layout.guess(card, rank).center()), (GuessHit{card, rank}));
        QVERIFY(layout.card(card).contains(layout.guess(card, rank)));
      }
    }
    QCOMPARE(layout.place_at({1, 1}), GuessHit{});
    metrics.width = 150;  // narrower than a card: never wider than the view
    QCOMPARE(GuessesLayout::of(2, 10, metrics).card_width, 134.0);
  }

  void a_guess_is_written_into_the_text() {
    const auto result = masked_result("the ___ are on the ___");
    Shown shown(result, {560, 420});
    QCOMPARE(shown.panel.page(), OutputPanel::Page::guesses);
    QVERIFY(!shown.panel.decoding_bar()->isVisible());
    GuessesView* view = shown.panel.guesses();
    const auto words = hidden_words(*result);
    QCOMPARE(words.size(), std::size_t{2});
    const auto text = [&](std::size_t card, std::size_t rank) {
      return QString::fromStdString(words[card].guesses[rank].text);
    };
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->guesses_layout().guess(0, 1).center().toPoint());
    QCOMPARE(shown.sources.last().first().toString(), QString("the %1 are on the ___").arg(text(0, 1)));
    QCOMPARE(shown.selection.state().source_token, std::optional(1));
    view->setFocus(Qt::TabFocusReason);
    QTest::keyClick(view, Qt::Key_Right);
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(view->cursor(), (GuessHit{1, 0}));
    QVERIFY(view->accessibleDescription().startsWith("Guess 1 for hidden word 2"));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(shown.sources.last().first().toString(), QString("the ___ are on the %1").arg(text(1, 0)));
    QVERIFY(shown.targets.isEmpty());
    // In the list, a click on a candidate does the same.
    shown.panel.show_list(true);
    OutputView* list = shown.panel.list();
    const TokenId other = result->steps[1].top[2].id;
    emit list->candidateActivated(1, static_cast<int>(other));
    QCOMPARE(
        shown.sources.last().first().toString(),
        QString("the %1 are on the ___").arg(QString::fromStdString(result->model->target_vocabulary().text(other))));
    shown.panel.show_list(false);
    shown.panel.set_result(masked_result("the cat is on the table"));
    QVERIFY(view->accessibleName().contains("none"));
    view->grab();
  }

  void pages_are_exported() {
    QTemporaryDir folder;
    Shown shown(masked_result("the ___ are on the table"));
    shown.panel.export_to(folder.filePath("guesses.csv"));
    QFile file(folder.filePath("guesses.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine().trimmed(), QByteArray("token,rank,guess,probability,entropy"));
    QVERIFY(file.readLine().startsWith("1,1,"));
    shown.panel.export_to(folder.filePath("guesses.svg"));
    QVERIFY(QFileInfo(folder.filePath("guesses.svg")).size() > 500);
    shown.panel.set_result(masked_result("the cat is on the table"));
    QVERIFY_EXCEPTION_THROWN(shown.panel.export_to(folder.filePath("none.png")), UsageError);
    shown.panel.show_list(true);
    shown.panel.export_to(folder.filePath("list.csv"));
    QVERIFY(QFile::exists(folder.filePath("list.csv")));
  }

  void nothing_is_done_while_hidden() {
    Selection selection;
    ViewRequests requests;
    OutputPanel panel({&selection, &requests});
    panel.set_result(with(Kind::greedy));
    QVERIFY(!panel.list()->table_model()->result());
    show_at(panel, {400, 300});
    QVERIFY(panel.list()->table_model()->result());
    panel.set_result(nullptr);
    panel.grab();
  }

  // Three boxes of 60 and a gap of 10: two lines in 150, one in 200.
  void controls_flow_into_lines() {
    QWidget box;
    auto* flow = new FlowLayout(&box, 10, 5);
    for (int i = 0; i < 3; ++i) {
      auto* widget = new QWidget(&box);
      widget->setFixedSize(60, 20);
      flow->addWidget(widget);
    }
    QCOMPARE(flow->heightForWidth(200), 20);
    QCOMPARE(flow->heightForWidth(150), 45);
    QCOMPARE(flow->heightForWidth(60), 70);
    flow->setGeometry({0, 0, 150, 100});
    QCOMPARE(flow->itemAt(1)->geometry().topLeft(), QPoint(70, 0));
    QCOMPARE(flow->itemAt(2)->geometry().topLeft(), QPoint(0, 25));
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
    auto drawn = drawn_result({}, 0.55, 2, 4);
    drawn->steps[0].top = {{2, "c", 0.5}, {1, "b", 0.2}, {3, "d", 0.2}, {0, "a", 0.1}};
    Shown sampled(drawn, {520, 300});
    COMPARE_IMAGE(sampled.panel, "output_panel_sample_" + mode);
    Shown guessed(masked_result("the ___ are on the table"), {420, 330});
    COMPARE_IMAGE(guessed.panel, "output_panel_guesses_" + mode);
  }
};

HEADLIGHT_WIDGET_TEST(TestOutputPanel)

}  // namespace headlight::test_output_panel

#include "test_output_panel.moc"
