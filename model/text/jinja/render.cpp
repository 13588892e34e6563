#include "model/text/jinja/render.h"

#include <algorithm>
#include <deque>

#include "model/text/jinja/nodes.h"
#include "model/text/jinja/operators.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;

// Names that are seen at a place; those outside are behind `outer`.
struct Scope {
  Scope* outer = nullptr;
  std::vector<std::pair<std::string, Value>> names = {};

  Value* find(const std::string& name) {
    for (auto& [key, value] : names)
      if (key == name) return &value;
    return nullptr;
  }
  void set(const std::string& name, Value value) {
    if (Value* found = find(name)) {
      *found = std::move(value);
    } else {
      names.emplace_back(name, std::move(value));
    }
  }
};

class Renderer {
 public:
  Renderer(const Dict& variables, const std::string& now) : globals_(global_functions(now, limits_)) {
    for (const auto& [name, value] : variables.entries) top_.set(name.text(), value);
  }

  Rendered run(const Template& parsed) {
    Rendered out;
    run(parsed.body, top_, out);
    return out;
  }

 private:
  enum class Flow { on, leave, next };

  void write(const std::string& text, int line, Rendered& out) {
    if (text.empty()) return;
    limits_.bytes(static_cast<double>(text.size()));
    if (out.pieces.empty() || out.pieces.back().line != line) out.pieces.push_back({out.text.size(), line});
    out.text += text;
  }

  // ---- statements

  Flow run(const Body& body, Scope& scope, Rendered& out) {
    const Limits::Depth depth(limits_);
    for (const Statement& statement : body)
      if (const Flow flow = run(statement, scope, out); flow != Flow::on) return flow;
    return Flow::on;
  }

  // What fails says in which line: that of the innermost statement.
  Flow run(const Statement& s, Scope& scope, Rendered& out) {
    try {
      return run_statement(s, scope, out);
    } catch (const TemplateError& error) {
      if (error.line > 0) throw;
      throw TemplateError(error.kind, error.what(), s.line);
    }
  }

  Flow run_statement(const Statement& s, Scope& scope, Rendered& out) {
    limits_.step();
    switch (s.kind) {
      case Statement::Kind::text:
        write(s.text, s.line, out);
        break;
      case Statement::Kind::print:
        write(printed(value_of(*s.value, scope), limits_), s.line, out);
        break;
      case Statement::Kind::branches:
        return branches(s, scope, out);
      case Statement::Kind::loop:
        return loop(s, value_of(*s.value, scope), scope, out, 1), Flow::on;
      case Statement::Kind::set:
        assign(s.target, value_of(*s.value, scope), scope);
        break;
      case Statement::Kind::capture:
        assign(s.target, filtered(s, captured(s.body, scope), scope), scope);
        break;
      case Statement::Kind::macro:
        define_macro(s, scope);
        break;
      case Statement::Kind::call:
        write(printed(call_with_block(s, scope), limits_), s.line, out);
        break;
      case Statement::Kind::filter:
        write(printed(filtered(s, captured(s.body, scope), scope), limits_), s.line, out);
        break;
      case Statement::Kind::scope: {
        Scope inner{&scope};
        for (const auto& [target, value] : s.scoped) assign(target, value_of(*value, scope), inner);
        return run(s.body, inner, out);
      }
      case Statement::Kind::generation: {
        const std::size_t begin = out.text.size();
        Scope inner{&scope};
        const Flow flow = run(s.body, inner, out);
        out.generations.emplace_back(begin, out.text.size());
        return flow;
      }
      case Statement::Kind::part: {
        if (s.value && truth(value_of(*s.value, scope)))
          fail_with("a chat template that escapes what it prints ('autoescape') is not run");
        Scope inner{&scope};
        return run(s.body, inner, out);
      }
      case Statement::Kind::leave:
        return Flow::leave;
      case Statement::Kind::next:
        return Flow::next;
      case Statement::Kind::refused:
        throw TemplateError(TemplateError::Kind::other, "a chat template may not read other files ('" + s.text + "')",
                            s.line);
    }
    return Flow::on;
  }

