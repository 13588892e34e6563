#include "widgets/views/states/states_words.h"

#include <QCoreApplication>
#include <cmath>

#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

struct StateWords {
  Q_DECLARE_TR_FUNCTIONS(StateWords)
};

}  // namespace

QString cell_name(const StateCell& cell) {
  const QString side = cell.side == StateCell::Side::encoder   ? StateWords::tr("encoder")
                       : cell.side == StateCell::Side::decoder ? StateWords::tr("decoder")
                                                               : StateWords::tr("controller");
  const QString part = part_in_words((*cell.trace)[cell.entry(0, 0)].site.text);
  return part.isEmpty() ? side : QStringLiteral("%1 · %2").arg(side, part);
}

AxisLabel place_label(const StatePlace& place) {
  if (place.kind == StatePlace::Kind::delimiter)
    return {QStringLiteral("▮"), true, StateWords::tr("end of the source")};
  const TokenText shown = token_text(place.text);
  return {shown.text, shown.stand_in || place.padding, place.padding ? StateWords::tr("padding") : shown.name,
          shown.special};
}

AxisLabel fed_label(const StatePlace& place) {
  if (place.kind != StatePlace::Kind::output) return place_label(place);
  const TokenText shown = token_text(place.fed);
  return {shown.text, shown.stand_in, shown.name};
}

QString place_name(const StatePlace& place) {
  const QString name = place_label(place).name;
  if (place.kind == StatePlace::Kind::delimiter) return name;
  if (place.kind == StatePlace::Kind::source) return StateWords::tr("source ‘%1’").arg(name);
  return StateWords::tr("step %1 (writes ‘%2’)").arg(counted(place.step), name);
}

QString track_name(const StateTrack& track) {
  return QStringLiteral("%1 · %2").arg(QString::fromStdString(track.symbol), site_title(*track.kind));
}

QString update_text(const StateUpdate& update, int decimals) {
  const QString result = QString::fromStdString(update.result);
  if (update.symbols.empty()) return QStringLiteral("%1 = %2").arg(result, plain_number(update.value, decimals));
  QString numbers = QString::fromStdString(update.pattern);
  for (std::size_t i = 0; i < update.values.size(); ++i) {
    QString number = plain_number(update.values[i], decimals);
    const QString slot_of = QStringLiteral("%%1").arg(i + 1);
    if (number.startsWith(QChar(0x2212)) && !numbers.contains("(" + slot_of + ")")) number = "(" + number + ")";
    numbers.replace(slot_of, number);
  }
  const QString text =
      QStringLiteral("%1 = %2 = %3 = %4")
          .arg(result, QString::fromStdString(update.symbols), numbers, plain_number(update.computed, decimals));
  return update.edited ? StateWords::tr("%1, edited to %2").arg(text, plain_number(update.value, decimals)) : text;
}

QString habit_text(UnitHabit habit) {
  switch (habit) {
    case UnitHabit::minus_letters:
      return StateWords::tr("− on letters,\n+ on digits");
    case UnitHabit::minus_digits:
      return StateWords::tr("+ on letters,\n− on digits");
    case UnitHabit::more_digits:
      return StateWords::tr("higher on digits\nthan on letters");
    case UnitHabit::more_letters:
      return StateWords::tr("higher on letters\nthan on digits");
    case UnitHabit::none:
      break;
  }
  return {};
}

namespace {

using Kind = StateCell::Kind;
using What = StoryRow::What;

double number(const StateCell& cell, const char* symbol, int place, Index unit) {
  return static_cast<double>(cell.value(cell.track(symbol), place, unit));
}

// LSTM and GRU: what it keeps of `before`, and what comes in.
struct Kept {
  const char* state = "h";
  double share = 0, before = 0, gate = 0, candidate = 0;
};
Kept kept(const StateCell& cell, int place, Index unit) {
  const char* state = cell.kind == Kind::lstm ? "c" : "h";
  Kept found{state, 0, cell.value_before(state, place, unit), 0, 0};
  if (cell.kind == Kind::lstm) {
    found.share = number(cell, "f", place, unit);
    found.gate = number(cell, "i", place, unit);
    found.candidate = number(cell, "g", place, unit);
    return found;
  }
  const double z = number(cell, "z", place, unit);
  found.share = cell.kind == Kind::gru ? 1 - z : z;
  found.gate = 1 - found.share;
  found.candidate = number(cell, "h̃", place, unit);
  return found;
}

QString in_brackets(double value) {
  const QString text = plain_number(value);
  return text.startsWith(QChar(0x2212)) ? QStringLiteral("(%1)").arg(text) : text;
}

QString product(double a, double b) {
  return QStringLiteral("%1 × %2 = %3").arg(plain_number(a), in_brackets(b), plain_number(a * b));
}

}  // namespace

std::vector<StoryRow> story_rows(const StateCell& cell) {
  const auto has = [&](std::initializer_list<const char*> symbols) {
    for (const char* symbol : symbols)
      if (cell.track(symbol) < 0) return false;
    return true;
  };
  switch (cell.kind) {
    case Kind::lstm:
      if (!has({"f", "i", "g", "c"})) return {};
      return {{What::keeps, cell.track("f")}, {What::brings, cell.track("g")}, {What::holds, cell.track("c")}};
    case Kind::gru:
    case Kind::gru_reset_after:
      if (!has({"z", "h̃", "h"})) return {};
      return {{What::keeps, cell.track("z")}, {What::brings, cell.track("h̃")}, {What::holds, cell.track("h")}};
    case Kind::rnn:
      return has({"A"}) ? std::vector<StoryRow>{{What::adds_up, cell.track("A")}} : std::vector<StoryRow>{};
    case Kind::glu:
      if (!has({"A", "σ(B)", "y"})) return {};
      return {
          {What::adds_up, cell.track("A")}, {What::lets_through, cell.track("σ(B)")}, {What::passes, cell.track("y")}};
    case Kind::tanh:
      break;
  }
  return {};
}

