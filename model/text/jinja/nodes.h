// What a template is made of, as the parser found it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/text/jinja/builtins.h"

namespace headlight::jinja {

struct Node;
using NodePointer = std::unique_ptr<Node>;

struct CallArguments {
  std::vector<NodePointer> positional;
  std::vector<std::pair<std::string, NodePointer>> named;
  NodePointer list, dict;  // *list, **dict
};

struct Node {
  enum class Kind {
    constant,
    hole,  // what a block's filter is put on
    name,
    list,
    tuple,
    dict,       // children: key, value, key, value …
    attribute,  // children[0].name
    item,       // children[0][children[1]]
    slice,      // children[0][children[1] : children[2] : children[3]], each of these may be null
    call,       // children[0](arguments)
    filter,     // children[0] | name(arguments)
    test,       // children[0] is name(arguments)
    negation,   // not
    minus,
    plus,
    conjunction,
    disjunction,
    choice,  // children[1] if children[0] else children[2] (null: undefined)
    joined,  // ~
    arithmetic,
    comparison  // children[0] operators[0] children[1] operators[1] …
  };
  Kind kind = Kind::constant;
  int line = 0, depth = 1;
  Value value;
  std::string name;  // also the sign of arithmetic
  std::vector<NodePointer> children;
  std::vector<std::string> operators;
  CallArguments arguments;
  const Filter* filter = nullptr;
  const Test* test = nullptr;
};

// What is assigned to: a name, a row of them, or an attribute of a namespace.
struct Target {
  std::string name, attribute;
  std::vector<Target> row;
};

struct Statement;
using Body = std::vector<Statement>;

struct Parameter {
  std::string name;
  NodePointer otherwise;  // null: none
};

struct Statement {
  enum class Kind {
    text,
    print,
    branches,
    loop,
    set,
    capture,
    macro,
    call,
    filter,
    scope,
    generation,
    part,
    leave,
    next,
    refused
  };
  Kind kind = Kind::text;
  int line = 0;
  std::string text;  // also the name of a macro, and of what is refused
  NodePointer
      value;  // printed, assigned, looped through, called; of capture and filter: the filters on what is written
  Target target;
  std::vector<std::pair<NodePointer, Body>> branches;  // of `if`; a null condition is `else`
  std::vector<std::pair<Target, NodePointer>> scoped;  // of `with`
  NodePointer only;                                    // of a loop: `if`
  Body body, otherwise;
  std::vector<Parameter> parameters;  // of macros and call blocks
  bool recursive = false;
  bool uses_loop = false, uses_varargs = false, uses_kwargs = false, uses_caller = false;
};

struct Template {
  Body body;
};

// Throws TemplateError: syntax, or limit where it is nested too deeply.
std::shared_ptr<const Template> parse(const std::string& source);

}  // namespace headlight::jinja
