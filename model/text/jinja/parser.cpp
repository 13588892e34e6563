#include <algorithm>
#include <set>

#include "model/text/jinja/lexer.h"
#include "model/text/jinja/nodes.h"

namespace headlight::jinja {

namespace {

using TokenKind = Token::Kind;
using NodeKind = Node::Kind;
using StatementKind = Statement::Kind;

class Parser {
 public:
  explicit Parser(const std::string& source) : tokens_(tokens_of(source)) {}

  Body whole() {
    Body body = statements({});
    if (now().kind != TokenKind::end) fail_syntax(now().line, "Encountered unknown tag '" + tag() + "'.");
    return body;
  }

 private:
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

  // ---- statements

  // Until a tag of these; its sign is read, its name is not.
  Body statements(const std::set<std::string>& ends) {
    const Limits::Depth depth(limits_);
    Body body;
    while (now().kind != TokenKind::end) {
      Statement made;
      made.line = now().line;
      if (now().kind == TokenKind::data) {
        made.text = now().text;
        advance();
      } else if (now().kind == TokenKind::print_begin) {
        advance();
        made.kind = StatementKind::print;
        made.value = tuple_or_one();
        if (now().kind != TokenKind::print_end)
          fail_syntax(now().line, "expected token 'end of print statement', got '" + shown() + "'");
        advance();
      } else {
        if (ends.contains(tag())) return body;
        if (ends.empty() && tag().starts_with("end")) return body;
        advance();
        statement(made);
      }
      body.push_back(std::move(made));
    }
    if (!ends.empty()) fail_syntax(now().line, "Unexpected end of template: expected '" + *ends.begin() + "'");
    return body;
  }

  // The tag that ends a body; true for the wanted one.
  bool at_end_tag(const char* name) {
    advance();
    return took_name(name);
  }
  Body block_until(const char* end) {
    end_block();
    Body body = statements({end});
    at_end_tag(end);
    end_block();
    return body;
  }

  void statement(Statement& made) {
    const std::string kind = name();
    if (kind == "if") return branches(made);
    if (kind == "for") return loop(made);
    if (kind == "set") return set(made);
    if (kind == "macro") return macro(made);
    if (kind == "call") return call_block(made);
    if (kind == "filter") return filter_block(made);
    if (kind == "with") return with(made);
    if (kind == "generation") {
      made.kind = StatementKind::generation;
      made.body = block_until("endgeneration");
    } else if (kind == "block") {
      made.kind = StatementKind::part;
      made.text = name();
      while (took_name("scoped") || took_name("required")) continue;
      end_block();
      made.body = statements({"endblock"});
      at_end_tag("endblock");
      if (now().kind == TokenKind::name) advance();
      end_block();
    } else if (kind == "autoescape") {
      made.kind = StatementKind::part;
      expression();
      made.body = block_until("endautoescape");
    } else if (kind == "break" || kind == "continue") {
      made.kind = kind == "break" ? StatementKind::leave : StatementKind::next;
      end_block();
    } else if (kind == "include" || kind == "import" || kind == "from" || kind == "extends") {
      made.kind = StatementKind::refused;
      made.text = kind;
      while (now().kind != TokenKind::block_end && now().kind != TokenKind::end) advance();
      end_block();
    } else {
      fail_syntax(made.line, "Encountered unknown tag '" + kind + "'.");
    }
  }

  void branches(Statement& made) {
    made.kind = StatementKind::branches;
    NodePointer condition = tuple_or_one(false);
    while (true) {
      end_block();
      Body body = statements({"elif", "else", "endif"});
      made.branches.emplace_back(std::move(condition), std::move(body));
      advance();
      if (took_name("elif")) {
        condition = tuple_or_one(false);
        continue;
      }
      if (took_name("else")) {
        end_block();
        made.branches.emplace_back(nullptr, statements({"endif"}));
        advance();
      }
      if (!took_name("endif")) fail_syntax(now().line, "expected 'endif'");
      return end_block();
    }
  }

  void loop(Statement& made) {
    made.kind = StatementKind::loop;
    made.target = target(false);
    if (!took_name("in")) fail_syntax(now().line, "expected token 'in', got '" + shown() + "'");
    made.value = tuple_or_one(false);
    if (took_name("if")) made.only = expression();
    made.recursive = took_name("recursive");
    end_block();
    const std::size_t begin = at_;
    made.body = statements({"endfor", "else"});
    made.uses_loop = mentions("loop", begin, at_);
    advance();
    if (took_name("else")) {
      end_block();
      made.otherwise = statements({"endfor"});
      advance();
    }
    if (!took_name("endfor")) fail_syntax(now().line, "expected 'endfor'");
    end_block();
  }

