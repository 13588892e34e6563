#include <algorithm>
#include <set>

#include "model/text/jinja/expression_parser.h"

namespace headlight::jinja {

namespace {

using StatementKind = Statement::Kind;

class Parser : private ExpressionParser {
 public:
  explicit Parser(const std::string& source) : ExpressionParser(source) {}

  Body whole() {
    Body body = statements({});
    if (now().kind != TokenKind::end) fail_syntax(now().line, "Encountered unknown tag '" + tag() + "'.");
    if (!unknown_.empty()) fail_syntax(unknown_.front().first, unknown_.front().second);
    return body;
  }

 private:
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
      made.value = expression();
      made.body = block_until("endautoescape");
    } else if (kind == "break" || kind == "continue") {
      made.kind = kind == "break" ? StatementKind::leave : StatementKind::next;
      if (loops_ == 0) throw TemplateError(TemplateError::Kind::other, "'" + kind + "' outside loop", made.line);
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
    const std::size_t known = unknown_.size();
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
      unknown_.resize(known);
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
    ++loops_;
    made.body = statements({"endfor", "else"});
    --loops_;
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
    const int loops = std::exchange(loops_, 0);
    made.body = statements({end});
    loops_ = loops;
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
    for (const char* constant : {"true", "True", "false", "False", "none", "None"})
      if (made.name == constant) fail_syntax(now().line, "can't assign to '" + made.name + "'");
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

  int loops_ = 0;  // around this place
};

}  // namespace

std::shared_ptr<const Template> parse(const std::string& source) {
  if (source.size() > 4'000'000) Limits::refuse("it is longer than 4 MB");
  auto made = std::make_shared<Template>();
  made->body = Parser(source).whole();
  return made;
}

}  // namespace headlight::jinja