  Flow branches(const Statement& s, Scope& scope, Rendered& out) {
    for (const auto& [condition, body] : s.branches)
      if (!condition || truth(value_of(*condition, scope))) return run(body, scope, out);
    return Flow::on;
  }

  static bool truth(const Value& value) {
    if (value.is_refused()) fail_undefined(value);
    return value.is_true();
  }

  void assign(const Target& target, Value value, Scope& scope) {
    if (!target.row.empty()) {
      const Values parts = elements(value, limits_);
      if (parts.size() != target.row.size())
        fail_with(parts.size() < target.row.size() ? "not enough values to unpack" : "too many values to unpack");
      for (std::size_t i = 0; i < parts.size(); ++i) assign(target.row[i], parts[i], scope);
      return;
    }
    if (target.attribute.empty()) return scope.set(target.name, std::move(value));
    Value* space = found(target.name, scope);
    if (!space || !space->is(Kind::space)) fail_with("cannot assign attribute on non-namespace object");
    limits_.step();
    space->space().set(target.attribute, std::move(value));
  }

  void loop(const Statement& s, const Value& over, Scope& scope, Rendered& out, int depth) {
    Values values = elements(over, limits_);
    if (s.only) {
      Values kept;
      for (const Value& value : values) {
        Scope inner{&scope};
        assign(s.target, value, inner);
        if (truth(value_of(*s.only, inner))) kept.push_back(value);
      }
      values = std::move(kept);
    }
    if (values.empty()) {
      Scope inner{&scope};
      run(s.otherwise, inner, out);
      return;
    }
    const auto changed = std::make_shared<Value>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      limits_.step(2);
      Scope inner{&scope};
      if (s.uses_loop) inner.set("loop", loop_object(s, values, i, scope, depth, changed));
      assign(s.target, values[i], inner);
      if (run(s.body, inner, out) == Flow::leave) break;
    }
  }

  Value loop_object(const Statement& s, const Values& values, std::size_t i, Scope& scope, int depth,
                    const std::shared_ptr<Value>& seen) {
    limits_.step(8);
    Dict members;
    const auto add = [&](const char* name, Value value) { members.entries.emplace_back(name, std::move(value)); };
    add("index", i + 1);
    add("index0", i);
    add("revindex", values.size() - i);
    add("revindex0", values.size() - i - 1);
    add("first", i == 0);
    add("last", i + 1 == values.size());
    add("length", values.size());
    add("depth", depth);
    add("depth0", depth - 1);
    add("previtem", i > 0 ? values[i - 1] : Value::missing("there is no previous item"));
    add("nextitem", i + 1 < values.size() ? values[i + 1] : Value::missing("there is no next item"));
    add("cycle", Value::function("cycle", [i](const Arguments& arguments) {
          if (arguments.positional.empty()) fail_with("no items for cycling given");
          return arguments.positional[i % arguments.positional.size()];
        }));
    add("changed", Value::function("changed", [seen, this](const Arguments& arguments) -> Value {
          const Value now = Value::tuple(arguments.positional);
          if (equal(*seen, now, limits_)) return false;
          return *seen = now, true;
        }));
    if (!s.recursive) return Value::object("loop", std::move(members));
    return Value::object("loop", std::move(members), [&s, &scope, depth, this](const Arguments& arguments) -> Value {
      if (arguments.positional.empty()) fail_with("loop() needs what it goes through");
      Rendered out;
      loop(s, arguments.positional[0], scope, out, depth + 1);
      return out.text;
    });
  }

  std::string captured(const Body& body, Scope& scope) {
    Rendered out;
    Scope inner{&scope};
    run(body, inner, out);
    return std::move(out.text);
  }
  Value filtered(const Statement& s, std::string text, Scope& scope) {
    const Value before = std::exchange(hole_, Value(std::move(text)));
    Value made = value_of(*s.value, scope);
    hole_ = before;
    return made;
  }

  // A macro sees the names around its definition: those of the top as they are when it is called, those of a loop as
  // they are now, for it may outlive the round.
  void define_macro(const Statement& s, Scope& scope) {
    Scope* around = &top_;
    if (&scope != &top_) {
      around = &kept_.emplace_back(Scope{&top_});
      for (Scope* at = &scope; at && at != &top_; at = at->outer)
        for (const auto& [name, value] : at->names)
          if (!around->find(name)) {
            limits_.step();
            limits_.bytes(static_cast<double>(sizeof(Value) + name.size()));
            around->set(name, value);
          }
    }
    const Value made = macro(s, *around);
    if (around != &top_) around->set(s.text, made);
    scope.set(s.text, made);
  }

  // What a call block brings sees the names around it.
  Value macro(const Statement& s, Scope& around) {
    Dict members;
    members.set("name", s.text);
    Value made = Value::object(s.text, std::move(members), [&s, &around, this](const Arguments& arguments) -> Value {
      const Limits::Depth depth(limits_);
      Scope scope{&around};
      bind(s, arguments, scope);
      Rendered out;
      run(s.body, scope, out);
      return out.text;
    });
    return made;
  }

  void bind(const Statement& s, const Arguments& given, Scope& scope) {
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < s.parameters.size(); ++i) {
      const Parameter& parameter = s.parameters[i];
      const Value* named = given.named_one(parameter.name);
      taken.push_back(parameter.name);
      if (i < given.positional.size()) {
        if (named) fail_with("macro '" + s.text + "' got multiple values for argument '" + parameter.name + "'");
        scope.set(parameter.name, given.positional[i]);
      } else if (named) {
        scope.set(parameter.name, *named);
      } else {
        scope.set(parameter.name, parameter.otherwise
                                      ? value_of(*parameter.otherwise, scope)
                                      : Value::missing("parameter '" + parameter.name + "' was not provided"));
      }
    }
    Values more;
    for (std::size_t i = s.parameters.size(); i < given.positional.size(); ++i) more.push_back(given.positional[i]);
    if (!more.empty() && !s.uses_varargs)
      fail_with("macro '" + s.text + "' takes not more than " + std::to_string(s.parameters.size()) + " argument(s)");
    if (s.uses_varargs) scope.set("varargs", Value::tuple(std::move(more)));
    Dict rest;
    for (const auto& [name, value] : given.named) {
      if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
      if (name == "caller" && s.uses_caller) {
        scope.set(name, value);
      } else if (s.uses_kwargs) {
        rest.set(name, value);
      } else {
        fail_with("macro '" + s.text + "' takes no keyword argument '" + name + "'");
      }
    }
    if (s.uses_kwargs) scope.set("kwargs", Value::dict(std::move(rest)));
    if (s.uses_caller && !scope.find("caller")) scope.set("caller", Value::missing("No caller defined"));
  }

  Value call_with_block(const Statement& s, Scope& scope) {
    const Node& node = *s.value;
    Arguments arguments = arguments_of(node.arguments, scope);
    arguments.named.emplace_back("caller", macro(s, scope));
    return jinja::call(value_of(*node.children[0], scope), arguments, limits_);
  }

  // ---- expressions

  Value* found(const std::string& name, Scope& scope) {
    for (Scope* at = &scope; at; at = at->outer)
      if (Value* value = at->find(name)) return value;
    return nullptr;
  }

  Value named(const std::string& name, Scope& scope) {
    if (const Value* value = found(name, scope)) return *value;
    if (const Value* value = globals_.find(name)) return *value;
    return Value::missing("'" + name + "' is undefined");
  }

  Arguments arguments_of(const CallArguments& given, Scope& scope) {
    Arguments made;
    for (const NodePointer& each : given.positional) made.positional.push_back(value_of(*each, scope));
    for (const auto& [name, each] : given.named) made.named.emplace_back(name, value_of(*each, scope));
    if (given.list)
      for (Value& value : elements(value_of(*given.list, scope), limits_)) made.positional.push_back(value);
    if (given.dict) {
      const Value names = value_of(*given.dict, scope);
      if (!names.is(Kind::dict)) fail_with("argument after ** must be a mapping");
      for (const auto& [name, value] : names.dict().entries) made.named.emplace_back(printed(name, limits_), value);
    }
    return made;
  }

  Value value_of(const Node& n, Scope& scope) {
    const Limits::Depth depth(limits_);
    limits_.step();
    const auto child = [&](std::size_t i) { return value_of(*n.children[i], scope); };
    switch (n.kind) {
      case Node::Kind::constant:
        return n.value;
      case Node::Kind::hole:
        return hole_;
      case Node::Kind::name:
        return named(n.name, scope);
      case Node::Kind::list:
      case Node::Kind::tuple: {
        Values made;
        for (const NodePointer& each : n.children) made.push_back(value_of(*each, scope));
        return Value::list(std::move(made), n.kind == Node::Kind::list ? Kind::list : Kind::tuple);
      }
      case Node::Kind::dict: {
        Dict made;
        for (std::size_t i = 0; i + 1 < n.children.size(); i += 2) {
          Value key = child(i);
          made.set(std::move(key), child(i + 1));
        }
        return Value::dict(std::move(made));
      }
      case Node::Kind::attribute:
        return attribute(child(0), n.name, limits_);
      case Node::Kind::item:
        return item(child(0), child(1), limits_);
      case Node::Kind::slice:
        return slice(n, scope);
      case Node::Kind::call: {
        const Value function = child(0);
        return jinja::call(function, arguments_of(n.arguments, scope), limits_);
      }
      case Node::Kind::filter: {
        const Value value = child(0);
        if (value.is_refused()) fail_undefined(value);
        if (!n.filter) fail_with("No filter named '" + n.name + "'.");
        return (*n.filter)({value, arguments_of(n.arguments, scope), limits_});
      }
      case Node::Kind::test: {
        const Value value = child(0);
        if (!n.test) fail_with("No test named '" + n.name + "'.");
        return (*n.test)({value, arguments_of(n.arguments, scope), limits_});
      }
      case Node::Kind::negation:
        return !truth(child(0));
      case Node::Kind::minus:
      case Node::Kind::plus:
        if (const Value of = child(0); of.is(Kind::real)) return n.kind == Node::Kind::minus ? -of.real() : of.real();
        return computed(n.kind == Node::Kind::minus ? "-" : "+", 0, number(child(0)), limits_);
      case Node::Kind::conjunction: {
        Value left = child(0);
        return truth(left) ? child(1) : left;
      }
      case Node::Kind::disjunction: {
        Value left = child(0);
        return truth(left) ? left : child(1);
      }
      case Node::Kind::choice:
        if (truth(child(0))) return child(1);
        return n.children[2] ? child(2) : Value::missing("the condition of an 'if' without 'else' is false");
      case Node::Kind::joined: {
        std::string made;
        for (const NodePointer& each : n.children) {
          const std::string text = printed(value_of(*each, scope), limits_);
          limits_.bytes(static_cast<double>(text.size()));
          made += text;
        }
        return made;
      }
      case Node::Kind::arithmetic: {
        const Value left = child(0);
        return computed(n.name, left, child(1), limits_);
      }
      case Node::Kind::comparison:
        return comparison(n, scope);
    }
    return {};
  }

  static const Value& number(const Value& value) {
    if (value.is_undefined()) fail_undefined(value);
    if (!value.is_number()) fail_with(std::string("bad operand type for unary -: '") + value.type_name() + "'");
    return value;
  }

  Value comparison(const Node& n, Scope& scope) {
    Value left = value_of(*n.children[0], scope);
    for (std::size_t i = 0; i < n.operators.size(); ++i) {
      Value right = value_of(*n.children[i + 1], scope);
      if (!compared(n.operators[i], left, right, limits_)) return false;
      left = std::move(right);
    }
    return true;
  }

  Value slice(const Node& n, Scope& scope) {
    const auto part = [&](std::size_t i) { return n.children[i] ? value_of(*n.children[i], scope) : Value(nullptr); };
    const Value of = part(0), from = part(1), to = part(2);
    return sliced(of, from, to, part(3), limits_);
  }

  Limits limits_;
  Scope top_;
  std::deque<Scope> kept_;  // of macros that were defined elsewhere
  Dict globals_;
  Value hole_;
};

}  // namespace

Rendered render(const std::string& source, const Dict& variables, const std::string& now) {
  const std::shared_ptr<const Template> parsed = parse(source);
  return Renderer(variables, now).run(*parsed);
}

}  // namespace headlight::jinja
