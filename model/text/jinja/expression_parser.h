// Reading expressions of a template, by recursive descent; statements (parser.cpp) are read around them.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/text/jinja/lexer.h"
#include "model/text/jinja/nodes.h"

namespace headlight::jinja {

class ExpressionParser {
 protected:
  using TokenKind = Token::Kind;
  using NodeKind = Node::Kind;

  explicit ExpressionParser(const std::string& source) : tokens_(tokens_of(source)) {}

  // ---- tokens

  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t by) const { return tokens_[std::min(at_ + by, tokens_.size() - 1)]; }
  void advance() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  bool is_sign(const char* sign) const { return now().kind == TokenKind::sign && now().text == sign; }
  bool is_name(const char* name) const { return now().kind == TokenKind::name && now().text == name; }
  bool took_sign(const char* sign) { return is_sign(sign) && (advance(), true); }
  bool took_name(const char* name) { return is_name(name) && (advance(), true); }
  void expect_sign(const char* sign) {
    if (!took_sign(sign)) fail_syntax(now().line, std::string("expected token '") + sign + "', got '" + shown() + "'");
  }
  std::string shown() const { return now().text.empty() ? "end" : now().text; }
  std::string name() {
    if (now().kind != TokenKind::name) fail_syntax(now().line, "expected token 'name', got '" + shown() + "'");
    std::string found = now().text;
    advance();
    return found;
  }
  void end_block() {
    if (now().kind != TokenKind::block_end)
      fail_syntax(now().line, "expected token 'end of statement block', got '" + shown() + "'");
    advance();
  }
  std::string tag() const { return ahead(1).text; }

  // ---- expressions

  NodePointer node(NodeKind kind) const {
    auto made = std::make_unique<Node>();
    made->kind = kind;
    made->line = now().line;
    return made;
  }
  template <class... Children>
  NodePointer node(NodeKind kind, Children... children) const {
    NodePointer made = node(kind);
    (adopt(*made, std::move(children)), ...);
    return made;
  }
  // A long row of operators is a deep tree: evaluating it takes as many calls.
  static void adopt(Node& parent, NodePointer child) {
    if (child) parent.depth = std::max(parent.depth, child->depth + 1);
    if (parent.depth > Limits::kDepth) Limits::refuse("it is nested too deeply");
    parent.children.push_back(std::move(child));
  }

  NodePointer tuple_or_one(bool with_choice = true) {
    NodePointer first = with_choice ? expression() : disjunction();
    if (!is_sign(",")) return first;
    NodePointer row = node(NodeKind::tuple, std::move(first));
    while (took_sign(",")) {
      if (ends_expression()) break;
      adopt(*row, with_choice ? expression() : disjunction());
    }
    return row;
  }
  bool ends_expression() const {
    return now().kind == TokenKind::print_end || now().kind == TokenKind::block_end || now().kind == TokenKind::end ||
           is_sign(")") || is_sign("]") || is_name("in") || is_name("recursive");
  }

  NodePointer expression() {
    const Limits::Depth depth(limits_);
    const std::size_t known = unknown_.size();
    NodePointer left = disjunction();
    while (took_name("if")) {
      NodePointer condition = disjunction();
      NodePointer otherwise = took_name("else") ? expression() : nullptr;
      unknown_.resize(known);
      left = node(NodeKind::choice, std::move(condition), std::move(left), std::move(otherwise));
    }
    return left;
  }
  NodePointer disjunction() {
    NodePointer left = conjunction();
    while (took_name("or")) left = node(NodeKind::disjunction, std::move(left), conjunction());
    return left;
  }
  NodePointer conjunction() {
    NodePointer left = negation();
    while (took_name("and")) left = node(NodeKind::conjunction, std::move(left), negation());
    return left;
  }
  NodePointer negation() {
    const Limits::Depth depth(limits_);
    if (!took_name("not")) return comparison();
    return node(NodeKind::negation, negation());
  }

