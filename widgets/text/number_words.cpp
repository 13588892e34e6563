#include "widgets/text/number_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace headlight {

namespace {

struct NumberWords {
  Q_DECLARE_TR_FUNCTIONS(NumberWords)
};

const QChar kMinus(0x2212);

QString raised(int exponent) {
  static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
  for (const QChar digit : QString::number(std::abs(exponent))) text += digits[digit.digitValue()];
  return text;
}

QString not_finite(double value) {
  return std::isnan(value) ? QStringLiteral("NaN") : value > 0 ? QStringLiteral("∞") : kMinus + QStringLiteral("∞");
}

QString signed_text(double value, const QString& size) {
  return value < 0 && size.toDouble() != 0 ? kMinus + size : size;
}

}  // namespace

QString short_number(double value, int digits) {
  if (!std::isfinite(value)) return not_finite(value);
  const double size = std::abs(value);
  if (digits >= 4 && size >= std::pow(10, digits) && size < 1e6)
    return plain_number(value, 0);  // "12346", not "1.235×10⁴"
  QString text = signed_text(value, QString::number(size, 'g', digits));
  if (const auto e = text.indexOf(QLatin1Char('e')); e >= 0)
    text = text.left(e) + QStringLiteral("×10") + raised(text.mid(e + 1).toInt());
  return text;
}

QString exact_number(double value) { return short_number(value, 9); }

QString plain_number(double value, int places) {
  return std::isfinite(value) ? signed_text(value, QString::number(std::abs(value), 'f', places)) : not_finite(value);
}

QString log_text(double value) { return plain_number(value, std::abs(value) < 1 ? 3 : 2); }

namespace {

int& first_of_all() {
  static int first = 1;
  return first;
}

}  // namespace

QString counted(qint64 index) { return QString::number(index + first_of_all()); }
int first_number() { return first_of_all(); }
void set_first_number(int first) { first_of_all() = first; }

QString large_number(double value) {
  const double step = NumberWords::tr("1000").toDouble();  // by which the language counts: 10000 in Chinese
  if (value < step) return short_number(value);
  return value < step * step ? NumberWords::tr("%1 thousand").arg(short_number(value / step, 3))
                             : NumberWords::tr("%1 million").arg(short_number(value / step / step, 3));
}

QString byte_size(double bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return short_number(bytes, 3) + ' ' + QLatin1String(kUnits[unit]);
}

QString percent(double probability) {
  if (std::isnan(probability)) return QStringLiteral("NaN");
  const double hundredths = probability * 100;
  if (probability > 0 && hundredths < 0.1) return QStringLiteral("< 0.1 %");
  // Rounding must not turn "almost sure" into "sure".
  if (probability < 1 && hundredths >= 99.95) return QStringLiteral("> 99.9 %");
  if (hundredths == 0 || hundredths == 100) return QStringLiteral("%1 %").arg(hundredths);
  return QStringLiteral("%1 %").arg(hundredths, 0, 'f', 1);
}

QString bare_percent(double probability) {
  if (std::isnan(probability)) return QStringLiteral("NaN");
  const double hundredths = 100 * probability;
  if (hundredths <= 0) return QStringLiteral("0");
  if (hundredths < 0.1) return QStringLiteral("<.1");
  return probability >= 1 ? QStringLiteral("100") : QString::number(std::min(hundredths, 99.9), 'f', 1);
}

QString share_percent(double share) {
  if (std::isnan(share)) return QStringLiteral("NaN");
  const double hundredths = 100 * share;
  if (std::abs(hundredths) < 0.05) return QStringLiteral("0 %");
  return plain_number(hundredths, std::abs(hundredths) >= 0.95 ? 0 : 1) + QStringLiteral(" %");
}

QString with_colon(const QString& name, const QString& said) { return NumberWords::tr("%1: %2").arg(name, said); }

}  // namespace headlight