double story_value(const StateCell& cell, const StoryRow& row, int place, Index unit) {
  if (row.what == What::keeps) return kept(cell, place, unit).share;
  if (row.what == What::brings) {
    const Kept now = kept(cell, place, unit);
    return now.gate * now.candidate;
  }
  return static_cast<double>(cell.value(row.track, place, unit));
}

QString story_name(What what) {
  switch (what) {
    case What::keeps:
      return StateWords::tr("keeps");
    case What::brings:
      return StateWords::tr("+ new");
    case What::holds:
      return StateWords::tr("= holds");
    case What::adds_up:
      return StateWords::tr("adds up");
    case What::lets_through:
      return StateWords::tr("lets through");
    case What::passes:
      return StateWords::tr("= passes on");
  }
  return {};
}

QString story_term(const StateCell& cell, What what) {
  switch (what) {
    case What::keeps:
      return cell.kind == Kind::lstm ? StateWords::tr("forget gate") : StateWords::tr("update gate");
    case What::brings:
      return StateWords::tr("input");
    case What::holds:
      return cell.kind == Kind::lstm ? StateWords::tr("cell") : StateWords::tr("state");
    case What::lets_through:
      return StateWords::tr("gate");
    default:
      return {};
  }
}

QString story_caption(const StateCell& cell) {
  switch (cell.kind) {
    case Kind::lstm:
    case Kind::gru:
    case Kind::gru_reset_after:
      return cell.reads_backward()
                 ? StateWords::tr(
                       "It keeps a share of what it held one step before (one column to the right) and adds "
                       "what is new")
                 : StateWords::tr(
                       "It keeps a share of what it held one step before (one column to the left) and adds "
                       "what is new");
    case Kind::rnn:
      return StateWords::tr("What it reads and what it held are added up, and squashed between −1 and 1");
    case Kind::glu:
      return StateWords::tr("Of what the neighbours add up to, a gate lets a share through");
    case Kind::tanh:
      break;
  }
  return {};
}

std::vector<StoryLine> story_lines(const StateCell& cell, int place, Index unit) {
  std::vector<StoryLine> lines;
  const int shown = shown_track(cell);
  const double value = static_cast<double>(cell.value(shown, place, unit));
  const std::vector<StoryRow> rows = story_rows(cell);
  const auto name = [](What what) { return story_name(what); };
  if (rows.empty()) return {{StateWords::tr("holds"), plain_number(value), shown, true}};
  if (cell.kind == Kind::rnn) {
    const double sum = number(cell, "A", place, unit);
    return {
        {name(What::adds_up), plain_number(sum), rows[0].track},
        {name(What::holds), QStringLiteral("tanh %1 = %2").arg(in_brackets(sum), plain_number(value)), shown, true}};
  }
  if (cell.kind == Kind::glu) {
    const double sum = number(cell, "A", place, unit), gate = number(cell, "σ(B)", place, unit);
    return {
        {name(What::adds_up), plain_number(sum), rows[0].track},
        {name(What::lets_through), plain_number(gate), rows[1].track},
        {name(What::passes),
         QStringLiteral("%1 × %2 = %3").arg(plain_number(gate), in_brackets(sum), plain_number(value)), shown, true}};
  }
  const Kept now = kept(cell, place, unit);
  lines.push_back({name(What::keeps), product(now.share, now.before), rows[0].track});
  lines.push_back({name(What::brings), product(now.gate, now.candidate), rows[1].track});
  const double held = number(cell, now.state, place, unit);
  lines.push_back({name(What::holds), plain_number(held), rows[2].track, true});
  if (cell.kind == Kind::lstm && cell.track("o") >= 0)
    lines.push_back({StateWords::tr("shows"),
                     QStringLiteral("%1 × tanh %2 = %3")
                         .arg(plain_number(number(cell, "o", place, unit)), in_brackets(held), plain_number(value)),
                     shown, true});
  return lines;
}

QString story_sentence(const StateCell& cell, int place, Index unit) {
  const bool gated = cell.kind == Kind::lstm || cell.kind == Kind::gru || cell.kind == Kind::gru_reset_after;
  if (!gated || story_rows(cell).empty()) return {};
  const Kept now = kept(cell, place, unit);
  const bool brings = std::abs(now.gate * now.candidate) >= 0.1;
  if (std::abs(now.before) < 0.05)
    return brings ? StateWords::tr("It held next to nothing, and takes in what is new.")
                  : StateWords::tr("It held next to nothing, and next to nothing is new.");
  if (now.share >= 0.8)
    return brings ? StateWords::tr("It keeps what it held and takes in what is new.")
                  : StateWords::tr("It keeps what it held; next to nothing is new.");
  if (now.share <= 0.2)
    return brings ? StateWords::tr("It drops what it held and takes in what is new.")
                  : StateWords::tr("It drops what it held; next to nothing is new.");
  return brings ? StateWords::tr("It keeps a part of what it held and takes in what is new.")
                : StateWords::tr("It keeps a part of what it held; next to nothing is new.");
}

}  // namespace headlight
