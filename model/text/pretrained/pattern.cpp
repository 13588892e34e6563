#include "model/text/pretrained/pattern.h"

#define ONIG_ESCAPE_UCHAR_COLLISION 1  // ICU has a UChar as well
#include <oniguruma.h>

#include <mutex>

#include "model/core/effort.h"
#include "model/core/errors.h"
#include "model/core/slices.h"
#include "model/text/pretrained/aligned_text.h"
#include "model/text/utf8.h"

namespace headlight::pretrained {

namespace {

constexpr std::size_t kMaxExpression = 10'000;
constexpr unsigned long kMaxRetries = 1'000'000;  // of one search
constexpr unsigned kMaxStack = 1'000'000;         // entries, of one search

const OnigUChar* bytes(std::string_view text) { return reinterpret_cast<const OnigUChar*>(text.data()); }

class Expression {
 public:
  Expression(const std::string& expression, std::string where) : where_(std::move(where)) {
    static std::once_flag once;
    const WholeSlice whole;
    std::call_once(once, [] {
      OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
      onig_initialize(encodings, 1);
      onig_set_warn_func([](const char*) {});
      onig_set_verb_warn_func([](const char*) {});
    });
    if (expression.size() > kMaxExpression)
      fail("the expression has " + std::to_string(expression.size()) + " bytes, at most " +
           std::to_string(kMaxExpression) + " are read");
    OnigErrorInfo info{};
    const int error = onig_new(&regex_, bytes(expression), bytes(expression) + expression.size(), ONIG_OPTION_NONE,
                               ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info);
    if (error == ONIG_NORMAL) return;
    OnigUChar text[ONIG_MAX_ERROR_MESSAGE_LEN] = {};
    onig_error_code_to_str(text, error, &info);
    fail("not a regular expression: " + std::string(reinterpret_cast<const char*>(text)));
  }
  ~Expression() { onig_free(regex_); }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  Ranges find(std::string_view text) const {
    const std::unique_ptr<OnigMatchParam, void (*)(OnigMatchParam*)> limits(onig_new_match_param(),
                                                                            onig_free_match_param);
    onig_set_retry_limit_in_match_of_match_param(limits.get(), kMaxRetries);
    onig_set_retry_limit_in_search_of_match_param(limits.get(), kMaxRetries);
    onig_set_match_stack_limit_size_of_match_param(limits.get(), kMaxStack);
    const std::unique_ptr<OnigRegion, void (*)(OnigRegion*)> region(onig_region_new(),
                                                                    [](OnigRegion* r) { onig_region_free(r, 1); });
    Ranges ranges;
    std::size_t at = 0, last_end = std::string_view::npos;
    while (at <= text.size()) {
      const int found = onig_search_with_param(regex_, bytes(text), bytes(text) + text.size(), bytes(text) + at,
                                               bytes(text) + text.size(), region.get(), ONIG_OPTION_NONE, limits.get());
      Effort::spend_much();
      if (found == ONIG_MISMATCH) break;
      if (found < 0) fail("the expression takes too long on this text");
      const auto first = static_cast<std::size_t>(region->beg[0]), last = static_cast<std::size_t>(region->end[0]);
      // As the library goes on: an empty match behind another one is none.
      if (first == last) {
        at = last + std::max<std::size_t>(last < text.size() ? code_point_length(text, last) : 1, 1);
        if (last_end == last) continue;
      } else {
        at = last;
      }
      last_end = last;
      ranges.emplace_back(first, last);
    }
    return ranges;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw FormatError(where_ + ": " + what); }
  std::string where_;
  regex_t* regex_ = nullptr;
};

}  // namespace

Pattern literal(std::string text) {
  return [text = std::move(text)](std::string_view in) {
    Ranges ranges;
    if (text.empty()) return ranges;
    for (std::size_t at = in.find(text); at != std::string_view::npos; at = in.find(text, at + text.size()))
      ranges.emplace_back(at, at + text.size());
    return ranges;
  };
}

Pattern characters(bool (*is)(char32_t c)) {
  return [is](std::string_view in) {
    Ranges ranges;
    for_each_character(in, [&](char32_t c, std::size_t at, std::size_t length) {
      if (is(c)) ranges.emplace_back(at, at + length);
    });
    return ranges;
  };
}

Pattern regular_expression(const std::string& expression, const std::string& where) {
  auto shared = std::make_shared<const Expression>(expression, where);
  return [shared = std::move(shared)](std::string_view text) { return shared->find(text); };
}

}  // namespace headlight::pretrained