  std::string comparing() {
    if (now().kind == TokenKind::sign)
      for (const char* sign : {"==", "!=", "<=", ">=", "<", ">"})
        if (took_sign(sign)) return sign;
    if (took_name("in")) return "in";
    if (is_name("not") && ahead(1).kind == TokenKind::name && ahead(1).text == "in")
      return advance(), advance(), "not in";
    return {};
  }
  NodePointer comparison() {
    NodePointer left = sum();
    NodePointer made;
    for (std::string sign; !(sign = comparing()).empty();) {
      if (!made) made = node(NodeKind::comparison, std::move(left));
      made->operators.push_back(sign);
      adopt(*made, sum());
    }
    return made ? std::move(made) : std::move(left);
  }

  NodePointer arithmetic(NodePointer left, const std::string& sign, NodePointer right) const {
    NodePointer made = node(NodeKind::arithmetic, std::move(left), std::move(right));
    made->name = sign;
    return made;
  }
  NodePointer sum() {
    NodePointer left = joined();
    while (is_sign("+") || is_sign("-")) {
      const std::string sign = now().text;
      advance();
      left = arithmetic(std::move(left), sign, joined());
    }
    return left;
  }
  NodePointer joined() {
    NodePointer left = product();
    if (!is_sign("~")) return left;
    NodePointer made = node(NodeKind::joined, std::move(left));
    while (took_sign("~")) adopt(*made, product());
    return made;
  }
  NodePointer product() {
    NodePointer left = power();
    while (is_sign("*") || is_sign("/") || is_sign("//") || is_sign("%")) {
      const std::string sign = now().text;
      advance();
      left = arithmetic(std::move(left), sign, power());
    }
    return left;
  }
  NodePointer power() {
    NodePointer left = signed_one(true);
    while (took_sign("**")) left = arithmetic(std::move(left), "**", signed_one(true));
    return left;
  }
  NodePointer signed_one(bool with_filters) {
    const Limits::Depth depth(limits_);
    NodePointer made;
    if (took_sign("-")) {
      made = node(NodeKind::minus, signed_one(false));
    } else if (took_sign("+")) {
      made = node(NodeKind::plus, signed_one(false));
    } else {
      made = primary();
    }
    made = postfixes(std::move(made));
    return with_filters ? filters(std::move(made)) : std::move(made);
  }

  NodePointer constant(Value value) {
    NodePointer made = node(NodeKind::constant);
    made->value = std::move(value);
    advance();
    return made;
  }
  NodePointer primary() {
    const Token& token = now();
    if (token.kind == TokenKind::whole || token.kind == TokenKind::real) return constant(token.value);
    if (token.kind == TokenKind::text) {
      std::string text;
      while (ahead(1).kind == TokenKind::text) text += now().text, advance();
      return constant(text + now().text);
    }
    if (token.kind == TokenKind::name) {
      if (token.text == "true" || token.text == "True") return constant(true);
      if (token.text == "false" || token.text == "False") return constant(false);
      if (token.text == "none" || token.text == "None") return constant(nullptr);
      NodePointer made = node(NodeKind::name);
      made->name = name();
      return made;
    }
    if (took_sign("(")) return brackets();
    if (took_sign("[")) {
      NodePointer made = node(NodeKind::list);
      while (!is_sign("]")) {
        if (!made->children.empty()) expect_sign(",");
        if (is_sign("]")) break;
        adopt(*made, expression());
      }
      expect_sign("]");
      return made;
    }
    if (took_sign("{")) {
      NodePointer made = node(NodeKind::dict);
      while (!is_sign("}")) {
        if (!made->children.empty()) expect_sign(",");
        if (is_sign("}")) break;
        adopt(*made, expression());
        expect_sign(":");
        adopt(*made, expression());
      }
      expect_sign("}");
      return made;
    }
    fail_syntax(token.line, "unexpected '" + shown() + "'");
  }
  NodePointer brackets() {
    if (took_sign(")")) return node(NodeKind::tuple);
    NodePointer made = tuple_or_one();
    expect_sign(")");
    return made;
  }

