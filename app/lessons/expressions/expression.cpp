// Parsing. Depth and length are limited: expressions come with folders of strangers.

#include "app/lessons/expressions/expression.h"

#include <algorithm>
#include <functional>

#include "app/lessons/expressions/expression_nodes.h"
#include "model/core/numbers.h"
#include "model/text/nearest.h"

namespace headlight {

using namespace expressions;

namespace {

constexpr int kDeepest = 40;

using NodePtr = std::shared_ptr<const ExpressionNode>;

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  NodePtr parse() {
    if (text_.size() > Expression::kLongest) fail(Expression::kLongest, "an expression of more than 600 bytes");
    NodePtr root = condition();
    skip();
    if (at_ < text_.size()) fail(at_, "expected an operation or the end, found '" + sign() + "'");
    return root;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& what) const { throw ExpressionError(text_, at, what); }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  // The character here, whole.
  std::string sign() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
    return text_.substr(at_, end - at_);
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  bool take(std::string_view what) {
    skip();
    if (std::string_view(text_).substr(at_, what.size()) != what) return false;
    const std::size_t after = at_ + what.size();
    // A word ends where no letter follows.
    if (is_letter(what[0]) && after < text_.size() && (is_letter(text_[after]) || is_digit(text_[after]))) return false;
    at_ = after;
    return true;
  }

  NodePtr make(ExpressionNode::Kind kind, std::size_t at, std::string text, std::vector<NodePtr> children,
               const FunctionRow* function = nullptr) const {
    auto node = std::make_shared<ExpressionNode>();
    node->kind = kind;
    node->at = at;
    node->text = std::move(text);
    node->children = std::move(children);
    node->function = function;
    return node;
  }

  struct Depth {
    explicit Depth(Parser* parser) : parser_(parser) {
      if (++parser_->depth_ > kDeepest) parser_->fail(parser_->at_, "nested more than 40 levels deep");
    }
    ~Depth() { --parser_->depth_; }
    Parser* parser_;
  };

  NodePtr joined(const char* word, NodePtr (Parser::*part)()) {
    NodePtr left = (this->*part)();
    for (skip();; skip()) {
      const std::size_t at = at_;
      if (!take(word)) return left;
      left = make(ExpressionNode::Kind::binary, at, word, {left, (this->*part)()});
    }
  }
  NodePtr condition() {
    const Depth depth(this);
    return joined("or", &Parser::conjunction);
  }
  NodePtr conjunction() { return joined("and", &Parser::inversion); }
  NodePtr inversion() {
    skip();
    const std::size_t at = at_;
    if (!take("not")) return comparison();
    const Depth depth(this);
    return make(ExpressionNode::Kind::invert, at, "not", {inversion()});
  }

  NodePtr comparison() {
    static constexpr std::array kSigns = {"<=", ">=", "==", "!=", "<", ">", "in"};
    auto all = std::make_shared<ExpressionNode>();
    all->kind = ExpressionNode::Kind::comparison;
    for (;;) {
      all->children.push_back(sum());
      skip();
      const std::size_t at = at_;
      const auto found = std::find_if(kSigns.begin(), kSigns.end(), [this](const char* each) { return take(each); });
      if (found == kSigns.end()) {
        if (at < text_.size() && text_[at] == '=') fail(at, "'=' compares nothing; write '=='");
        return all->signs.empty() ? all->children.front() : all;
      }
      if (all->signs.empty()) all->at = at;
      all->signs.emplace_back(*found);
    }
  }

  NodePtr chain(std::string_view signs, NodePtr (Parser::*part)()) {
    NodePtr left = (this->*part)();
    for (skip(); at_ < text_.size() && signs.find(text_[at_]) != std::string_view::npos; skip()) {
      const std::size_t at = at_++;
      left = make(ExpressionNode::Kind::binary, at, std::string(1, text_[at]), {left, (this->*part)()});
    }
    return left;
  }
  NodePtr sum() { return chain("+-", &Parser::product); }
  NodePtr product() { return chain("*/", &Parser::unary); }
  NodePtr unary() {
    skip();
    if (at_ >= text_.size() || text_[at_] != '-') return primary();
    const Depth depth(this);
    const std::size_t at = at_++;
    return make(ExpressionNode::Kind::negate, at, "-", {unary()});
  }

