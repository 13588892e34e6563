// Word banks from JSON: strict, for teachers write them by hand. And those that are built in, written in the same way.
#include <algorithm>

#include "model/core/errors.h"
#include "model/io/json_file.h"
#include "model/text/message_line.h"
#include "model/text/words.h"
#include "model/training/tasks/own/pairs.h"
#include "model/training/tasks/own/word_bank.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMostBankBytes = 1 << 20;
constexpr std::size_t kMostSlots = 8, kMostWords = 100, kMostForms = 4, kMostPatterns = 30, kMostPatternWords = 40,
                      kLongestText = 100, kMostPossible = 1'000'000;

WordBank::Form form_of_text(const std::string& text) {
  WordBank::Form form{text, {}, {}, {}, 0};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + 1;
    if (part.empty()) continue;
    for (const Word& word : split_words(part)) form.pieces.push_back(part.substr(word.begin, word.end - word.begin));
    form.part.resize(form.pieces.size(), form.parts++);
  }
  for (const std::string& piece : form.pieces) form.keys.push_back(normal_form(piece, TokenizerKind::words, true));
  return form;
}

// "sees | saw" -> sees, saw.
std::vector<std::string> cut_at(const std::string& text, char sign) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(sign, at), text.size());
    std::string part = text.substr(at, end - at);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

// Written as a teacher would.
constexpr const char* kEnglishGerman = R"({
  "name": "English and German", "languages": ["English", "German"],
  "slots": [
    {"name": "when", "words": [["", ""], ["today", "heute"], ["yesterday", "gestern"]]},
    {"name": "who", "words": [["anna", "anna"], ["tom", "tom"], ["mia", "mia"], ["paul", "paul"],
      ["my brother", "mein bruder"], ["our teacher", "unsere lehrerin"], ["the girl", "das mädchen"],
      ["the child", "das kind"]]},
    {"name": "does", "words": [["sees | saw", "sieht | gesehen"], ["buys | bought", "kauft | gekauft"],
      ["paints | painted", "malt | gemalt"], ["finds | found", "findet | gefunden"],
      ["sells | sold", "verkauft | verkauft"], ["brings | brought", "bringt | gebracht"]]},
    {"name": "which", "words": [["old", "alte"], ["red", "rote"], ["small", "kleine"], ["new", "neue"],
      ["cold", "kalte"], ["green", "grüne"]]},
    {"name": "what", "words": [["house", "haus"], ["car", "auto"], ["book", "buch"], ["picture", "bild"],
      ["boat", "boot"], ["horse", "pferd"], ["bread", "brot"], ["bicycle", "fahrrad"]]}],
  "patterns": [
    {"for": {"when": ["yesterday"]}, "source": "{when} {who} {does.2} the {which} {what}",
     "target": "{when} hat@{does} {who} das@the {which} {what} {does.2}"},
    {"for": {"when": ["today"]}, "source": "{when} {who} {does} the {which} {what}",
     "target": "{when} {does} {who} das@the {which} {what}"},
    {"source": "{when} {who} {does} the {which} {what}", "target": "{when} {who} {does} das@the {which} {what}"}]
})";

constexpr const char* kEnglishChinese = R"({
  "name": "English and Chinese", "languages": ["English", "Chinese"],
  "slots": [
    {"name": "when", "words": [["", ""], ["today", "今天"], ["yesterday", "昨天"]]},
    {"name": "who", "words": [["anna", "安娜"], ["tom", "汤姆"], ["mia", "米娅"], ["paul", "保罗"],
      ["my brother", "我 哥哥"], ["our teacher", "我们 老师"], ["the girl", "女孩"], ["the child", "孩子"]]},
    {"name": "does", "words": [["sees | saw", "看见"], ["buys | bought", "买"], ["paints | painted", "画"],
      ["finds | found", "找到"], ["sells | sold", "卖"], ["brings | brought", "带来"]]},
    {"name": "what", "words": [["house", "房子 | 座"], ["car", "汽车 | 辆"], ["book", "书 | 本"], ["picture", "画 | 幅"],
      ["boat", "船 | 条"], ["horse", "马 | 匹"], ["bread", "面包 | 块"], ["bicycle", "自行车 | 辆"]]}],
  "patterns": [
    {"for": {"when": ["yesterday"]}, "source": "{when} {who} {does.2} the {what}",
     "target": "{when} {who} {does} 了@{does} 那@the {what.2} {what}"},
    {"source": "{when} {who} {does} the {what}", "target": "{when} {who} {does} 那@the {what.2} {what}"}]
})";

}  // namespace