  NodePointer postfixes(NodePointer of) {
    while (true) {
      if (took_sign(".")) {
        if (now().kind == TokenKind::whole) {
          of = node(NodeKind::item, std::move(of), constant(now().value));
        } else {
          of = node(NodeKind::attribute, std::move(of));
          of->name = name();
        }
      } else if (took_sign("[")) {
        of = subscript(std::move(of));
      } else if (is_sign("(")) {
        of = call(std::move(of));
      } else {
        return of;
      }
    }
  }
  NodePointer subscript(NodePointer of) {
    NodePointer parts[3];
    bool slices = false;
    for (int part = 0; part < 3; ++part) {
      if (!is_sign(":") && !is_sign("]")) parts[part] = slices ? expression() : tuple_or_one();
      if (part == 2 || !took_sign(":")) break;
      slices = true;
    }
    expect_sign("]");
    if (slices)
      return node(NodeKind::slice, std::move(of), std::move(parts[0]), std::move(parts[1]), std::move(parts[2]));
    if (!parts[0]) fail_syntax(now().line, "expected an expression between [ and ]");
    return node(NodeKind::item, std::move(of), std::move(parts[0]));
  }
  NodePointer call(NodePointer of) {
    NodePointer made = node(NodeKind::call, std::move(of));
    made->arguments = arguments();
    return made;
  }
  CallArguments arguments() {
    CallArguments made;
    expect_sign("(");
    bool first = true;
    while (!is_sign(")")) {
      if (!std::exchange(first, false)) expect_sign(",");
      if (is_sign(")")) break;
      if (took_sign("*")) {
        made.list = expression();
      } else if (took_sign("**")) {
        made.dict = expression();
      } else if (now().kind == TokenKind::name && ahead(1).kind == TokenKind::sign && ahead(1).text == "=") {
        std::string key = name();
        advance();
        made.named.emplace_back(std::move(key), expression());
      } else {
        if (!made.named.empty()) fail_syntax(now().line, "invalid syntax for function call expression");
        made.positional.push_back(expression());
      }
    }
    expect_sign(")");
    return made;
  }

  std::string dotted_name() {
    std::string made = name();
    while (took_sign(".")) made += "." + name();
    return made;
  }
  NodePointer filter(NodePointer of) {
    NodePointer made = node(NodeKind::filter, std::move(of));
    made->name = dotted_name();
    made->filter = find_filter(made->name);
    if (!made->filter) unknown_.emplace_back(made->line, "No filter named '" + made->name + "'.");
    if (is_sign("(")) made->arguments = arguments();
    return made;
  }
  NodePointer test(NodePointer of) {
    const bool negated = took_name("not");
    NodePointer made = node(NodeKind::test, std::move(of));
    made->name = dotted_name();
    made->test = find_test(made->name);
    if (!made->test) unknown_.emplace_back(made->line, "No test named '" + made->name + "'.");
    if (is_sign("(")) {
      made->arguments = arguments();
    } else if (begins_argument()) {
      if (is_name("is")) fail_syntax(now().line, "You cannot chain multiple tests with is");
      made->arguments.positional.push_back(postfixes(primary()));
    }
    return negated ? node(NodeKind::negation, std::move(made)) : std::move(made);
  }
  bool begins_argument() const {
    if (now().kind == TokenKind::name) return !is_name("else") && !is_name("or") && !is_name("and");
    return now().kind == TokenKind::text || now().kind == TokenKind::whole || now().kind == TokenKind::real ||
           is_sign("[") || is_sign("{");
  }
  NodePointer filters(NodePointer of) {
    while (true) {
      if (took_sign("|")) {
        of = filter(std::move(of));
      } else if (took_name("is")) {
        of = test(std::move(of));
      } else if (is_sign("(")) {
        of = call(std::move(of));
      } else {
        return of;
      }
    }
  }

  std::vector<Token> tokens_;
  // Filters and tests that there are not; under a condition that counts only where they are used.
  std::vector<std::pair<int, std::string>> unknown_;
  std::size_t at_ = 0;
  Limits limits_;
};

}  // namespace headlight::jinja
