// The words of the living map: none lies on another one, none is cut by the picture, whatever the model, the size of
// the picture and the size of its type.
#include <QPainter>
#include <QRegularExpression>
#include <QTest>
#include <tuple>

#include "model/io/formats/format.h"
#include "model/io/npz.h"
#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"
#include "tests/widgets/recorded_text.h"

namespace headlight::test_living_words {

namespace {

const QString kTo = QStringLiteral(" \u2192 ");  // of the name of a ribbon

// What is seen of a text: the heights of its capitals, and not the air around them.
QRectF ink_of(const RecordedText& text) {
  const double high = text.capital, base = text.place.bottom() - 0.22 * text.place.height();
  return {text.place.left() + 1, base - high, text.place.width() - 2, high};
}

std::shared_ptr<const Result> opened(const char* name) {
  const auto path = std::filesystem::path(HEADLIGHT_TEST_DATA) / "families" / name;
  Request request;
  request.model = open_path(path);
  for (const NamedTensor& array : read_npz(path / "reference.npz"))
    if (array.name == "case0.input_ids")
      for (Index i = 0; i < array.value.size(); ++i) request.ids.push_back(static_cast<TokenId>(array.value[i]));
  return std::make_shared<const Result>(run(request));
}

}  // namespace

class TestLivingWords : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { Theme::instance().set(Theme::Mode::light, 1); }