  bool mentions(const char* name, std::size_t begin, std::size_t end) const {
    return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const Token& token) { return token.kind == TokenKind::name && token.text == name; });
  }

  void set(Statement& made) {
    made.kind = StatementKind::set;
    made.target = target(true);
    if (took_sign("=")) {
      made.value = tuple_or_one();
      return end_block();
    }
    made.kind = StatementKind::capture;
    made.value = filters(node(NodeKind::hole));
    made.body = block_until("endset");
  }

  void parameters(Statement& made) {
    expect_sign("(");
    while (!is_sign(")")) {
      if (!made.parameters.empty()) expect_sign(",");
      Parameter& parameter = made.parameters.emplace_back();
      parameter.name = name();
      if (took_sign("=")) {
        parameter.otherwise = expression();
      } else if (made.parameters.size() > 1 && made.parameters[made.parameters.size() - 2].otherwise) {
        fail_syntax(now().line, "non-default argument follows default argument");
      }
    }
    expect_sign(")");
  }

  void macro_body(Statement& made, const char* end) {
    end_block();
    const std::size_t begin = at_;
    made.body = statements({end});
    made.uses_varargs = mentions("varargs", begin, at_);
    made.uses_kwargs = mentions("kwargs", begin, at_);
    made.uses_caller = mentions("caller", begin, at_);
    at_end_tag(end);
    end_block();
  }

  void macro(Statement& made) {
    made.kind = StatementKind::macro;
    made.text = name();
    parameters(made);
    macro_body(made, "endmacro");
  }

  void call_block(Statement& made) {
    made.kind = StatementKind::call;
    made.text = "caller";
    if (is_sign("(")) parameters(made);
    made.value = expression();
    if (made.value->kind != NodeKind::call) fail_syntax(made.line, "expected call");
    macro_body(made, "endcall");
  }

  void filter_block(Statement& made) {
    made.kind = StatementKind::filter;
    made.value = filters(filter(node(NodeKind::hole)));
    made.body = block_until("endfilter");
  }

  void with(Statement& made) {
    made.kind = StatementKind::scope;
    while (now().kind != TokenKind::block_end) {
      if (!made.scoped.empty()) expect_sign(",");
      Target assigned = target(false);
      expect_sign("=");
      made.scoped.emplace_back(std::move(assigned), expression());
    }
    made.body = block_until("endwith");
  }

  Target one_target(bool with_attribute) {
    const Limits::Depth depth(limits_);
    Target made;
    if (took_sign("(")) {
      made = target(with_attribute);
      expect_sign(")");
      return made;
    }
    made.name = name();
    if (with_attribute && took_sign(".")) made.attribute = name();
    return made;
  }

  Target target(bool with_attribute) {
    Target first = one_target(with_attribute);
    if (!is_sign(",")) return first;
    Target row;
    row.row.push_back(std::move(first));
    while (took_sign(",")) {
      if (now().kind != TokenKind::name && !is_sign("(")) break;
      row.row.push_back(one_target(with_attribute));
    }
    return row;
  }

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
    NodePointer left = disjunction();
    while (took_name("if")) {
      NodePointer condition = disjunction();
      NodePointer otherwise = took_name("else") ? expression() : nullptr;
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
    if (!made->filter) fail_syntax(made->line, "No filter named '" + made->name + "'.");
    if (is_sign("(")) made->arguments = arguments();
    return made;
  }
  NodePointer test(NodePointer of) {
    const bool negated = took_name("not");
    NodePointer made = node(NodeKind::test, std::move(of));
    made->name = dotted_name();
    made->test = find_test(made->name);
    if (!made->test) fail_syntax(made->line, "No test named '" + made->name + "'.");
    if (is_sign("(")) {
      made->arguments = arguments();
    } else if (begins_argument()) {
      if (is_name("is")) fail_syntax(now().line, "You cannot chain multiple tests with is");
      made->arguments.positional.push_back(postfixes(primary()));
    }
    return negated ? node(NodeKind::negation, std::move(made)) : std::move(made);
  }
  bool begins_argument() const {
    if (now().kind == TokenKind::name) return !is_name("else") && !is_name("or") && !is_name("and") && !is_name("if");
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
  std::size_t at_ = 0;
  Limits limits_;
};

}  // namespace

std::shared_ptr<const Template> parse(const std::string& source) {
  if (source.size() > 4'000'000) Limits::refuse("it is longer than 4 MB");
  auto made = std::make_shared<Template>();
  made->body = Parser(source).whole();
  return made;
}

}  // namespace headlight::jinja
