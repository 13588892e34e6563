// Attention that was stored without a model: what notebooks and job arrays write, as a run that every view shows.

#include <cmath>

#include "model/analysis/attention_maps.h"
#include "model/analysis/word_groups.h"
#include "model/decode/run.h"
#include "model/io/formats/format.h"
#include "model/io/npz.h"
#include "model/io/tensor_values.h"
#include "model/models/variant.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_captured {

using namespace headlight::testing;

namespace {

using NamedShape = std::pair<QString, QList<int>>;
using Kind = AttentionMap::Kind;

fs::path stored(const std::string& name) { return fs::path(HEADLIGHT_TEST_DATA) / "captured" / name; }

Result run_of(const fs::path& path, const std::string& text) {
  Request request;
  request.model = open_path(path);
  request.source = text;
  return run(request);
}

// Row q of head h is that of the stored array [.. x H x T x T], whose maps of a layer begin at `first`.
bool is_stored(const AttentionMap& map, const Tensor& array, Index first, Index width) {
  for (Index h = 0; h < map.heads; ++h)
    for (Index q = 0; q < map.row_count(); ++q)
      for (Index k = 0; k < map.column_count(); ++k)
        if (map.weight(h, q, k) != array[first + (h * width + q) * width + k]) return false;
  return true;
}

Tensor array_of(const fs::path& path, const std::string& name) {
  const auto file = format_of(path)->contents(path).tensors;
  for (std::size_t i = 0; i < file->tensors().size(); ++i)
    if (file->tensors()[i].name == name) return numbers_of(*file, i, path.string());
  return {};
}

// [layers x heads x T x T] of rows that add up to 1.
Tensor weights(Index layers, Index heads, Index length) {
  Tensor all({layers, heads, length, length});
  for (Index i = 0; i < all.size(); ++i) all[i] = Scalar(1) / static_cast<Scalar>(length);
  return all;
}

}  // namespace

class TestCaptured : public QObject {
  Q_OBJECT

 private slots:
  void maps_are_those_of_the_file() {
    const Result result = run_of(stored("encoder.npz"), "0");
    const std::vector<AttentionMap> maps = attention_maps(result);
    QCOMPARE(maps.size(), 3u);
    const Tensor array = array_of(stored("encoder.npz"), "attentions");  // [3 x 4 x 29 x 29]
    for (std::size_t l = 0; l < 3; ++l) {
      QCOMPARE(maps[l].kind, Kind::encoder_self);
      QCOMPARE(maps[l].layer, static_cast<Index>(l));
      QCOMPARE(maps[l].heads, 4);
      QCOMPARE(maps[l].row_count(), 29);
      QVERIFY(is_stored(maps[l], array, static_cast<Index>(l) * 4 * 29 * 29, 29));
    }
    QCOMPARE(maps[0].columns.front().text, std::string("[CLS]"));
  }

  void a_text_that_looks_back_only_is_a_decoder() {
    const Result result = run_of(stored("causal-hook-names.npz"), "0");
    const std::vector<AttentionMap> maps = attention_maps(result);
    QVERIFY(!maps.empty());
    for (const AttentionMap& map : maps) {
      QCOMPARE(map.kind, Kind::decoder_self);
      QCOMPARE(map.row_count(), 20);
    }
    QVERIFY(is_stored(maps[1], array_of(stored("causal-hook-names.npz"), "blocks.1.attn.hook_pattern"), 0, 20));
    // Its tokens are those of a byte-level vocabulary: "Ġ" stands for a space.
    for (const AttentionToken& token : maps[0].columns) QVERIFY(token.text.find("Ġ") == std::string::npos);
  }

  void layers_may_be_arrays_of_their_own_with_tokens_in_the_metadata() {
    const fs::path path = stored("encoder-pair-per-layer.safetensors");
    const Result result = run_of(path, "0");
    const std::vector<AttentionMap> maps = attention_maps(result);
    QCOMPARE(maps.size(), 3u);
    QVERIFY(is_stored(maps[2], array_of(path, "attentions.2"), 0, 24));
    QCOMPARE(maps[0].columns[10].text, std::string("##ir"));
    // "f" "##ir" "##st" are one word, and its weights are added up.
    const AttentionMap words = between_words(result, maps[0]);
    QVERIFY(words.column_count() < 24);
    for (Index h = 0; h < words.heads; ++h) {
      Scalar sum = 0;
      for (Index k = 0; k < words.column_count(); ++k) sum += words.weight(h, 3, k);
      QVERIFY(std::abs(sum - 1) < 1e-4f);
    }
  }

