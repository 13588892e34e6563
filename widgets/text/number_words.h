// Numbers as people read them, and the only place that writes them: four significant digits, a true minus, powers of
// ten as "×10⁻⁶", counting from 1. What machines read (CSV, JSON, NumPy, the command line) has all digits and is not
// made here.
#pragma once

#include <QString>

namespace headlight {

// "0.6926", "−1.5", "5.3×10⁻⁹", "NaN", "∞".
QString short_number(double value, int digits = 4);
// Nine significant digits: enough to tell any two float32 numbers apart.
QString exact_number(double value);
// "−0.57", "0.00": for sums that are written out, and columns.
QString plain_number(double value, int places = 2);
// "−1.23": three digits after the point for numbers near zero, where outputs differ little.
QString log_text(double value);

// "166 thousand", "2.49 million"; in Chinese "16.6 万".
QString large_number(double value);
// "512 B", "6.14 kB", "37.7 MB": by thousands.
QString byte_size(double bytes);

// How sure: "99.8 %", "< 0.1 %", "100 %" only when it is exact to three digits.
QString percent(double probability);
// The same where a heading says that it is percent, and room is scarce: "99.8", "<.1", "100".
QString bare_percent(double probability);
// A part of a whole: "46 %", "0.4 %", "−1 %".
QString share_percent(double share);

// "head 3: looks at one token": a name and what is said of it, with the colon of the language.
QString with_colon(const QString& name, const QString& said);

// The layer, head, token, step, unit, slot or number of an index, as it is called: people count from 1, or from 0 as
// code does.
QString counted(qint64 index);
int first_number();
void set_first_number(int first);  // 0 or 1; what shows numbers is told by LanguageChange

}  // namespace headlight
