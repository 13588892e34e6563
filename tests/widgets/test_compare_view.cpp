// Comparing two runs: which run is the reference, what is laid side by side, one cursor, export, pictures.
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "image_test.h"
#include "recorded_text.h"
#include "sample_heads.h"
#include "tests/test_program.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/views/compare/compare_pictures.h"
#include "widgets/views/compare/compare_tokens.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight::test_compare_view {

namespace {

using Form = ComparePicturesLayout::Form;

std::shared_ptr<const ModelBundle> model() {
  static const auto made = sample::bundle();
  return made;
}

std::shared_ptr<const Result> run_of(const std::string& source, const std::string& output, int shift = 0,
                                     std::uint64_t id = 1) {
  sample::Options options;
  options.source = source;
  options.output = output;
  options.id = id;
  for (int& token : options.looked_at) token = std::max(0, token - shift);
  auto made = std::make_shared<Result>(*sample::result(options));
  made->model = model();
  return made;
}

std::shared_ptr<const Result> before() { return run_of("september 27, 1994", "1994-09-27"); }
// The same text after an edit: another question.
std::shared_ptr<const Result> after() {
  auto made = std::make_shared<Result>(*run_of("september 27, 1994", "1995-09-2", 2, 2));
  made->interventions.push_back({"decoder.step[0].attention.weights", Intervention::Kind::pin, 3, Scalar(0.9), {}});
  return made;
}

struct Setup {
  Selection selection;
  ViewRequests requests;
  CompareView view{ViewContext{&selection, &requests}};
  QSignalSpy wanted{&view, &CompareView::runsWanted};
  Setup() { qRegisterMetaType<std::vector<Request>>(); }
  std::vector<Request> last_wanted() { return wanted.last()[0].value<std::vector<Request>>(); }
};

QString text_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class TestCompareView : public QObject {
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

  // In the list of what changed most, each value says of which layer and head it is.
  void the_list_names_layers() {
    CompareSubject subject;
    subject.kind = CompareSubject::Kind::site;
    subject.site = "decoder.step[*].layer[1].self_attn.head.weights";
    QVERIFY2(subject_name(subject).contains("(layer 2)"), qPrintable(subject_name(subject)));
    subject.site = "decoder.step[*].attention.weights";
    QVERIFY(!subject_name(subject).contains('('));
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
    const QStringList lines = text_of(dir.filePath("a.csv")).split("\r\n", Qt::SkipEmptyParts);
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

HEADLIGHT_WIDGET_TEST(TestCompareView)

}  // namespace headlight::test_compare_view

#include "test_compare_view.moc"
