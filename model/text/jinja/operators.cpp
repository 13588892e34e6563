#include "model/text/jinja/operators.h"

#include <algorithm>
#include <cmath>

#include "model/text/jinja/format.h"
#include "model/text/jinja/letters.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;

[[noreturn]] void unsupported(const std::string& sign, const Value& a, const Value& b) {
  fail_with("unsupported operand type(s) for " + sign + ": '" + a.type_name() + "' and '" + b.type_name() + "'");
}

[[noreturn]] void too_large() { Limits::refuse("it makes a very large number"); }

Value repeated(const Value& value, Whole times, Limits& limits) {
  times = std::max<Whole>(times, 0);
  if (value.is_text()) {
    limits.bytes(static_cast<double>(value.text().size()) * static_cast<double>(times));
    std::string made;
    for (Whole i = 0; i < times && !value.text().empty(); ++i) made += value.text();
    return value.is_safe() ? Value::safe(std::move(made)) : Value(std::move(made));
  }
  limits.bytes(static_cast<double>(value.items().size()) * static_cast<double>(times) * sizeof(Value));
  Values made;
  for (Whole i = 0; i < times && !value.items().empty(); ++i)
    made.insert(made.end(), value.items().begin(), value.items().end());
  return Value::list(std::move(made), value.kind());
}

Whole floor_divided(Whole a, Whole b) {
  const Whole quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Value divided(const std::string& sign, const Value& a, const Value& b) {
  if (b.real() == 0) fail_with(sign == "/" ? "division by zero" : "integer division or modulo by zero");
  if (sign == "/") return a.real() / b.real();
  if (a.is_whole() && b.is_whole()) {
    const Whole quotient = floor_divided(a.whole(), b.whole());
    return sign == "//" ? quotient : a.whole() - quotient * b.whole();
  }
  const double quotient = std::floor(a.real() / b.real());
  if (sign == "//") return quotient;
  const double rest = std::fmod(a.real(), b.real());
  return rest != 0 && (rest < 0) != (b.real() < 0) ? rest + b.real() : rest;
}

Value power(const Value& a, const Value& b, Limits& limits) {
  if (!a.is_whole() || !b.is_whole() || b.whole() < 0) {
    if (a.real() == 0 && b.real() < 0) fail_with("0.0 cannot be raised to a negative power");
    return std::pow(a.real(), b.real());
  }
  Whole made = 1;
  if (a.whole() >= -1 && a.whole() <= 1)
    return a.whole() == 1 || b.whole() % 2 == 0 ? (a.whole() == 0 && b.whole() > 0 ? Value(0) : Value(1))
                                                : Value(a.whole());
  for (Whole i = 0; i < b.whole(); ++i) {
    limits.step();
    if (__builtin_mul_overflow(made, a.whole(), &made)) too_large();
  }
  return made;
}

}  // namespace

Value added(const Value& a, const Value& b, Limits& limits) {
  if (a.is_undefined()) fail_undefined(a);
  if (b.is_undefined()) fail_undefined(b);
  if (a.is_whole() && b.is_whole()) {
    Whole sum = 0;
    if (__builtin_add_overflow(a.whole(), b.whole(), &sum)) too_large();
    return sum;
  }
  if (a.is_number() && b.is_number()) return a.real() + b.real();
  if (a.is_text() && b.is_text()) {
    limits.bytes(static_cast<double>(a.text().size() + b.text().size()));
    if (a.is_safe() || b.is_safe()) return Value::safe(escaped(a, limits) + escaped(b, limits));
    return a.text() + b.text();
  }
  if (a.kind() == b.kind() && (a.is(Kind::list) || a.is(Kind::tuple))) {
    limits.bytes(static_cast<double>(a.items().size() + b.items().size()) * sizeof(Value));
    Values made = a.items();
    made.insert(made.end(), b.items().begin(), b.items().end());
    return Value::list(std::move(made), a.kind());
  }
  if (a.is_text() || a.is(Kind::list))
    fail_with(std::string("can only concatenate ") + a.type_name() + " (not \"" + b.type_name() + "\") to " +
              a.type_name());
  unsupported("+", a, b);
}

