// One history: which models take part and in which order, what they agree on, cards, keys, export, pictures.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "image_test.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/views/history/history_view.h"

namespace headlight::test_history_view {

namespace {

const std::vector<ModelDescription>& bundled() {
  static const std::vector<ModelDescription> all = [] {
    std::vector<ModelDescription> found;
    for (const auto& folder : bundled_models()) found.push_back(describe_model(folder));
    return found;
  }();
  return all;
}

std::shared_ptr<const ModelBundle> loaded(const std::string& name) {
  static std::map<std::string, std::shared_ptr<const ModelBundle>> models;
  auto& model = models[name];
  if (!model) model = load_model(name);
  return model;
}

std::shared_ptr<const Result> run_of(const std::string& name, const std::string& source) {
  Request request;
  request.model = loaded(name);
  request.source = source;
  request.capture.explain = false;
  auto made = std::make_shared<Result>(run(request));
  made->seconds = 0.0042;
  return made;
}

QStringList names_of(const std::vector<HistoryCard>& cards) {
  QStringList names;
  for (const HistoryCard& card : cards) names << QString::fromStdString(card.bundle->name);
  return names;
}

Result wrote(const std::vector<std::string>& tokens) {
  Result result;
  for (const std::string& text : tokens) {
    result.steps.emplace_back();
    result.steps.back().text = text;
  }
  return result;
}

struct Setup {
  Selection selection;
  ViewRequests requests;
  HistoryView view{ViewContext{&selection, &requests}};
  QSignalSpy wanted{&view, &HistoryView::runsWanted};
  std::vector<Request> last_wanted() { return wanted.last()[0].value<std::vector<Request>>(); }
  // Only these models, each answered at once.
  void show(const std::vector<std::string>& names, const std::string& open, const std::string& text, QSize size) {
    std::vector<ModelDescription> some;
    for (const ModelDescription& each : bundled())
      if (std::find(names.begin(), names.end(), each.bundle->name) != names.end()) some.push_back(each);
    view.set_models(some);
    view.set_result(run_of(open, text));
    show_at(view, size);
    const std::vector<Request> asked = last_wanted();
    for (std::size_t i = 0; i < asked.size(); ++i)
      view.set_run(static_cast<int>(i), run_of(asked[i].model->name, asked[i].source));
  }
};

const std::vector<std::string> kLanguage = {"toy-mt-bahdanau", "toy-mt-luong", "toy-mt-local", "toy-mt-convs2s"};
constexpr const char* kSentence = "the girl sees the big red house";

}  // namespace

class TestHistoryView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void the_same_task_in_the_order_of_history() {
    const Result dates = *run_of("date-attention", "September 27, 1994");
    const QStringList names = names_of(history_cards(bundled(), dates));
    QCOMPARE(names.first(), QString("date-peeky"));  // Cho et al., June 2014
    QCOMPARE(names[1], QString("date-plain"));       // Sutskever et al., September 2014
    QCOMPARE(names.last(), QString("date-transformer"));
    QVERIFY(names.contains("date-attention"));
    for (const QString& name : names) QVERIFY2(name.startsWith("date-"), qPrintable(name));

    const QStringList copies = names_of(history_cards(bundled(), *run_of("copy-transformer", "3141")));
    QCOMPARE(copies.size(), 5);
    for (const QString& name : copies) QVERIFY2(name.startsWith("copy-"), qPrintable(name));

    QStringList language = names_of(history_cards(bundled(), *run_of("toy-mt-luong", kSentence)));
    language.erase(
        std::remove_if(language.begin(), language.end(), [](const QString& n) { return !n.startsWith("toy-mt"); }),
        language.end());
    QCOMPARE(language,
             (QStringList{"toy-mt-bahdanau", "toy-mt-deep", "toy-mt-luong", "toy-mt-local", "toy-mt-convs2s"}));
  }

