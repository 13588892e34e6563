// How a word is cut, step by step: by hand for each rule, and for every tokenizer the last step is what it gives.

#include <cmath>

#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/text/pretrained/parts.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_word_cuts {

using namespace headlight::testing;

namespace {

using Rule = WordCut::Rule;

std::string joined(const std::vector<CutPiece>& pieces) {
  std::string text;
  for (const CutPiece& piece : pieces) text += (text.empty() ? "" : " ") + piece.text + (piece.unknown ? "?" : "");
  return text;
}

std::vector<std::string> rows(const WordCut& cut) {
  std::vector<std::string> found;
  for (const CutStep& step : cut.steps) found.push_back(joined(step.pieces));
  return found;
}

// The texts of all last steps in order.
std::vector<std::string> last_steps(const std::vector<WordCut>& cuts) {
  std::vector<std::string> found;
  for (const WordCut& cut : cuts)
    for (const CutPiece& piece : cut.tokens()) found.push_back(piece.text);
  return found;
}

WordCut cut_of(const pretrained::SubwordModel& model, const std::string& word) {
  WordCut cut;
  model.tokenize(word, &cut);
  return cut;
}

std::string first_difference(const pretrained::Tokenizer& tokenizer, const std::string& text) {
  std::vector<std::string> expected;
  for (const pretrained::EncodedToken& token : tokenizer.encode(text, false)) expected.push_back(token.text);
  const std::vector<std::string> found = last_steps(tokenizer.cuts(text));
  if (found == expected) return {};
  return "\"" + text + "\": " + std::to_string(found.size()) + " pieces for " + std::to_string(expected.size());
}

}  // namespace

class TestWordCuts : public QObject {
  Q_OBJECT

 private slots:
  // Rules 0: l + o, 1: lo + w, 2: e + r</w>, 3: low + er</w>, worked by hand.
  void merges_by_rank() {
    const std::vector<std::string> tokens = with_special_tokens(
        {"l", "l</w>", "o", "o</w>", "w", "w</w>", "e", "e</w>", "r", "r</w>", "lo", "low", "er</w>", "lower</w>"});
    const Tokenizer bpe(Vocabulary(tokens), TokenizerKind::bpe, true,
                        {{"l", "o"}, {"lo", "w"}, {"e", "r</w>"}, {"low", "er</w>"}});
    const std::vector<WordCut> cuts = bpe.cuts("Lower lowx");
    QCOMPARE(cuts.size(), std::size_t{2});
    QVERIFY(cuts[0].rule == Rule::merges);
    QVERIFY((rows(cuts[0]) == std::vector<std::string>{"l o w e r", "lo w e r", "low e r", "low er", "lower"}));
    QCOMPARE(cuts[0].steps[3].rank, 2L);
    QCOMPARE(cuts[0].steps[3].left, std::string("e"));
    QCOMPARE(cuts[0].steps[3].right, std::string("r</w>"));
    QVERIFY(cuts[0].steps[3].made == std::vector<int>{1});
    // The x is in no word of the vocabulary.
    QVERIFY((rows(cuts[1]) == std::vector<std::string>{"l o w x", "lo w x", "low x?"}));
    QCOMPARE(cuts[1].begin, std::size_t{6});
    QCOMPARE(cuts[1].end, std::size_t{10});
  }

  // One rule may join several places: they are one step.
  void one_rule_in_two_places() {
    const auto model = pretrained::byte_pair({{"a", 0}, {"n", 1}, {"an", 2}, {"b", 3}, {"ana", 4}},
                                             {{"a", "n"}, {"an", "a"}}, {}, "here");
    const WordCut cut = cut_of(*model, "banana");
    QVERIFY((rows(cut) == std::vector<std::string>{"b a n a n a", "b an an a", "b an ana"}));
    QVERIFY((cut.steps[1].made == std::vector<int>{1, 2}));
    QVERIFY(cut.steps[2].made == std::vector<int>{2});
    QCOMPARE(cut.merges(), std::size_t{3});
  }

  void longest_match_from_the_left() {
    const auto model = pretrained::word_piece(
        {{"[UNK]", 0}, {"un", 1}, {"u", 2}, {"##aff", 3}, {"##able", 4}, {"##a", 5}}, {}, "here");
    const WordCut cut = cut_of(*model, "unaffable");
    QVERIFY(cut.rule == Rule::longest_match);
    QVERIFY((rows(cut) == std::vector<std::string>{"unaffable", "un ##affable", "un ##aff ##able", "un ##aff ##able"}));
    // The longest token has six bytes: "unaffa" is tried first.
    QVERIFY((cut.steps[1].tried == std::vector<std::string>{"unaffa", "unaff", "unaf", "una"}));
    QVERIFY(cut.steps[1].rest);
    QVERIFY(!cut.steps.back().rest);
    // What no piece begins makes all of it unknown.
    QCOMPARE(joined(cut_of(*model, "unxa").tokens()), std::string("[UNK]?"));
  }