class WordBankReader {
 public:
  WordBankReader(const Json& json, const std::string& name) : top_(json, name), name_(name) {
    top_.allow_only({"name", "languages", "slots", "patterns"});
  }

  WordBank read() {
    bank_.name_ = checked(top_, "name", top_.text("name"));
    const std::vector<std::string> languages = top_.texts("languages");
    if (languages.size() != 2) top_.fail("languages", "expected two names, found " + std::to_string(languages.size()));
    bank_.source_language_ = checked(top_, "languages", languages[0]);
    bank_.target_language_ = checked(top_, "languages", languages[1]);
    each("slots", kMostSlots, [this](const Settings& slot) { read_slot(slot); });
    if (bank_.possible(bank_.all()) > kMostPossible)
      top_.fail("slots", "expected at most " + std::to_string(kMostPossible) + " combinations, found more");
    each("patterns", kMostPatterns, [this](const Settings& pattern) { read_pattern(pattern); });
    for (const std::vector<bool>& words : bank_.patterns_.back().fits)
      if (std::ranges::find(words, false) != words.end())
        top_.fail("patterns", "expected a last pattern without \"for\", which is taken where no other fits");
    return std::move(bank_);
  }

 private:
  template <class Take>
  void each(const char* key, std::size_t most, const Take& take) {
    const Json& list = top_.at(key);
    if (!list.is_array() || list.empty() || list.size() > most)
      top_.fail(key, "expected a list of 1 to " + std::to_string(most) + " objects");
    for (std::size_t i = 0; i < list.size(); ++i)
      take(Settings(list[i], name_, std::string(key) + "[" + std::to_string(i) + "]"));
  }

  static std::string checked(const Settings& in, const std::string& key, const std::string& text) {
    if (text.size() > kLongestText)
      in.fail(key, "expected at most " + std::to_string(kLongestText) + " bytes, found " + std::to_string(text.size()));
    if (escaped_line(text) != text) in.fail(key, "expected no control characters, found \"" + escaped_line(text) + '"');
    return text;
  }

  void read_slot(const Settings& in) {
    in.allow_only({"name", "words"});
    WordBank::Slot slot{checked(in, "name", in.text("name")), {}};
    if (slot.name.empty() || slot.name.find_first_of(" {}.@|") != std::string::npos)
      in.fail("name", "expected a word without spaces, dots, braces, @ and |, found \"" + slot.name + '"');
    if (slot_of(slot.name) >= 0)
      in.fail("name", "expected another name for each slot, found \"" + slot.name + "\" twice");
    const Json& words = in.at("words");
    if (!words.is_array() || words.empty() || words.size() > kMostWords)
      in.fail("words", "expected a list of 1 to " + std::to_string(kMostWords) + " words");
    for (const Json& word : words) {
      slot.words.push_back(read_word(in, word));
      const auto same = [&](const WordBank::Word& each) {
        return each.source[0].keys == slot.words.back().source[0].keys;
      };
      if (std::ranges::count_if(slot.words, same) > 1)
        in.fail("words", "expected different words, found \"" + slot.words.back().source[0].text + "\" twice");
    }
    bank_.slots_.push_back(std::move(slot));
  }

  static WordBank::Word read_word(const Settings& in, const Json& word) {
    if (!word.is_array() || word.size() != 2 || !word[0].is_string() || !word[1].is_string())
      in.fail("words", "expected lists of two texts, such as [\"sees | saw\", \"sieht | gesehen\"], found " +
                           escaped_line(word.dump()).substr(0, kLongestText));
    const auto forms = [&](const Json& text) {
      std::vector<WordBank::Form> made;
      for (const std::string& each : cut_at(checked(in, "words", text.get<std::string>()), '|'))
        made.push_back(form_of_text(each));
      if (made.size() > kMostForms) in.fail("words", "expected at most " + std::to_string(kMostForms) + " forms");
      return made;
    };
    return {forms(word[0]), forms(word[1])};
  }

  int slot_of(const std::string& name) const {
    const auto found = std::ranges::find(bank_.slots_, name, &WordBank::Slot::name);
    return found == bank_.slots_.end() ? -1 : static_cast<int>(found - bank_.slots_.begin());
  }