  void no_word_lies_on_another_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("type");
    QStringList models;
    for (const LivingExample& each : kLivingExamples) models << each.kind;
    for (const char* name : {"bart-forced-start", "bert-mlm", "gemma3", "gpt2", "qwen2"}) models << name;
    for (const QString& model : models)
      for (const QSize size : {QSize(904, 624), QSize(640, 440)})
        for (const double type : {1.0, 1.5, 2.0})
          QTest::newRow(qPrintable(QStringLiteral("%1, %2, %3").arg(model).arg(size.width()).arg(type)))
              << model << size << type;
  }
  void no_word_lies_on_another() {
    QFETCH(QString, model);
    QFETCH(QSize, size);
    QFETCH(double, type);
    Theme::instance().set(Theme::Mode::light, type);
    const auto example = std::find_if(std::begin(kLivingExamples), std::end(kLivingExamples),
                                      [&](const LivingExample& each) { return model == QLatin1String(each.kind); });
    LivingShown shown(
        example == std::end(kLivingExamples) ? opened(qPrintable(model)) : living_run(example->model, example->text),
        size);
    shown.choose_step(example == std::end(kLivingExamples) ? 3 : example->step);
    const std::vector<RecordedText> texts = texts_of(shown.view.figure());
    QVERIFY(texts.size() > 10);
    QStringList bad;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].text.trimmed().isEmpty()) continue;
      const QRectF one = ink_of(texts[i]);
      if (one.left() < -1 || one.right() > size.width() + 1) bad << "beyond the picture: " + texts[i].text;
      for (std::size_t j = i + 1; j < texts.size(); ++j)
        if (!texts[j].text.trimmed().isEmpty() && texts[j].text != texts[i].text && one.intersects(ink_of(texts[j])))
          bad << QStringLiteral("'%1' on '%2'").arg(texts[i].text, texts[j].text);
      // Of one line: they do not touch either.
      for (std::size_t j = 0; j < texts.size(); ++j) {
        const QRectF &left = texts[i].place, &right = texts[j].place;
        if (i != j && !texts[j].text.trimmed().isEmpty() && texts[j].text != texts[i].text &&
            std::abs(left.bottom() - right.bottom()) < 2 && left.left() < right.left() &&
            right.left() - left.right() < 2.5)
          bad << QStringLiteral("'%1' touches '%2'").arg(texts[i].text, texts[j].text);
      }
    }
    QVERIFY2(bad.isEmpty(), qPrintable(bad.join("; ")));
  }

  // A ribbon's words name what is written beside its ends: also where the steps of a decoder have no names of their
  // own.
  void ribbons_are_named_by_what_stands_there_data() {
    QTest::addColumn<int>("example");
    int i = 0;
    for (const LivingExample& each : kLivingExamples) QTest::newRow(each.kind) << i++;
  }
  void ribbons_are_named_by_what_stands_there() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example], {1280, 800});
    const std::vector<RecordedText> texts = texts_of(shown.view.figure());
    static const QRegularExpression quotes(QStringLiteral("^\u2018(.+)\u2019$"));
    int named = 0;
    for (const RecordedText& text : texts) {
      const QStringList ends = text.text.split(kTo);
      if (ends.size() != 2) continue;
      ++named;
      for (QString end : ends) {
        while (!end.isEmpty() && end.back().unicode() >= 0x2080 && end.back().unicode() <= 0x2089) end.chop(1);
        if (const auto quoted = quotes.match(end); quoted.hasMatch()) end = quoted.captured(1);
        QVERIFY2(std::any_of(texts.begin(), texts.end(), [&](const RecordedText& each) { return each.text == end; }),
                 qPrintable(text.text));
      }
    }
    if (shown.view.map()->family != LivingMap::Family::memory) QVERIFY(named > 0);
  }

  // A ribbon's name and share stand on a plate, which lies on no word and on no other plate; letters need no quotes
  // beside a figure, all else has them.
  void plates_lie_on_no_word_data() { ribbons_are_named_by_what_stands_there_data(); }
  void plates_lie_on_no_word() {
    QFETCH(int, example);
    for (const double type : {1.0, 1.5}) {
      Theme::instance().set(Theme::Mode::light, type);
      LivingShown shown(kLivingExamples[example], {1280, 800});
      const Figure figure = shown.view.figure();
      TextRecorder recorder(figure.size);
      QPainter painter(&recorder);
      figure.paint(painter);
      painter.end();
      const std::vector<RecordedText>& texts = recorder.texts();
      std::vector<QRectF> plates;
      for (std::size_t i = 0; i + 1 < texts.size(); ++i) {
        if (!texts[i].text.contains(kTo)) continue;
        const RecordedText &name = texts[i], &share = texts[i + 1];
        static const QRegularExpression end(
            QStringLiteral("^(\\p{L}+|</?\\w+>|\\[\\w+\\]|\u2018.+\u2019|padding \\(\\d+\\))[\u2080-\u2089]*$"));
        for (const QString& each : name.text.split(kTo)) QVERIFY2(end.match(each).hasMatch(), qPrintable(name.text));
        QVERIFY2(share.text.endsWith(QLatin1String(" %")), qPrintable(name.text + share.text));
        // The smallest shape around both.
        QRectF plate(0, 0, 1e4, 1e4);
        for (const QRectF& shape : recorder.shapes())
          if (shape.contains(name.place.center()) && shape.left() < name.place.left() &&
              shape.right() > share.place.right() && shape.width() < plate.width())
            plate = shape;
        QVERIFY2(plate.width() < name.place.width() + share.place.width() + 24, qPrintable(name.text));
        for (const QRectF& other : plates) QVERIFY2(!other.intersects(plate), qPrintable(name.text));
        for (const RecordedText& text : texts)
          if (&text != &name && &text != &share && !text.text.trimmed().isEmpty())
            QVERIFY2(!ink_of(text).intersects(plate), qPrintable(name.text + " on " + text.text));
        plates.push_back(plate);
      }
      if (type == 1 && shown.view.map()->family != LivingMap::Family::memory) QVERIFY(!plates.empty());
    }
  }

  // The 12 empty places behind 17 letters, of 29, are one lane: by the name that they have in every view, or its number
  // where that has no room.
  void folded_padding_is_named() {
    for (const auto& [type, size, name] :
         {std::tuple(1.0, QSize(904, 560), "padding (12)"), std::tuple(2.0, QSize(300, 900), "(12)")}) {
      Theme::instance().set(Theme::Mode::light, type);
      LivingShown shown(kLivingExamples[4], size);
      const auto& rows = shown.view.scene().layout.rows;
      const auto folded = std::ranges::find_if(rows, [](const LivingRow& row) { return row.folded > 1; });
      QVERIFY(folded != rows.end());
      QCOMPARE(folded->folded, 12);
      QStringList all;
      for (const RecordedText& text : texts_of(shown.view.figure())) all << text.text;
      QVERIFY2(all.contains(QLatin1String(name)), qPrintable(all.join(' ')));
      QVERIFY2(all.filter(QRegularExpression(QStringLiteral("\\d \u2423"))).isEmpty(), qPrintable(all.join(' ')));
      const QString tip = shown.view.place_tooltip(shown.view.spot_at({folded->name_right - 4, folded->y}));
      QVERIFY2(tip.contains(QStringLiteral("padding (12)")), qPrintable(tip));
    }
  }

  // What has no room is cut, and whole in the tip.
  void what_is_cut_is_whole_in_the_tip() {
    for (const QSize size : {QSize(420, 560), QSize(904, 624)}) {
      LivingShown shown(living_run("grammar-transformer", "the agreement on the european economic area was signed ."),
                        size);
      const LivingLayout& layout = shown.view.scene().layout;
      int cut = 0, lanes = 0;
      for (const RecordedText& text : texts_of(shown.view.figure())) cut += text.text.contains(QChar(0x2026)) ? 1 : 0;
      for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        const LivingRow& row = layout.rows[i];
        if (row.bed <= 0) continue;
        ++lanes;
        const LivingLane& lane = shown.view.map()->lanes[i];
        const QString name = shown.view.place_tooltip(shown.view.spot_at({row.name_right - 4, row.y}));
        QVERIFY2(name.contains(token_text(lane.text).text), qPrintable(name));
        if (!row.has_next) continue;
        const QString next = shown.view.place_tooltip(shown.view.spot_at({layout.next_x + 6, row.y}));
        QVERIFY2(next.contains(token_text(lane.written).text), qPrintable(next));
      }
      QVERIFY(lanes > 10);
      if (size.width() < 500) QVERIFY(cut > 0);
    }
  }

  // With large letters, in a small window, on a wall: there are words at the right, and a click on one chooses it.
  void outputs_can_be_chosen_where_lanes_are_thin_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("type");
    QTest::newRow("small window") << QSize(904, 330) << 1.0;
    QTest::newRow("200 %") << QSize(904, 330) << 2.0;
    QTest::newRow("250 %, low") << QSize(700, 300) << 2.5;
    QTest::newRow("on a wall") << QSize(1280, 420) << 3.4;
  }
  void outputs_can_be_chosen_where_lanes_are_thin() {
    QFETCH(QSize, size);
    QFETCH(double, type);
    Theme::instance().set(type > 2.5 ? Theme::Mode::projector : Theme::Mode::light, type);
    LivingShown shown(kLivingExamples[0], size);
    const LivingLayout& layout = shown.view.scene().layout;
    std::vector<RecordedText> outputs;
    for (const RecordedText& text : texts_of(shown.view.figure()))
      if (text.place.left() >= layout.next_x - 2 && text.place.left() < layout.next_x + 6 &&
          text.place.center().y() > layout.body.top() && text.place.center().y() < layout.body.bottom())
        outputs.push_back(text);
    const double line = outputs.empty() ? 1 : outputs.front().place.height();
    QVERIFY2(static_cast<double>(outputs.size()) >= std::min(4., std::floor(layout.body.height() / line) - 1),
             qPrintable(QString::number(outputs.size())));
    for (const RecordedText& text : outputs) {
      shown.click(text.place.center());
      const int lane = shown.view.choice().lane;
      QVERIFY(lane >= 0);
      const QString said = shown.view.words({.what = LivingSpot::What::next, .lane = lane});
      QVERIFY2(said.startsWith(QChar(0x2018) + QString(text.text).remove(QChar(0x2026))),
               qPrintable(said + ' ' + text.text));
      shown.choose_step(kLivingExamples[0].step);
    }
  }

  // Where lanes are too thin, the right has the outputs that were written and those of the lanes that mattered, as the
  // left has these; and what the chosen lane would say in the end stays where nothing else has room.
  void words_are_thinned_alike_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("type");
    QTest::newRow("small window") << QSize(904, 330) << 1.0;
    QTest::newRow("200 %") << QSize(904, 520) << 2.0;
    QTest::newRow("narrow") << QSize(260, 500) << 2.0;
  }
  void words_are_thinned_alike() {
    QFETCH(QSize, size);
    QFETCH(double, type);
    Theme::instance().set(Theme::Mode::light, type);
    LivingShown shown(kLivingExamples[0], size);
    const LivingLayout& layout = shown.view.scene().layout;
    const auto& lanes = shown.view.map()->lanes;
    const std::vector<RecordedText> texts = texts_of(shown.view.figure());
    const int chosen = shown.view.choice().lane;
    const LivingRow& row = layout.rows[static_cast<std::size_t>(chosen)];
    const QString word = token_text(lanes[static_cast<std::size_t>(chosen)].written).text;
    QVERIFY(shown.view.says_lens());
    QVERIFY(std::ranges::any_of(texts, [&](const RecordedText& text) {
      const double y = text.place.center().y();
      return text.text == word && y > row.y + row.bed / 2 && y < row.y + row.bed / 2 + layout.slot + 4 &&
             text.place.right() < row.x1 && text.place.left() >= 0;
    }));
    if (size.width() < 500) return;
    std::vector<double> left, right;
    int steps = 0, written = 0;
    for (const LivingLane& lane : lanes) steps += lane.step >= 0 ? 1 : 0;
    for (const RecordedText& text : texts) {
      const double y = text.place.center().y();
      if (y < layout.body.top() || y > layout.body.bottom()) continue;
      if (text.place.left() >= layout.next_x - 2 && text.place.left() < layout.next_x + 6) {
        right.push_back(y);
        written += std::ranges::any_of(lanes, [&](const LivingLane& lane) {
          return lane.step >= 0 && token_text(lane.written).text == text.text;
        });
      }
      if (text.place.right() < layout.body.left() - 10 && text.place.right() > layout.body.left() - 60)
        left.push_back(y);
    }
    const int room = static_cast<int>(layout.body.height() / layout.metrics.line);
    QVERIFY2(written >= std::min(steps, room), qPrintable(QString::number(written)));
    QVERIFY2(static_cast<int>(right.size()) > std::min(steps, room - 1), qPrintable(QString::number(right.size())));
    QVERIFY(!left.empty());
  }

  void a_model_without_attention_is_not_said_to_have_any() {
    for (const auto& [model, title, other] :
         {std::tuple("date-attention", "Attention", "One vector"), std::tuple("date-peeky", "One vector", "Attention"),
          std::tuple("date-plain", "One vector", "Attention")}) {
      LivingShown shown(living_run(model, "November 22, 2026"));
      QStringList all;
      for (const RecordedText& text : texts_of(shown.view.figure())) all << text.text;
      QVERIFY2(all.contains(QLatin1String(title)), model);
      QVERIFY2(!all.contains(QLatin1String(other)), model);
    }
  }

  // What a word brought is the same percentage on its bed and in the panel beside the map.
  void shares_are_rounded_as_in_the_panel() {
    LivingShown shown(kLivingExamples[0]);
    int told = 0;
    for (int step = 0; step < static_cast<int>(shown.view.map()->result->steps.size()); ++step) {
      shown.choose_step(step);
      const LivingMap& map = *shown.view.map();
      const std::vector<RecordedText> texts = texts_of(&shown.view);
      const LivingLayout& layout = shown.view.scene().layout;
      for (const LivingOrigin& origin : living_origins(map, living_flow(map, shown.view.choice()))) {
        if (origin.lane < 0 || origin.share < 0.0095 || origin.percent == 0) continue;
        const LivingRow& row = layout.rows[static_cast<std::size_t>(origin.lane)];
        for (const RecordedText& text : texts)
          if (text.text.endsWith(" %") && std::abs(text.place.left() - row.x0 - 6) < 1.5 &&
              std::abs(text.place.center().y() - row.y) < 4) {
            QCOMPARE(text.text, QStringLiteral("%1 %").arg(origin.percent));
            ++told;
          }
      }
    }
    QVERIFY(told > 10);
  }

  // Where the lanes begin right below the headings, as on the page of the start with large type, no figure lies on
  // them.
  void figures_of_headings_give_way_to_lanes() {
    for (const double type : {1.0, 2.0})
      for (const int high : {220, 300, 400}) {
        Theme::instance().set(Theme::Mode::light, type);
        LivingShown shown(kLivingExamples[0], {1200, high});
        const QRectF body = shown.view.scene().layout.body;
        for (const LivingTitle& title : shown.view.scene().layout.titles)
          if (!title.scrolls) QVERIFY(title.rect.bottom() <= body.top() + 1);
      }
    Theme::instance().set(Theme::Mode::light, 1);
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingWords)

}  // namespace headlight::test_living_words

#include "test_living_words.moc"
