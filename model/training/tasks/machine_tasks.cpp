// The tasks of the Neural Turing Machine, on characters that are bits: a vocabulary of 2^b characters, each of them the
// b bits of its place in it. There are no special tokens.
// Graves et al. 2014, section 4.1: trained on lengths 1-20, tested outside on longer ones.
// Section 4.2: a string of 1-10 letters and digits and a digit 1-9, how often to write it; a full stop ends the output.
// Section 4.3: 2-6 items of 3 characters (3 x 6 bits) with spaces between, a full stop, one of the items but the last;
// the output is the item that followed it.
// 6 bits: letters, digits, space, full stop
// 8 bits, as in the paper: 256 characters
#include <algorithm>

#include "model/text/pretrained/unicode.h"
#include "model/training/tasks/draw.h"
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

using Characters = std::vector<std::string>;

constexpr int kLongestCopy = 20, kLongestRepeated = 10, kMostRepeats = 9, kItemSize = 3, kMostItems = 6;

void add_range(Characters& characters, char32_t first, char32_t last) {
  for (char32_t c = first; c <= last; ++c) pretrained::append(characters.emplace_back(), c);
}

const Characters& letters_and_digits() {
  static const Characters characters = [] {
    Characters all;
    add_range(all, U'A', U'Z');
    add_range(all, U'a', U'z');
    add_range(all, U'0', U'9');
    return all;
  }();
  return characters;
}

// 26 + 26 + 10 + 2.
const Characters& six_bits() {
  static const Characters characters = [] {
    Characters all = letters_and_digits();
    all.insert(all.end(), {" ", "."});
    return all;
  }();
  return characters;
}

// ASCII and Latin-1 without what cannot be seen (95 + 94 characters), and the next 67 letters of Unicode.
const Characters& eight_bits() {
  static const Characters characters = [] {
    Characters all;
    add_range(all, 0x20, 0x7E);
    add_range(all, 0xA1, 0xAC);
    add_range(all, 0xAE, 0xFF);
    add_range(all, 0x100, 0x142);
    return all;
  }();
  return characters;
}

TextRules rules(const Characters& characters, Index longest) {
  TextRules text;
  text.source = text.target = Tokenizer(Vocabulary(characters));
  text.bos = *text.source.vocabulary().find(" ");  // never used: the machine is fed nothing while it writes
  text.longest_source = longest;
  return text;
}

Characters draw_characters(const Characters& from, int count, Random& random) {
  Characters drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(pick(from, random));
  return drawn;
}

std::string joined(const Characters& characters) {
  std::string text;
  for (const std::string& c : characters) text += c;
  return text;
}

int between(int low, int high, Random& random) {
  return low + static_cast<int>(random.below(static_cast<std::uint32_t>(high - low + 1)));
}

Example draw_copy(Random& random, const Characters& from, int length) {
  Example example;
  example.source = example.target = joined(draw_characters(from, length, random));
  for (Index i = 0; i < length; ++i) example.alignment.push_back({i, i});
  example.group = length;
  return example;
}

Task copy_of(const Characters& characters, const char* name, const char* title, const char* description) {
  Task task{name,
            title,
            description,
            rules(characters, kLongestCopy),
            {"Hello", "Turing machine", "A", "abcdefghijklmnopqrst", "Longer than it was trained on"},
            [&characters](Random& random) { return draw_copy(random, characters, between(1, kLongestCopy, random)); }};
  task.grouped_by = "length";
  task.learned.kind = Learned::Kind::characters;
  task.learned.first = 1;
  task.learned.last = kLongestCopy;
  task.learned.tries = [examples = task.examples](const std::string&) {
    std::vector<Learned::Text> texts;
    for (const std::string& each : examples)
      if (each.size() <= kLongestCopy) texts.push_back({each, each});
    return texts;
  };
  task.learned.beyond = [examples = task.examples](const std::string&) {
    return Learned::Text{examples.back(), examples.back()};
  };
  // Figure 4 of the paper has 10, 20, 30, 50 and 120.
  test_outside(task, {25, 30, 40, 50, 120},
               [&characters](Random& random, int length) { return draw_copy(random, characters, length); });
  return task;
}

Example draw_repeated(int length, int times, Random& random) {
  const std::string text = joined(draw_characters(letters_and_digits(), length, random));
  Example example{text + std::to_string(times), {}, {}, length};
  for (int i = 0; i < times * length; ++i) example.alignment.push_back({i % length, i});
  for (int i = 0; i < times; ++i) example.target += text;
  return example;
}

Example draw_recall(Random& random, int items) {
  std::vector<std::string> list;
  while (static_cast<int>(list.size()) < items) {
    std::string item = joined(draw_characters(letters_and_digits(), kItemSize, random));
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
  }
  const auto asked = static_cast<std::size_t>(between(0, items - 2, random));
  Example example;
  for (const std::string& item : list) example.source += (example.source.empty() ? "" : " ") + item;
  example.source += "." + list[asked];
  example.target = list[asked + 1];
  for (Index i = 0; i < kItemSize; ++i)
    example.alignment.push_back({static_cast<Index>(asked + 1) * (kItemSize + 1) + i, i});
  example.group = items;
  return example;
}

}  // namespace

Task bits_copy_task() {
  return copy_of(six_bits(), "bits_copy", "Copying, 6 bits",
                 "Reads up to twenty characters of 6 bits each and writes them again. Longer inputs show whether a way "
                 "to copy was learned, or twenty places.");
}

Task bits_copy_8_task() {
  return copy_of(eight_bits(), "bits_copy_8", "Copying, 8 bits",
                 "Reads up to twenty characters of 8 bits each and writes them again, as in the paper.");
}

Task repeat_copy_task() {
  Task task{"repeat_copy",
            "Repeated copying",
            "Reads up to ten letters and digits and, as the last character, a digit from 1 to 9; writes what stands "
            "before it that many times, then a full stop.",
            rules(six_bits(), kLongestRepeated + 1),
            {"abc3", "Ha9", "Turing2", "7", "ABCDEFGHIJ5"},
            [](Random& random) {
              return draw_repeated(between(1, kLongestRepeated, random), between(1, kMostRepeats, random), random);
            }};
  task.text.eos = task.text.target.vocabulary().find(".");
  task.text.target_length = 2 * kLongestRepeated * kMostRepeats;
  task.grouped_by = "length";
  test_outside(task, {12, 15, 20}, [](Random& random, int length) {
    return draw_repeated(length, between(1, kMostRepeats, random), random);
  });
  return task;
}

Task assoc_recall_task() {
  Task task{"assoc_recall",
            "Associative recall",
            "Reads two to six items of three characters, a full stop, and one of the items again; writes the item that "
            "followed it.",
            rules(six_bits(), kMostItems * (kItemSize + 1) + kItemSize),
            {"abc XYZ 123.abc", "one two six ten.two", "cat dog pig hen cow fox.hen", "red sky.red"},
            [](Random& random) { return draw_recall(random, between(2, kMostItems, random)); }};
  task.text.target_length = kItemSize;
  task.grouped_by = "items";
  test_outside(task, {8, 10, 15, 20}, draw_recall);  // figure 11 of the paper goes up to 20
  return task;
}

}  // namespace headlight