  // Paths of "abc": ab + c = -1.5 - 1 = -2.5; a + bc = -1 - 2 = -3; a + b + c = -1 - 2 - 1 = -4.
  void best_path_and_runner_up() {
    const auto model = pretrained::unigram({{"<unk>", 0}, {"a", -1}, {"b", -2}, {"c", -1}, {"ab", -1.5}, {"bc", -2}}, 0,
                                           false, "here");
    const WordCut cut = cut_of(*model, "abc");
    QVERIFY(cut.rule == Rule::best_path);
    QVERIFY((rows(cut) == std::vector<std::string>{"a b c", "a bc", "ab c"}));
    QVERIFY(std::abs(cut.steps[1].score + 3) < 1e-12);
    QVERIFY(std::abs(cut.steps[2].score + 2.5) < 1e-12);
    QCOMPARE(cut.arcs.size(), std::size_t{5});
    QCOMPARE(cut.arcs[1].text, std::string("ab"));
    QCOMPARE(cut.arcs[1].end, std::size_t{2});
    // Ten below the least score is what a character costs that no piece has.
    const WordCut unknown = cut_of(*model, "ax");
    QCOMPARE(joined(unknown.tokens()), std::string("a x?"));
    QVERIFY(std::abs(unknown.steps.back().score + 1 + 12) < 1e-12);
  }

  void words_and_characters() {
    const std::vector<std::string> tokens = with_special_tokens({"the", "cat"});
    const std::vector<WordCut> words = Tokenizer(Vocabulary(tokens), TokenizerKind::words).cuts("the dog");
    QCOMPARE(words.size(), std::size_t{2});
    QVERIFY(words[0].rule == Rule::whole);
    QCOMPARE(joined(words[0].tokens()), std::string("the"));
    QCOMPARE(joined(words[1].tokens()), std::string("dog?"));
    const std::vector<WordCut> letters = Tokenizer(Vocabulary({"a", "b"})).cuts("abc");
    QCOMPARE(letters.size(), std::size_t{1});
    QCOMPARE(joined(letters[0].tokens()), std::string("a b c?"));
    QVERIFY(Tokenizer(Vocabulary({"a", "b"})).cuts("").empty());
  }

  // The tokenizers of other libraries, on the texts that they were compared on.
  void the_last_step_is_what_they_give() {
    int read = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(HEADLIGHT_TEST_DATA) / "tokenizers")) {
      if (!entry.is_directory()) continue;
      const auto tokenizer = open_tokenizer(entry.path());
      const Json texts = read_json(entry.path() / "golden.json", 1u << 28);
      for (const Json& each : texts.at("texts")) {
        const std::string said = first_difference(*tokenizer, each.at("text").get<std::string>());
        QVERIFY2(said.empty(), (entry.path().string() + ": " + said).c_str());
        ++read;
      }
    }
    QVERIFY(read > 100);
  }

  // And those of the models that are here, on their own examples and on what they do not know.
  void and_what_our_own_give() {
    for (const fs::path& folder : bundled_models()) {
      const auto model = load_model(folder.string());
      std::vector<std::string> texts = model->examples;
      texts.insert(texts.end(), {"Zoë's neighbourhood, [MASK] 12", "", "  ", "你好"});
      for (const std::string& text : texts) {
        std::vector<std::string> expected;
        for (const TextToken& token : model->text.source.split(text)) {
          const bool lower = model->text.source.lower_case();
          expected.push_back(lower && token.text != kMask ? normal_form(token.text, model->text.source.kind(), true)
                                                          : token.text);
        }
        std::vector<std::string> found;
        for (const std::string& each : last_steps(model->text.source.cuts(text)))
          found.push_back(model->text.source.lower_case() && each != kMask
                              ? normal_form(each, model->text.source.kind(), true)
                              : each);
        QVERIFY2(found == expected, (model->name + ": " + text).c_str());
      }
    }
  }
};

HEADLIGHT_TEST(TestWordCuts)

}  // namespace headlight::test_word_cuts

#include "test_word_cuts.moc"
