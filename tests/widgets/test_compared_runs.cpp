// Comparing two runs: which run is the reference, which other runs are asked for, and what it says where there is none.

#include <QComboBox>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/compare_runs.h"
#include "tests/widgets/image_test.h"
#include "widgets/views/compare/compare_pictures.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight::test_compared_runs {

using namespace compared;

class TestComparedRuns : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void says_why_it_is_empty() {
    Setup s;
    show_at(s.view, {640, 420});
    QVERIFY(s.view.message().contains("Type a source"));
    s.view.set_result(before());
    QVERIFY(s.view.message().contains("Nothing has changed yet"));
    QVERIFY(!s.view.shown_reference());
    QVERIFY_EXCEPTION_THROWN(s.view.export_to("/tmp/none.png"), UsageError);
    s.view.set_reference(CompareView::Reference::variant);
    QVERIFY(s.view.message().contains("No run is kept"));
    s.view.set_reference(CompareView::Reference::trained);
    QVERIFY(s.view.message().contains("Nothing is changed"));
    s.view.set_reference(CompareView::Reference::model);
    QVERIFY(s.view.message().contains("Choose another model"));
    QVERIFY(s.wanted.isEmpty());
  }

  // r1, r2, r3 are typed at once, then a pause, then r4 and r5: those are compared with r3.
  void the_run_before_is_the_one_before_the_typing() {
    Setup s;
    show_at(s.view, {900, 420});
    const char* texts[] = {"1", "19", "199", "1994", "1994 "};
    std::vector<std::shared_ptr<const Result>> runs;
    for (const char* text : texts) runs.push_back(run_of(text, "1994-09-27"));
    s.view.set_pause(1'000'000);
    for (int i = 0; i < 3; ++i) s.view.set_result(runs[static_cast<std::size_t>(i)]);
    QCOMPARE(s.view.shown_reference(), runs[0]);  // there was none before
    s.view.set_pause(0);
    s.view.set_result(runs[3]);
    QCOMPARE(s.view.shown_reference(), runs[2]);
    s.view.set_pause(1'000'000);
    s.view.set_result(runs[4]);
    QCOMPARE(s.view.shown_reference(), runs[2]);
    QCOMPARE(s.view.shown_result(), runs[4]);
    s.view.set_pause(0);
    s.view.set_result(run_of("1994 ", "1994-09-27"));  // the same question again is no change
    QCOMPARE(s.view.shown_reference(), runs[2]);
  }

  void another_model_is_another_document() {
    Setup s;
    show_at(s.view, {900, 420});
    s.view.set_pause(1'000'000);
    s.view.set_result(run_of("1", "1994-09-27"));
    s.view.set_result(run_of("19", "1994-09-27"));
    const auto last = run_of("199", "1994-09-27");
    s.view.set_result(last);
    s.view.set_result(sample::result());  // has a bundle of its own
    QCOMPARE(s.view.shown_reference(), last);
  }

  void a_variant_stays() {
    Setup s;
    show_at(s.view, {900, 420});
    const auto first = before();
    s.view.set_result(first);
    s.view.keep("as it began");
    s.view.set_pause(0);
    auto last = std::make_shared<Result>(*first);
    last->interventions = {Intervention{}};
    s.view.set_result(last);
    QCOMPARE(s.view.shown_reference(), first);
    QVERIFY(s.view.reference() == CompareView::Reference::variant);
    // A second one; both are offered by their names, and the first can be chosen again.
    s.view.keep("later");
    QCOMPARE(s.view.shown_reference(), last);
    auto* box = s.view.findChildren<QComboBox*>()[0];
    QCOMPARE(box->currentText(), QString("later"));
    box->setCurrentIndex(box->findText("as it began"));
    emit box->activated(box->currentIndex());
    QCOMPARE(s.view.shown_reference(), first);
    QVERIFY(s.view.pictures()->title(0).name.startsWith("as it began"));
    // Forgotten, it is offered no longer.
    s.view.forget(0);
    QVERIFY(box->findText("as it began") < 0 && box->findText("later") >= 0);
    QCOMPARE(s.view.variants().size(), std::size_t(1));
    for (int i = 0; i < 20; ++i) s.view.keep(QString::number(i));
    QCOMPARE(s.view.variants().size(), CompareView::kMostVariants);
    QCOMPARE(s.view.variants().back().name, QString("19"));
  }

  // What is kept is the model with its changes: it reads the text that is read now.
  void a_variant_follows_the_text() {
    Setup s;
    show_at(s.view, {900, 420});
    auto first = std::make_shared<Result>(*before());
    first->interventions = {Intervention{}};
    s.view.set_result(first);
    s.view.keep("kept");
    s.view.set_pause(0);
    s.view.set_result(run_of("june", "1994-09-27"));
    const Request asked = s.last_wanted().at(0);
    QCOMPARE(asked.source, std::string("june"));
    QCOMPARE(asked.interventions, first->interventions);
    QVERIFY(asked.model == first->model && !asked.target);
  }

  // Models that a person opened are listed behind the bundled ones, and the last entry opens another. What has nothing
  // in common with the newest run is no default: neither a model of another task, nor the run before, nor a text of it.
  void defaults_compare_what_can_be_compared() {
    Setup s;
    const auto described = [](const char* folder, const char* task) {
      auto made = std::make_shared<ModelBundle>();
      made->folder = folder;
      made->title = folder;
      made->task = task;
      made->examples = {std::string("a text of ") + folder};
      return made;
    };
    s.view.set_models({{described("/models/copy", "copy"), {}}, {described("/models/copy-2", "copy"), {}}});
    s.view.add_opened({{described("/home/mine", ""), {}}, {described("/models/copy", "copy"), {}}});
    auto* box = s.view.findChildren<QComboBox*>()[1];
    QCOMPARE(box->count(), 4);
    QCOMPARE(box->itemText(2), QString("/home/mine"));
    QCOMPARE(box->itemText(3), QString("Open…"));
    QSignalSpy opens(&s.view, &CompareView::openWanted);
    emit box->activated(3);
    QCOMPARE(opens.count(), 1);
    QVERIFY(box->currentIndex() < 0);
    show_at(s.view, {900, 420});
    const auto run_in = [](const std::shared_ptr<ModelBundle>& bundle) {
      auto made = std::make_shared<Result>(*before());
      bundle->model = made->model->model;
      bundle->text = made->model->text;
      made->model = bundle;
      return made;
    };
    s.view.set_pause(0);
    s.view.set_result(run_in(described("/models/copy", "copy")));
    QVERIFY(s.view.reference() == CompareView::Reference::model);
    QCOMPARE(s.last_wanted().at(0).model->folder.string(), std::string("/models/copy-2"));
    s.view.set_reference_model("/models/copy-2");  // chosen, for a copier
    s.view.set_result(run_in(described("/models/story", "story")));
    QVERIFY(s.view.reference() == CompareView::Reference::text);
    QCOMPARE(s.last_wanted().at(0).source, std::string("a text of /models/story"));
    QCOMPARE(s.last_wanted().at(0).model->folder.string(), std::string("/models/story"));
  }

  // What was kept in a session has no run yet: it is computed, once.
  void a_variant_of_a_session_is_computed() {
    Setup s;
    show_at(s.view, {900, 420});
    const auto first = before();
    s.view.set_result(after());
    s.view.set_variants({{"kept", first->model, first->inputs()}});
    s.view.set_reference_variant(0);
    QCOMPARE(s.last_wanted().at(0).inputs(), first->inputs());
    QCOMPARE(s.last_wanted().at(0).model, first->model);
    s.view.set_run(0, first);
    QCOMPARE(s.view.shown_reference(), first);
    const auto asked = s.wanted.size();
    auto again = std::make_shared<Result>(*after());
    again->interventions = {Intervention{}};
    s.view.set_result(again);  // of the same text
    QCOMPARE(s.view.shown_reference(), first);
    QCOMPARE(s.wanted.size(), asked);
  }

  // Nothing is changed: another model that was trained on the same task says more than an empty panel.
  void until_somebody_chooses_another_model_reads_the_text() {
    Setup s;
    const auto model = [](const char* folder, const char* task) {
      auto made = std::make_shared<ModelBundle>();
      made->folder = folder;
      made->title = folder;
      made->task = task;
      return ModelDescription{made, {}};
    };
    auto run = std::make_shared<Result>(*before());
    auto own = std::make_shared<ModelBundle>(*run->model);
    own->folder = "/models/own";
    own->task = "date";
    run->model = own;
    s.view.set_models({model("/models/a", "date"), model("/models/own", "date"), model("/models/sums", "addition"),
                       model("/models/b", "date")});
    show_at(s.view, {900, 420});
    s.view.set_result(run);
    QVERIFY(s.view.reference() == CompareView::Reference::model);
    QCOMPARE(s.last_wanted().at(0).model->folder.string(), std::string("/models/b"));
    // What was trained on something else stands in the list and cannot be chosen.
    const auto* items = qobject_cast<QStandardItemModel*>(s.view.findChildren<QComboBox*>()[1]->model());
    QVERIFY(items->item(0)->isEnabled() && !items->item(2)->isEnabled() && items->item(3)->isEnabled());
    // With a change of the person's the run before tells more.
    auto edited = std::make_shared<Result>(*run);
    edited->interventions = {Intervention{}};
    s.view.set_pause(0);
    s.view.set_result(edited);
    QVERIFY(s.view.reference() == CompareView::Reference::before);
    QCOMPARE(s.view.shown_reference(), run);
  }

  // Nobody else has the task, and nothing was typed yet.
  void without_another_model_it_is_another_text() {
    Setup s;
    auto run = std::make_shared<Result>(*before());
    auto own = std::make_shared<ModelBundle>(*run->model);
    own->task = "story";
    own->examples = {run->source, "may 5, 2001"};
    run->model = own;
    show_at(s.view, {900, 420});
    s.view.set_result(run);
    QVERIFY(s.view.reference() == CompareView::Reference::text);
    QCOMPARE(s.last_wanted().at(0).source, std::string("may 5, 2001"));
    // Once something was typed, the run before tells more.
    auto typed = std::make_shared<Result>(*run);
    typed->source = "june";
    s.view.set_pause(0);
    s.view.set_result(typed);
    QVERIFY(s.view.reference() == CompareView::Reference::before);
    QCOMPARE(s.view.shown_reference(), run);
  }

  void other_runs_are_asked_for_while_the_panel_is_seen() {
    Setup s;
    const auto edited = after();
    s.view.set_reference(CompareView::Reference::trained);
    s.view.set_result(edited);
    QVERIFY(s.wanted.isEmpty());  // hidden
    show_at(s.view, {900, 420});
    QCOMPARE(s.last_wanted().size(), std::size_t(1));
    QCOMPARE(s.last_wanted()[0].source, edited->source);
    QVERIFY(s.last_wanted()[0].interventions.empty() && !s.last_wanted()[0].capture.explain);
    QVERIFY(!s.view.shown_reference());
    const auto answer = before();
    s.view.set_run(0, answer);
    QCOMPARE(s.view.shown_reference(), answer);
    const auto asked = s.wanted.size();
    s.view.set_result(edited);  // the same question has its answer
    QCOMPARE(s.wanted.size(), asked);
    QCOMPARE(s.view.shown_reference(), answer);
    s.view.set_reference_text("september 3");
    QCOMPARE(s.last_wanted()[0].source, std::string("september 3"));
    s.view.set_run_failed(0, "no");
    QCOMPARE(s.view.message(), QString("no"));
    s.view.hide();
    QVERIFY(s.last_wanted().empty());
  }

  // A run whose output is forced to begin in some way is compared with one that is forced to begin so as well.
  void a_forced_beginning_is_part_of_the_question() {
    Setup s;
    show_at(s.view, {900, 420});
    auto whole = std::make_shared<Result>(*after());
    whole->target = "1994";
    auto beginning = std::make_shared<Result>(*whole);
    beginning->prefix = true;
    s.view.set_result(beginning);
    s.view.set_reference(CompareView::Reference::trained);
    const auto count = s.wanted.count();
    const Request asked = s.last_wanted().at(0);
    QVERIFY(asked.prefix && asked.target == beginning->target && asked.interventions.empty());
    // The same target as the whole output is another question.
    s.view.set_result(whole);
    QCOMPARE(s.wanted.count(), count + 1);
    QVERIFY(!s.last_wanted().at(0).prefix);
  }

  void another_model_is_asked_for_by_its_folder() {
    Setup s;
    auto other = std::make_shared<ModelBundle>();
    other->folder = "/models/other";
    other->title = "Other";
    s.view.set_models({{other, {}}});
    show_at(s.view, {900, 420});
    s.view.set_result(before());
    s.view.set_reference_model("/models/other");
    QCOMPARE(s.last_wanted()[0].model->folder.string(), std::string("/models/other"));
    QVERIFY(s.view.findChildren<QComboBox*>()[1]->isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestComparedRuns)

}  // namespace headlight::test_compared_runs

#include "test_compared_runs.moc"