  void an_encoder_and_a_decoder_have_three_kinds() {
    const fs::path path = stored("encoder-decoder.npz");
    const Result result = run_of(path, "0");
    QCOMPARE(result.steps.size(), 12u);
    std::map<Kind, std::vector<AttentionMap>> maps;
    for (AttentionMap& map : attention_maps(result)) maps[map.kind].push_back(std::move(map));
    QCOMPARE(maps[Kind::encoder_self].size(), 2u);
    QCOMPARE(maps[Kind::decoder_self].size(), 2u);
    QCOMPARE(maps[Kind::cross].size(), 2u);
    const Tensor own = array_of(path, "decoder_attentions"), cross = array_of(path, "cross_attentions");
    const AttentionMap& looks = maps[Kind::cross][1];
    for (Index t = 0; t < 12; ++t) {
      for (Index k = 0; k <= t; ++k) QCOMPARE(maps[Kind::decoder_self][0].weight(2, t, k), own[(2 * 12 + t) * 12 + k]);
      for (Index k = 0; k < 15; ++k) QCOMPARE(looks.weight(3, t, k), cross[((4 + 3) * 12 + t) * 15 + k]);
    }
    // The row of a step is fed one token and writes the next.
    QCOMPARE(result.steps[0].text, result.fed[1]);
  }

  void a_set_of_shards_is_one_list_of_texts() {
    const fs::path path = stored("batch-00001-of-00002.npz");
    const auto model = open_path(path);
    QCOMPARE(model->examples.size(), 4u);
    QCOMPARE(model->stored->count(), 4);
    const Tensor array = array_of(path, "attentions");  // [2 x 3 x 4 x 24 x 24]
    const Tensor mask = array_of(path, "attention_mask");
    for (const Index local : {0, 1}) {
      const Index length = static_cast<Index>(mask.matrix().row(local).sum());
      const Result result = run_of(path, std::to_string(2 + local));
      const std::vector<AttentionMap> maps = attention_maps(result);
      QCOMPARE(maps.size(), 3u);
      QCOMPARE(maps[1].row_count(), length);  // without padding
      QVERIFY(is_stored(maps[1], array, (local * 3 + 1) * 4 * 24 * 24, 24));
    }
  }

  void a_bare_matrix_has_numbers_for_tokens() {
    const Result result = run_of(stored("one-matrix.npy"), "0");
    const std::vector<AttentionMap> maps = attention_maps(result);
    QCOMPARE(maps.size(), 1u);
    QCOMPARE(maps[0].heads, 1);
    QCOMPARE(maps[0].columns[28].text, std::string("28"));
  }

  void weights_that_are_no_attention_stay_weights() {
    Folder folder;
    Tensor large = weights(1, 1, 4);
    large.array() *= 3;
    write_npz(folder / "attention.npz", {{"0", large.view(0, {4, 4})}}, NpyType::f4);
    QCOMPARE(format_of(folder / "attention.npz")->id, "npz");
    write_npz(folder / "list.npz", {{"0", weights(1, 1, 4).view(0, {1, 4, 4})}}, NpyType::f4);
    QCOMPARE(format_of(folder / "list.npz")->id, "captured");
    // numpy.savez(path, *attentions), each [1 x heads x T x T], and numpy.savez(path, array).
    write_npz(folder / "layers.npz",
              {{"arr_0", weights(1, 2, 4).view(0, {1, 2, 4, 4})}, {"arr_1", weights(1, 2, 4).view(0, {1, 2, 4, 4})}},
              NpyType::f4);
    QCOMPARE(attention_maps(run_of(folder / "layers.npz", "0")).size(), 2u);
    write_npz(folder / "array.npz", {{"arr_0", weights(3, 2, 4).view(0, {3, 2, 4, 4})}}, NpyType::f4);
    QCOMPARE(attention_maps(run_of(folder / "array.npz", "0")).size(), 3u);
    QCOMPARE(open_path(folder / "array.npz")->stored->count(), 1);
  }