  NodePtr primary() {
    skip();
    const std::size_t at = at_;
    if (at >= text_.size()) fail(at, "expected a value, found the end");
    const char c = text_[at];
    if (is_digit(c) || (c == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]))) return number();
    if (c == '"') return quoted();
    if (is_letter(c)) return word();
    if (!take("(")) fail(at, "expected a value, found '" + sign() + "'");
    NodePtr inside = condition();
    if (!take(")")) fail(at, "'(' is not closed");
    return inside;
  }

  NodePtr number() {
    auto node = std::make_shared<ExpressionNode>();
    node->at = at_;
    // A point may stand in front.
    std::size_t end = at_;
    while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.')) ++end;
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t more = end + 1;
      if (more < text_.size() && (text_[more] == '-' || text_[more] == '+')) ++more;
      if (more < text_.size() && is_digit(text_[more])) {
        while (more < text_.size() && is_digit(text_[more])) ++more;
        end = more;
      }
    }
    const std::string digits = (text_[at_] == '.' ? "0" : "") + text_.substr(at_, end - at_);
    const char* last = digits.data() + digits.size();
    const auto [stop, error] = parse_number(digits.data(), last, node->number);
    if (error != std::errc() || stop != last) fail(at_, "'" + digits + "' is no number");
    at_ = end;
    return node;
  }

  NodePtr quoted() {
    auto node = std::make_shared<ExpressionNode>();
    node->kind = ExpressionNode::Kind::text;
    node->at = at_++;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) ++at_;
      node->text += text_[at_];
    }
    if (at_ >= text_.size()) fail(node->at, "the text is not closed");
    ++at_;
    return node;
  }

  NodePtr word() {
    const std::size_t at = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name = text_.substr(at, at_ - at);
    if (name == "true" || name == "false") return make(ExpressionNode::Kind::truth, at, name, {});
    if (!take("(")) return plain_name(name, at);
    const auto all = functions();
    const auto row = std::ranges::find(all, name, &FunctionRow::name);
    if (row == all.end()) {
      std::vector<std::string> known;
      for (const FunctionRow& each : all) known.emplace_back(each.name);
      fail(at, "there is no function '" + name + "'" + did_you_mean(name, known));
    }
    std::vector<NodePtr> arguments;
    if (!take(")")) {
      do arguments.push_back(condition());
      while (take(","));
      if (!take(")")) {
        skip();
        fail(at_,
             at_ < text_.size() ? "expected ',' or ')', found '" + sign() + "'" : "'(' of " + name + " is not closed");
      }
    }
    const int count = static_cast<int>(arguments.size());
    if (count < row->least || count > row->most) {
      const std::string wanted = row->least == row->most
                                     ? std::to_string(row->least)
                                     : std::to_string(row->least) + " to " + std::to_string(row->most);
      fail(at, name + "() takes " + wanted + (wanted == "1" ? " argument" : " arguments") + ", found " +
                   std::to_string(count));
    }
    if (row->named && arguments[0]->kind != ExpressionNode::Kind::text)
      fail(arguments[0]->at, "expected a text in \"...\" as the first argument of " + name + "()");
    if (name == "part" && std::ranges::find(kParts, arguments[0]->text) == kParts.end()) {
      const std::vector<std::string> known(kParts.begin(), kParts.end());
      fail(arguments[0]->at, "there is no part '" + arguments[0]->text.substr(0, 40) + "'" +
                                 did_you_mean_or("parts: ", arguments[0]->text, known));
    }
    return make(ExpressionNode::Kind::call, at, name, std::move(arguments), &*row);
  }

  NodePtr plain_name(const std::string& name, std::size_t at) const {
    if (std::ranges::find(kNames, name) != kNames.end()) return make(ExpressionNode::Kind::name, at, name, {});
    std::vector<std::string> known(kNames.begin(), kNames.end());
    if (std::ranges::count(functions(), name, &FunctionRow::name) > 0)
      fail(at, "'" + name + "' is a function: expected '(' behind it");
    fail(at, "there is no name '" + name + "'" + did_you_mean(name, known));
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void each_node(const ExpressionNode& node, const std::function<void(const ExpressionNode&)>& what) {
  what(node);
  for (const NodePtr& child : node.children) each_node(*child, what);
}

// Characters, not bytes, from 1: what a person counts.
std::size_t character(const std::string& text, std::size_t at) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < std::min(at, text.size()); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) ++count;
  return count;
}

std::string shortened(const std::string& text, std::size_t at) {
  constexpr std::size_t kShown = 160;
  if (text.size() <= kShown) return text;
  std::size_t begin = at > kShown / 2 ? at - kShown / 2 : 0;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) --begin;
  std::size_t end = std::min(text.size(), begin + kShown);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return (begin > 0 ? "..." : "") + text.substr(begin, end - begin) + (end < text.size() ? "..." : "");
}

}  // namespace

ExpressionError::ExpressionError(const std::string& expression, std::size_t place, const std::string& what)
    : FormatError(shortened(expression, place) + ", character " + std::to_string(character(expression, place)) + ": " +
                  what),
      at(place) {}

Expression::Expression(const std::string& text) : text_(text), root_(Parser(text).parse()) {}

bool Expression::uses(const std::string& name) const {
  bool found = false;
  if (root_)
    each_node(*root_, [&](const ExpressionNode& node) {
      found = found || (node.kind == ExpressionNode::Kind::name && node.text == name);
    });
  return found;
}

std::vector<std::string> Expression::named_in(const std::string& function) const {
  std::vector<std::string> names;
  if (root_)
    each_node(*root_, [&](const ExpressionNode& node) {
      if (node.kind == ExpressionNode::Kind::call && node.text == function) names.push_back(node.children[0]->text);
    });
  return names;
}

}  // namespace headlight