  // Models that read words take part where they know all of them.
  void other_tasks_take_part_where_they_know_every_word() {
    const auto cards = history_cards(bundled(), *run_of("story-gpt", "the keys to the old cabinet"));
    const QStringList names = names_of(cards);
    QVERIFY(names.contains("story-gpt"));
    for (const HistoryCard& card : cards) {
      if (card.bundle->task == "story") continue;
      QVERIFY(card.bundle->text.source.kind() != TokenizerKind::characters);
      for (const TextToken& token : card.bundle->text.source.split("the keys to the old cabinet"))
        QVERIFY(!token.unknown);
    }
    int open = 0;
    for (const HistoryCard& card : cards) open += card.open ? 1 : 0;
    QCOMPARE(open, 1);
    for (std::size_t i = 1; i < cards.size(); ++i) QVERIFY(cards[i - 1].year <= cards[i].year);
  }

  void what_most_of_them_write() {
    const Result a = wrote({"x", "y"}), b = wrote({"x", "z"}), c = wrote({"x", "z"}), none = wrote({});
    QCOMPARE(common_output({&a, &b, &c, &none}), (std::vector<std::string>{"x", "z"}));
    QCOMPARE(common_output({&a, &b}), (std::vector<std::string>{"x", "y"}));  // of equally many the first
    QVERIFY(common_output({}).empty() && common_output({&none, &none}).empty());
    const auto places = agreement({"x", "z", "w"}, a);
    QCOMPARE(std::count_if(places.begin(), places.end(), [](const PlacePair& place) { return place.same; }), 1);
  }

  void cards_do_not_overlap_data() {
    QTest::addColumn<QSizeF>("view");
    QTest::addColumn<int>("columns");
    QTest::newRow("small") << QSizeF(240, 200) << 1;
    QTest::newRow("middle") << QSizeF(700, 400) << 3;
    QTest::newRow("large") << QSizeF(4000, 900) << 7;
  }
  void cards_do_not_overlap() {
    QFETCH(QSizeF, view);
    QFETCH(int, columns);
    HistoryLayout::Metrics m;
    m.view = view;
    const HistoryLayout layout = HistoryLayout::of(7, m);
    QCOMPARE(layout.columns, columns);
    for (std::size_t i = 0; i < 7; ++i) {
      const auto& card = layout.cards[i];
      double top = card.frame.top();
      for (const QRectF& part : {card.title, card.paper, card.map, card.output, card.note}) {
        QVERIFY(card.frame.contains(part) && part.top() >= top);
        top = part.bottom();
      }
      for (std::size_t j = 0; j < i; ++j) QVERIFY(!card.frame.intersects(layout.cards[j].frame));
      QCOMPARE(layout.card_at(card.map.center()), static_cast<int>(i));
      QVERIFY(card.frame.right() <= layout.width && card.frame.bottom() <= layout.height);
    }
    QCOMPARE(layout.card_at({-1, -1}), -1);
    QCOMPARE(HistoryLayout::of(0, m).columns, 0);
  }

  // Where not one row of cards has room there is a strip: everything of every model in the height that there is.
  void a_low_view_is_a_strip() {
    for (const QSizeF& view : {QSizeF(1280, 200), QSizeF(1000, 150), QSizeF(2000, 180)}) {
      HistoryLayout::Metrics m;
      m.view = view;
      const HistoryLayout layout = HistoryLayout::of(9, m);
      QVERIFY(layout.strip);
      QCOMPARE(layout.height, view.height());
      double right = 0;
      for (const HistoryLayout::Card& card : layout.cards) {
        QVERIFY(card.frame.left() >= right);
        right = card.frame.right();
        double top = card.frame.top();
        for (const QRectF& part : {card.title, card.paper, card.map, card.output, card.note}) {
          QVERIFY(card.frame.contains(part) && part.top() >= top);
          top = part.bottom();
        }
        QVERIFY(card.frame.bottom() <= view.height() && card.map.height() > 30);
      }
      QVERIFY(right <= layout.width);
    }
  }

  void asks_for_attention_only_and_only_while_it_is_seen() {
    Setup s;
    s.view.set_models(bundled());
    s.view.set_result(run_of("toy-mt-luong", kSentence));
    QVERIFY(s.wanted.isEmpty());
    show_at(s.view, {900, 500});
    const auto asked = s.last_wanted();
    QCOMPARE(asked.size(), s.view.cards().size() - 1);  // the open one is there
    for (const Request& request : asked) {
      QVERIFY(!request.model->model && !request.capture.explain && !request.capture.sites.empty());
      QCOMPARE(request.source, std::string(kSentence));
    }
    s.view.hide();
    QVERIFY(s.last_wanted().empty());
  }