  // What is almost stored attention is told from weights of a model.
  void what_is_almost_attention_says_why_not_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<int>>("shape");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QList<int>& shape, const char* said) {
      QTest::newRow(name) << QString(name) << shape << QString(said);
    };
    const QString must =
        " could be attention: it has to be called \"attentions\", \"encoder_attentions\", \"decoder_attentions\", "
        "\"cross_attentions\" or \"blocks.0.attn.hook_pattern\"";
    row("attentions", {4},
        "\"attentions\" is named as attention is, but its shape is [4]: expected layers x heads x queries x keys, or "
        "texts in front of them");
    row("attentions.0", {1, 1, 2, 4, 4},
        "\"attentions.0\" is named as attention is, but its shape is [1 x 1 x 2 x 4 x 4]: expected heads x queries x "
        "keys, or texts in front of them");
    row("attentions.1", {2, 4, 4}, "the attention of layer 0 is missing in front of \"attentions.1\"");
    row("attention_weights", {2, 2, 4, 4}, qPrintable("\"attention_weights\" [2 x 2 x 4 x 4]" + must));
    row("layer.0.attention.weight", {2, 4, 4},
        "a file of weights does not say which model they belong to; open the folder that they came in");
  }
  void what_is_almost_attention_says_why_not() {
    QFETCH(QString, name);
    QFETCH(QList<int>, shape);
    QFETCH(QString, said);
    Folder folder;
    std::vector<Index> dims(shape.begin(), shape.end());
    write_npz(folder / "a.npz", {{name.toStdString(), Tensor::full(Shape(dims), Scalar(0.25))}}, NpyType::f4);
    const Format* format = format_of(folder / "a.npz");
    QCOMPARE(QString::fromStdString(format->contents(folder / "a.npz").reason), said);
    QVERIFY(message_of<Error>([&] { open_path(folder / "a.npz"); }).endsWith(said));
  }

  // Shapes that do not fit each other are refused with both, before anything is read.
  void shapes_have_to_fit_each_other_data() {
    QTest::addColumn<QList<NamedShape>>("arrays");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QList<NamedShape>& arrays, const char* said) {
      QTest::newRow(name) << arrays << QString(said);
    };
    const char* const square =
        ": expected as many queries as keys, T x T, or one query, 1 x T, found %1; vectors of heads, and windows of T "
        "x "
        "(w + 1), are not read as attention";
    const auto not_square = [&](const char* shown, const char* found) {
      return (QString(shown) + QString(square).arg(found)).toStdString();
    };
    row("vectors of heads", {{"attentions.0", {3, 4, 12, 64}}, {"attentions.1", {3, 4, 12, 64}}},
        not_square("\"attentions.0\" [3 x 4 x 12 x 64]", "12 x 64").c_str());
    row("a window", {{"attentions", {2, 2, 12, 5}}}, not_square("\"attentions\" [2 x 2 x 12 x 5]", "12 x 5").c_str());
    row("hooks", {{"blocks.0.attn.hook_pattern", {2, 3, 4}}},
        not_square("\"blocks.0.attn.hook_pattern\" [2 x 3 x 4]", "3 x 4").c_str());
    row("heads last", {{"encoder_attentions", {1, 5, 5, 2}}},
        not_square("\"encoder_attentions\" [1 x 5 x 5 x 2]", "5 x 2").c_str());
    row("fewer rows than the decoder",
        {{"encoder_attentions", {2, 2, 6, 6}},
         {"decoder_attentions", {2, 2, 5, 5}},
         {"cross_attentions", {2, 2, 4, 6}}},
        "expected as many rows in \"cross_attentions\" [2 x 2 x 4 x 6] as tokens in \"decoder_attentions\" [2 x 2 x 5 "
        "x "
        "5]: found 4 and 5");
    row("fewer columns than the encoder",
        {{"encoder_attentions", {2, 2, 6, 6}},
         {"decoder_attentions", {2, 2, 5, 5}},
         {"cross_attentions", {2, 2, 5, 5}}},
        "expected as many columns in \"cross_attentions\" [2 x 2 x 5 x 5] as tokens in \"encoder_attentions\" [2 x 2 x "
        "6 "
        "x 6]: found 5 and 6");
    row("turned round", {{"encoder_attentions", {1, 1, 6, 6}}, {"cross_attentions", {1, 1, 6, 5}}},
        "expected as many columns in \"cross_attentions\" [1 x 1 x 6 x 5] as tokens in \"encoder_attentions\" [1 x 1 x "
        "6 "
        "x 6]: found 5 and 6");
    row("one query of a decoder behind an encoder",
        {{"decoder_attentions", {1, 1, 1, 5}}, {"cross_attentions", {1, 1, 1, 5}}},
        "\"decoder_attentions\" [1 x 1 x 1 x 5]: of an encoder and a decoder, expected as many queries as keys, T x T");
    row("another number of texts", {{"encoder_attentions", {2, 1, 1, 3, 3}}, {"cross_attentions", {1, 1, 1, 4, 3}}},
        "expected as many texts in \"cross_attentions\" [1 x 1 x 1 x 4 x 3] as in \"encoder_attentions\" [2 x 1 x 1 x "
        "3 "
        "x 3]: found 1 and 2");
    row("two of the same text", {{"attentions", {1, 1, 5, 5}}, {"encoder_attentions", {1, 1, 3, 3}}},
        "\"attentions\" [1 x 1 x 5 x 5] beside \"encoder_attentions\" [1 x 1 x 3 x 3]: expected "
        "\"encoder_attentions\", "
        "\"decoder_attentions\" and \"cross_attentions\", or \"attentions\" alone");
  }
  void shapes_have_to_fit_each_other() {
    QFETCH(QList<NamedShape>, arrays);
    QFETCH(QString, said);
    Folder folder;
    std::vector<NamedTensor> all;
    for (const auto& [name, shape] : arrays)
      all.push_back({name.toStdString(), Tensor::full(Shape(std::vector<Index>(shape.begin(), shape.end())),
                                                      Scalar(1) / static_cast<Scalar>(shape.back()))});
    write_npz(folder / "a.npz", all, NpyType::f4);
    QCOMPARE(QString::fromStdString(format_of(folder / "a.npz")->contents(folder / "a.npz").reason), said);
    QVERIFY(message_of<Error>([&] { open_path(folder / "a.npz"); }).endsWith(said));
  }

  // What a step with a cache computes: a row of every head, of the last token.
  void one_query_is_one_row() {
    for (const Index length : {1, 2, 10, 300, 16'384}) {
      Folder folder;
      Tensor all({2, 2, 1, length});
      for (Index i = 0; i < all.size(); ++i) all[i] = Scalar(i % length == i / length % length ? 1 : 0);
      write_npz(folder / "a.npz", {{"attentions", all}}, NpyType::f4);
      const Result result = run_of(folder / "a.npz", "0");
      QVERIFY(result.notes.empty());
      const std::vector<AttentionMap> maps = attention_maps(result);
      QCOMPARE(maps.size(), 2u);
      QCOMPARE(maps[1].row_count(), 1);
      QCOMPARE(maps[1].column_count(), length);
      for (Index h = 0; h < 2; ++h)
        for (Index k = 0; k < length; ++k) QCOMPARE(maps[1].weight(h, 0, k), all[(2 + h) * length + k]);
    }
  }

  // Rows that are no shares are told, and drawn as what they are.
  void rows_that_are_no_shares_are_told_data() {
    QTest::addColumn<QList<double>>("rows");  // of one head of four tokens
    QTest::addColumn<QString>("note");        // empty: none
    QTest::addColumn<bool>("shares");
    const QList<double> good = {1, 0, 0, 0, .5, .5, 0, 0, .2, .3, .5, 0, .1, .2, .3, .4};
    const auto changed = [&](auto change) {
      QList<double> all = good;
      for (qsizetype i = 0; i < all.size(); ++i) all[i] = change(all[i], i);
      return all;
    };
    const double nan = std::nan("");
    QTest::newRow("shares") << good << "" << true;
    QTest::newRow("half precision") << changed([](double x, qsizetype) { return std::round(x * 256) / 256; }) << ""
                                    << true;
    QTest::newRow("rows of padding") << changed([](double x, qsizetype i) { return i < 12 ? x : 0; }) << "" << true;
    QTest::newRow("dropout") << changed([](double x, qsizetype) { return x / 0.9; })
                             << "4 of 4 rows of attention do not add up to 1: they are not what a softmax gives."
                             << false;
    QTest::newRow("percent") << changed([](double x, qsizetype) { return x * 100; })
                             << "The rows of attention add up to 100: they are percentages, not shares of 1." << false;
    QTest::newRow("scores") << changed([](double x, qsizetype i) { return x * 6 - double(i % 3); })
                            << "4 of 4 rows of attention have negative values: scores, perhaps, but no weights."
                            << false;
    QTest::newRow("positive scores") << changed([](double x, qsizetype) {
      return x + 2;
    }) << "4 of 4 rows of attention do not add up to 1: they are not what a softmax gives."
                                     << false;
    QTest::newRow("scores with a mask") << changed([&](double x, qsizetype i) {
      return i % 4 > i / 4 ? -HUGE_VAL : x * 9 - 3;
    }) << "3 of 4 rows of attention hold values that are not numbers."
                                        << false;
    QTest::newRow("another axis") << changed([&](double, qsizetype i) {
      return good[i % 4 * 4 + i / 4];
    }) << "The columns of attention add up to 1, not its rows: queries and keys seem to be swapped."
                                  << false;
    QTest::newRow("NaN") << changed([&](double x, qsizetype i) { return i / 4 == 2 ? nan : x; })
                         << "1 of 4 rows of attention hold values that are not numbers." << true;
    QTest::newRow("infinite") << changed([&](double x, qsizetype i) { return i == 9 ? HUGE_VAL : x; })
                              << "1 of 4 rows of attention hold values that are not numbers." << true;
  }
  void rows_that_are_no_shares_are_told() {
    QFETCH(QList<double>, rows);
    QFETCH(QString, note);
    QFETCH(bool, shares);
    Folder folder;
    Tensor all({1, 1, 4, 4});
    for (Index i = 0; i < 16; ++i) all[i] = static_cast<Scalar>(rows[i]);
    write_npz(folder / "a.npz", {{"attentions", all}}, NpyType::f4);
    const Result result = run_of(folder / "a.npz", "0");
    QCOMPARE(result.notes.empty() ? QString() : QString::fromStdString(note_text(result.notes.front())), note);
    QCOMPARE(attention_maps(result).front().are_shares, shares);
  }

  // A mask that says in another way what a token is, or that hides what is looked at, is told and loses nothing.
  void masks_of_another_convention_data() {
    QTest::addColumn<QList<double>>("mask");
    QTest::addColumn<int>("seen");  // tokens that the weights look at, of four; 0: all
    QTest::addColumn<int>("shown");
    QTest::addColumn<QString>("note");
    const double nan = std::nan("");
    const QString other = "The stored mask holds values other than 0 and 1: what is above 0 is read as a token.",
                  added =
                      "The stored mask is one that is added to scores: 0 is read as a token, what is below as padding.",
                  nothing = "The stored mask leaves out every token: it is not applied.";
    const auto hides = [](int percent) {
      return QString(
                 "The stored mask leaves out tokens that get %1 % of the attention (is 1 its sign for padding?): it "
                 "is not applied.")
          .arg(percent);
    };
    const auto row = [](const char* name, const QList<double>& mask, int seen, int shown, const QString& note) {
      QTest::newRow(name) << mask << seen << shown << note;
    };
    row("all", {1, 1, 1, 1}, 0, 4, "");
    row("padding", {1, 1, 0, 0}, 2, 2, "");
    row("padding in front", {0, 0, 1, 1}, -2, 4, "");
    row("nothing", {0, 0, 0, 0}, 0, 4, nothing);
    row("added", {0, 0, -1e9, -1e9}, 2, 2, added);
    row("added, nothing hidden", {0, 0, 0, -HUGE_VAL}, 3, 3, added);
    row("1 is padding", {0, 0, 1, 1}, 2, 4, hides(100));
    row("1 is padding in front", {1, 1, 0, 0}, -2, 4, hides(100));
    row("what it hides is looked at", {1, 1, 0, 0}, 0, 4, hides(50));
    row("-1", {1, 1, 1, -1}, 3, 3, other);
    row("NaN", {1, 1, nan, nan}, 2, 2, other);
    row("only NaN", {nan, nan, nan, nan}, 0, 4, nothing);
    row("only -1", {-1, -1, -1, -1}, 0, 4, nothing);
    row("packed", {1, 1, 2, 2}, 0, 4, other);
  }
  void masks_of_another_convention() {
    QFETCH(QList<double>, mask);
    QFETCH(int, seen);
    QFETCH(int, shown);
    QFETCH(QString, note);
    Folder folder;
    Tensor all = Tensor::zeros({1, 1, 4, 4}), stored({4});
    for (Index i = 0; i < 4; ++i) stored[i] = static_cast<Scalar>(mask[i]);
    const Index from = seen < 0 ? 4 + seen : 0, count = seen == 0 ? 4 : std::abs(seen);
    for (Index q = 0; q < 4; ++q)
      for (Index k = from; k < from + count; ++k) all[q * 4 + k] = Scalar(1) / static_cast<Scalar>(count);
    write_npz(folder / "a.npz", {{"attentions", all}, {"attention_mask", stored}}, NpyType::f4);
    const Result result = run_of(folder / "a.npz", "0");
    QCOMPARE(result.notes.empty() ? QString() : QString::fromStdString(note_text(result.notes.front())), note);
    QCOMPARE(attention_maps(result).front().column_count(), Index(shown));
    QVERIFY(attention_maps(result).front().are_shares);
  }

  void nobody_published_what_somebody_stored() {
    const auto model = open_path(stored("encoder.npz"));
    QCOMPARE(model->title, std::string("encoder.npz"));
    QCOMPARE(model->model->traits().published.year, 0);
  }

  // However a file is cut short or changed, it opens or an error says why.
  void broken_files_are_errors_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"encoder-decoder.npz", "encoder-pair-per-layer.safetensors", "one-matrix.npy"})
      QTest::newRow(name) << name;
  }
  void broken_files_are_errors() {
    QFETCH(QString, name);
    const std::string bytes = get_file(stored(name.toStdString()));
    Folder folder;
    const fs::path path = folder / ("x" + fs::path(name.toStdString()).extension().string());
    const auto tried = [&](const std::string& broken) {
      put_file(path, broken);
      try {
        run_of(path, "0");
      } catch (const Error&) {
      }
    };
    for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 60) tried(bytes.substr(0, length));
    for (std::size_t at = 0; at < std::min<std::size_t>(bytes.size(), 250); at += 3) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
      tried(flipped);
    }
    // The directory of an archive is at its end.
    for (std::size_t at = bytes.size() - std::min<std::size_t>(bytes.size(), 200); at < bytes.size(); at += 3) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
      tried(flipped);
    }
  }

  void what_is_wrong_is_named() {
    Folder folder;
    const auto refusal = [&](const fs::path& path, const std::string& text) {
      QString said = message_of<Error>([&] { run_of(path, text); });
      return said.replace(QString::fromStdString(folder.path().string()), "DIR");
    };
    const fs::path one = folder / "a.npz";
    write_npz(one, {{"attentions", weights(2, 2, 3)}}, NpyType::f4);
    QCOMPARE(refusal(one, "1"), QString("there is no text 1: expected a number from 0 to 0"));
    QCOMPARE(refusal(one, "a text"),
             QString("stored attention: expected the number of a text, from 0 to 0, found 'a text'"));
    write_npz(folder / "b-00000-of-00002.npz", {{"attentions", weights(2, 2, 3)}}, NpyType::f4);
    QCOMPARE(refusal(folder / "b-00000-of-00002.npz", "0"),
             QString("DIR/b-00000-of-00002.npz: the shard b-00001-of-00002.npz is missing"));
    write_npz(folder / "b-00001-of-00002.npz", {{"attentions", weights(1, 2, 3)}}, NpyType::f4);
    QCOMPARE(refusal(folder / "b-00000-of-00002.npz", "0"),
             QString("DIR/b-00001-of-00002.npz: expected attention of 2 layers and 2 heads, as in "
                     "DIR/b-00000-of-00002.npz"));
    write_npz(folder / "c.npz",
              {{"encoder_attentions.0", weights(1, 2, 3)}, {"encoder_attentions.2", weights(1, 2, 3)}}, NpyType::f4);
    QCOMPARE(format_of(folder / "c.npz")->id, "npz");
    write_npz(folder / "d.npz", {{"attentions", weights(1, 2, 3)}, {"attention_mask", Tensor::full({1, 4}, 1)}},
              NpyType::f4);
    QCOMPARE(refusal(folder / "d.npz", "0"),
             QString("DIR/d.npz: attention_mask: expected 3 numbers, one for each token, found [1 x 4]"));
    write_npz(folder / "e.npz", {{"attentions", weights(1, 2, 3)}, {"sentence_b_start", Tensor::full({1}, 3)}},
              NpyType::f4);
    QCOMPARE(refusal(folder / "e.npz", "0"),
             QString("DIR/e.npz: sentence_b_start: expected a token from 0 to 2, found 3.0"));
    // A mask of pairs of tokens, and tokens of other texts.
    write_npz(folder / "f.npz", {{"attentions", weights(1, 2, 3)}, {"attention_mask", Tensor::full({3, 3}, 1)}},
              NpyType::f4);
    QCOMPARE(refusal(folder / "f.npz", "0"),
             QString("DIR/f.npz: attention_mask: expected 3 numbers, one for each token, found [3 x 3]"));
    const auto model = open_path(one);
    QCOMPARE(message_of<UsageError>([&] {
               variant(model, {{"heads", 4}});
             }),
             QString("this attention was stored: nothing is computed that a setting could change"));
  }
};

HEADLIGHT_CORE_TEST(TestCaptured)

}  // namespace headlight::test_captured

#include "test_captured.moc"
