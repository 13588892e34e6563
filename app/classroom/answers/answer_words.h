// How answers are written, in their fields and in sentences: for the files of the answers alone.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace headlight {

struct AnswerWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::LessonAnswers)

 public:
  static QString visible(const QString& token) { return token == QStringLiteral(" ") ? QStringLiteral("␣") : token; }
  static QString percent(double share) { return QString::number(100 * share, 'f', share > 0 && share < 0.095 ? 1 : 0); }
};

}  // namespace headlight