  void a_card_says_what_its_model_did() {
    Setup s;
    s.show({"date-plain", "date-attention"}, "date-attention", "September 27, 1994", {700, 500});
    QCOMPARE(names_of(s.view.cards()), (QStringList{"date-plain", "date-attention"}));
    const QString plain = s.view.place_tooltip({0}), open = s.view.place_tooltip({1});
    QVERIFY(plain.contains("2014") && plain.contains("Sutskever") && plain.contains("no attention"));
    QVERIFY(plain.contains(QString::fromStdString(run_of("date-plain", "September 27, 1994")->output)) &&
            plain.contains("thousand numbers · 4.2 ms"));
    QVERIFY(plain.contains("open this model") && open.contains("This is the open model"));
    QVERIFY(!open.contains("no attention"));
    QVERIFY(open.contains("what most of these models write"));
    s.view.set_run_failed(0, "broken");
    QVERIFY(!s.view.place_tooltip({1}).contains("most of these"));  // nobody is left to compare with
    QVERIFY(s.view.place_tooltip({0}).contains("broken"));
  }

  void keys_and_clicks_open_models() {
    Setup s;
    s.show(kLanguage, "toy-mt-luong", kSentence, {700, 500});
    QSignalSpy opened(&s.view, &HistoryView::modelWanted);
    QCOMPARE(s.view.cursor(), 1);  // the open model
    QTest::keyClick(&s.view, Qt::Key_Return);
    QVERIFY(opened.isEmpty());
    QTest::keyClick(&s.view, Qt::Key_Home);
    QVERIFY(s.view.accessibleDescription().contains("Bahdanau"));
    QTest::keyClick(&s.view, Qt::Key_Return);
    QVERIFY(opened.last()[0].toString().endsWith("toy-mt-bahdanau"));
    QTest::keyClick(&s.view, Qt::Key_Down);
    QCOMPARE(s.view.cursor(), s.view.history_layout().columns);
    s.view.set_cursor(0);
    QTest::mouseClick(s.view.viewport(), Qt::LeftButton, {}, s.view.history_layout().cards[2].title.center().toPoint());
    QVERIFY(opened.last()[0].toString().endsWith("toy-mt-local"));
  }

  void names_are_whole() {
    for (const double type : {1.0, 1.5})
      for (const QSize size : {QSize(960, 640), QSize(1280, 700), QSize(960, 220)}) {
        Theme::instance().set(Theme::Mode::light, type);
        Setup s;
        s.show(kLanguage, "toy-mt-luong", kSentence, size);
        QString all;
        for (const RecordedText& each : texts_of(s.view.viewport())) all += each.text + ' ';
        for (int i = 0; i < static_cast<int>(s.view.cards().size()); ++i) {
          const QString name = QString::fromStdString(s.view.cards()[static_cast<std::size_t>(i)].bundle->title);
          if (!s.view.viewport()->rect().contains(
                  s.view.history_layout().cards[static_cast<std::size_t>(i)].frame.toRect()))
            continue;  // scrolled to
          for (const QString& word : name.split(' ')) QVERIFY2(all.contains(word), qPrintable(name + " in " + all));
        }
      }
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void exports_a_line_for_each_model() {
    Setup s;
    s.show(kLanguage, "toy-mt-luong", kSentence, {700, 500});
    const QTemporaryDir dir;
    s.view.export_to(dir.filePath("a.svg"));
    QVERIFY(QFile(dir.filePath("a.svg")).size() > 1000);
    s.view.export_to(dir.filePath("a.csv"));
    QFile file(dir.filePath("a.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines[1].startsWith("\"A small language, Bahdanau\",2014,Bahdanau et al.,"));
    HistoryView empty(ViewContext{&s.selection, &s.requests});
    QVERIFY_EXCEPTION_THROWN(empty.export_to(dir.filePath("b.png")), UsageError);
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
    s.show({"date-plain", "date-attention", "date-transformer"}, "date-attention", "September 27, 1994", {760, 330});
    COMPARE_IMAGE(s.view, QStringLiteral("history_") + QTest::currentDataTag());
  }
};

HEADLIGHT_WIDGET_TEST(TestHistoryView)

}  // namespace headlight::test_history_view

#include "test_history_view.moc"