  void read_pattern(const Settings& in) {
    in.allow_only({"for", "source", "target"});
    WordBank::Pattern pattern{bank_.all(), {}, {}};
    if (in.has("for")) read_fits(in.object("for"), in.at("for"), pattern);
    pattern.source = read_items(in, "source", nullptr);
    for (std::size_t s = 0; s < bank_.slots_.size(); ++s)
      if (std::ranges::find(pattern.source, static_cast<int>(s), &WordBank::Item::slot) == pattern.source.end())
        in.fail("source", "expected every slot, found no {" + bank_.slots_[s].name + "}");
    pattern.target = read_items(in, "target", &pattern.source);
    bank_.patterns_.push_back(std::move(pattern));
  }

  void read_fits(const Settings& in, const Json& json, WordBank::Pattern& pattern) {
    for (const auto& [name, unused] : json.items()) {
      const int slot = slot_of(name);
      if (slot < 0) in.fail(name, "expected a slot of this file, found none of this name");
      const WordBank::Slot& of = bank_.slots_[static_cast<std::size_t>(slot)];
      std::vector<bool>& fits = pattern.fits[static_cast<std::size_t>(slot)];
      fits.assign(of.words.size(), false);
      for (const std::string& word : in.texts(name.c_str())) {
        const auto called = [&](const WordBank::Word& each) { return each.source[0].text == word; };
        const auto found = std::ranges::find_if(of.words, called);
        if (found == of.words.end()) in.fail(name, "expected a word of the slot, found \"" + escaped_line(word) + '"');
        fits[static_cast<std::size_t>(found - of.words.begin())] = true;
      }
    }
  }

  // Words of a pattern; of a target (`source` is given) each with where it comes from.
  std::vector<WordBank::Item> read_items(const Settings& in, const char* key,
                                         const std::vector<WordBank::Item>* source) {
    std::vector<WordBank::Item> items;
    for (const std::string& word : cut_at(in.text(key), ' ')) {
      if (word.empty()) continue;
      if (items.size() == kMostPatternWords)
        in.fail(key, "expected at most " + std::to_string(kMostPatternWords) + " words");
      const std::size_t at = source ? word.rfind('@') : std::string::npos;
      WordBank::Item item = read_item(in, key, word.substr(0, at), source != nullptr);
      if (source && (at != std::string::npos || item.slot >= 0)) {
        const WordBank::Item from = at == std::string::npos ? item : read_item(in, key, word.substr(at + 1), false);
        const auto comes_from = [&](const WordBank::Item& each) {
          return each.slot == from.slot && (each.slot >= 0 || each.text.keys == from.text.keys);
        };
        item.from = static_cast<int>(std::ranges::find_if(*source, comes_from) - source->begin());
        if (item.from == static_cast<int>(source->size()))
          in.fail(key, "expected after @ a word of the source, found \"" + escaped_line(word.substr(at + 1)) + '"');
      }
      items.push_back(std::move(item));
    }
    if (items.empty()) in.fail(key, "expected words, found none");
    return items;
  }

  WordBank::Item read_item(const Settings& in, const char* key, const std::string& word, bool target) const {
    if (!word.starts_with('{')) return {-1, 0, form_of_text(checked(in, key, word)), -1};
    const std::size_t dot = std::min(word.find('.'), word.size() - 1);
    const std::string number = dot + 1 < word.size() ? word.substr(dot + 1, word.size() - dot - 2) : "1";
    WordBank::Item item{word.ends_with('}') ? slot_of(word.substr(1, dot - 1)) : -1, 0, {}, -1};
    if (item.slot < 0) in.fail(key, "expected a slot such as {who} or {does.2}, found \"" + escaped_line(word) + '"');
    item.form = number.size() == 1 && number[0] >= '1' && number[0] <= '9' ? static_cast<std::size_t>(number[0] - '1')
                                                                           : kMostForms;
    for (const WordBank::Word& each : bank_.slots_[static_cast<std::size_t>(item.slot)].words)
      if (item.form >= (target ? each.target : each.source).size())
        in.fail(key, "expected a form that every word has, found \"" + escaped_line(word) + "\", which \"" +
                         each.source[0].text + "\" has not");
    return item;
  }

  Settings top_;
  std::string name_;
  WordBank bank_;
};

WordBank WordBank::parse(const std::string& json, const std::string& name) {
  return WordBankReader(parse_json(json, name, {.depth = 8}), name).read();
}

WordBank WordBank::read(const std::filesystem::path& file) {
  return WordBankReader(read_json(file, kMostBankBytes, {.depth = 8}), escaped_line(file.string())).read();
}

const std::vector<WordBank>& word_banks() {
  static const std::vector<WordBank> banks = {WordBank::parse(kEnglishGerman, "english-german"),
                                              WordBank::parse(kEnglishChinese, "english-chinese")};
  return banks;
}

}  // namespace headlight