Value computed(const std::string& sign, const Value& a, const Value& b, Limits& limits) {
  limits.step();
  if (sign == "+") return added(a, b, limits);
  if (a.is_undefined()) fail_undefined(a);
  if (b.is_undefined() && !(sign == "%" && a.is_text())) fail_undefined(b);
  if (sign == "%" && a.is_text()) return percents_filled(a.text(), b, limits);
  const auto repeats = [](const Value& value) {
    return value.is_text() || value.is(Kind::list) || value.is(Kind::tuple);
  };
  if (sign == "*" && repeats(a) && b.is_whole()) return repeated(a, b.whole(), limits);
  if (sign == "*" && repeats(b) && a.is_whole()) return repeated(b, a.whole(), limits);
  if (!a.is_number() || !b.is_number()) unsupported(sign, a, b);
  if (sign == "**") return power(a, b, limits);
  if (sign != "-" && sign != "*") return divided(sign, a, b);
  if (!a.is_whole() || !b.is_whole()) return sign == "-" ? a.real() - b.real() : a.real() * b.real();
  Whole made = 0;
  if (sign == "-" ? __builtin_sub_overflow(a.whole(), b.whole(), &made)
                  : __builtin_mul_overflow(a.whole(), b.whole(), &made))
    too_large();
  return made;
}

bool compared(const std::string& sign, const Value& a, const Value& b, Limits& limits) {
  if (sign == "==") return equal(a, b, limits);
  if (sign == "!=") return !equal(a, b, limits);
  if (sign == "in") return contains(b, a, limits);
  if (sign == "not in") return !contains(b, a, limits);
  if (sign == "<") return less(a, b, limits);
  if (sign == ">") return less(b, a, limits);
  // NaN is on no side.
  if (a.is_number() && b.is_number() && (std::isnan(a.real()) || std::isnan(b.real()))) return false;
  return sign == "<=" ? !less(b, a, limits) : !less(a, b, limits);
}

Value sliced(const Value& of, const Value& from, const Value& to, const Value& by, Limits& limits) {
  const auto number = [](const Value& value) {
    if (value.is_undefined()) fail_undefined(value);
    if (!value.is_whole()) fail_with("slice indices must be integers or None");
    return value.whole();
  };
  if (of.is_undefined()) fail_undefined(of);
  std::u32string text;
  if (of.is_text()) {
    text = letters(of.text());
  } else if (!of.is(Kind::list) && !of.is(Kind::tuple) && !of.is(Kind::range)) {
    return Value::missing(std::string("'") + of.type_name() + "' object cannot be sliced");
  }
  const Whole count = of.is_text()         ? static_cast<Whole>(text.size())
                      : of.is(Kind::range) ? of.range().count()
                                           : static_cast<Whole>(of.items().size());
  const Whole step = by.is(Kind::none) ? 1 : number(by);
  if (step == 0) fail_with("slice step cannot be zero");
  const Whole low = step > 0 ? 0 : -1, high = step > 0 ? count : count - 1;
  const auto bound = [&](const Value& value, Whole otherwise) {
    if (value.is(Kind::none)) return otherwise;
    const Whole place = number(value);
    return std::clamp(place < 0 ? place + count : place, low, high);
  };
  const Range places{bound(from, step > 0 ? 0 : count - 1), bound(to, step > 0 ? count : -1), step};
  if (of.is(Kind::range)) {
    const Range& range = of.range();
    return Value::range(
        {range.start + places.start * range.step, range.start + places.stop * range.step, range.step * step});
  }
  limits.step(static_cast<std::int64_t>(places.count() / 16));
  limits.bytes(static_cast<double>(places.count()) * (of.is_text() ? 4 : sizeof(Value)));
  std::u32string letters_kept;
  Values kept;
  for (Whole i = 0; i < places.count(); ++i) {
    const auto at = static_cast<std::size_t>(places.start + i * step);
    of.is_text() ? void(letters_kept += text[at]) : kept.push_back(of.items()[at]);
  }
  if (of.is_safe()) return Value::safe(utf8(letters_kept));
  return of.is_text() ? Value(utf8(letters_kept)) : Value::list(std::move(kept), of.kind());
}

}  // namespace headlight::jinja
