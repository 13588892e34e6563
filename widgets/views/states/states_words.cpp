#include "widgets/views/states/states_words.h"

#include <QCoreApplication>

#include "widgets/matrix/cell_picture.h"
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
  return {shown.text, shown.stand_in || place.padding, shown.name};
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
  return StateWords::tr("step %1 (writes ‘%2’)").arg(QString::number(place.step), name);
}

QString track_name(const StateTrack& track) {
  return QStringLiteral("%1 · %2").arg(QString::fromStdString(track.symbol), site_title(*track.kind));
}

QString update_text(const StateUpdate& update, int decimals) {
  const QString result = QString::fromStdString(update.result);
  if (update.symbols.empty()) return QStringLiteral("%1 = %2").arg(result, fixed_number(update.value, decimals));
  QString numbers = QString::fromStdString(update.pattern);
  for (std::size_t i = 0; i < update.values.size(); ++i) {
    QString number = fixed_number(update.values[i], decimals);
    const QString slot_of = QStringLiteral("%%1").arg(i + 1);
    if (number.startsWith(QChar(0x2212)) && !numbers.contains("(" + slot_of + ")")) number = "(" + number + ")";
    numbers.replace(slot_of, number);
  }
  const QString text =
      QStringLiteral("%1 = %2 = %3 = %4")
          .arg(result, QString::fromStdString(update.symbols), numbers, fixed_number(update.computed, decimals));
  return update.edited ? StateWords::tr("%1, edited to %2").arg(text, fixed_number(update.value, decimals)) : text;
}

}  // namespace headlight
