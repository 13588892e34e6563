// Strings of digits that are copied, reversed or sorted.
// models.md 8.1: trained on lengths 1-10, tested outside on 11-20.
#include <algorithm>
#include <numeric>

#include "model/training/tasks/draw.h"

namespace headlight {

namespace {

constexpr int kTrained = 10;

// Where the digits of the target come from.
using Order = std::vector<std::size_t> (*)(const std::string& source);

std::vector<std::size_t> places(const std::string& source) {
  std::vector<std::size_t> order(source.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}
std::vector<std::size_t> as_it_is(const std::string& source) { return places(source); }
std::vector<std::size_t> backwards(const std::string& source) {
  std::vector<std::size_t> order = places(source);
  std::reverse(order.begin(), order.end());
  return order;
}
std::vector<std::size_t> ascending(const std::string& source) {
  std::vector<std::size_t> order = places(source);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return source[a] < source[b]; });
  return order;
}

Example draw(Random& random, Order order_of, int length) {
  Example example;
  for (int i = 0; i < length; ++i) example.source += static_cast<char>('0' + random.below(10));
  for (const std::size_t at : order_of(example.source)) {
    example.alignment.push_back({static_cast<Index>(at), static_cast<Index>(example.target.size())});
    example.target += example.source[at];
  }
  example.group = length;
  return example;
}

Task make(const char* name, const char* title, const char* description, Order order) {
  std::vector<std::string> digits;
  for (char c = '0'; c <= '9'; ++c) digits.emplace_back(1, c);
  Task task{name,
            title,
            description,
            rules_with_end(TokenizerKind::characters, digits, digits),
            {"31415926", "2026", "7", "9876543210", "271828182845"},
            [order](Random& random) { return draw(random, order, 1 + static_cast<int>(random.below(kTrained))); }};
  task.text.longest_source = kTrained;
  task.grouped_by = "length";
  const auto right = [order](std::string text) {
    Learned::Text pair{text, {}};
    for (const std::size_t at : order(text)) pair.right += text[at];
    return pair;
  };
  task.learned.kind = Learned::Kind::digits;
  task.learned.first = 1;
  task.learned.last = kTrained;
  task.learned.misfit = [](const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }) ? Misfit::none : Misfit::form;
  };
  task.learned.tries = [right, examples = task.examples](const std::string&) {
    std::vector<Learned::Text> texts;
    for (const std::string& each : examples)
      if (each.size() <= kTrained) texts.push_back(right(each));
    return texts;
  };
  task.learned.beyond = [right](const std::string&) { return right("27182818284590"); };
  test_outside(task, {11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
               [order](Random& random, int length) { return draw(random, order, length); });
  return task;
}

}  // namespace

Task copy_task() {
  return make("copy", "Copying", "Reads up to ten digits and writes them again. Longer inputs show what was learned.",
              as_it_is);
}

Task reverse_task() {
  return make("reverse", "Reversing", "Reads up to ten digits and writes them from the last to the first.", backwards);
}

Task sort_task() {
  return make("sort", "Sorting", "Reads up to ten digits and writes them in ascending order.", ascending);
}

}  // namespace headlight
