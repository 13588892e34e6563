#include "widgets/text/vector_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "widgets/text/number_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

struct VectorWords {
  Q_DECLARE_TR_FUNCTIONS(TextVector)
};

double product(const Tensor& x, const Tensor& y) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

}  // namespace

QString vector_title(TextVector::Kind kind) {
  switch (kind) {
    case TextVector::Kind::sentence:
      return VectorWords::tr("Sentence embedding");
    case TextVector::Kind::follows:
      return VectorWords::tr("Does the second sentence follow?");
    case TextVector::Kind::score:
      return VectorWords::tr("Score");
    case TextVector::Kind::pooled:
      break;
  }
  return VectorWords::tr("Pooled vector");
}

QString vector_help(TextVector::Kind kind) {
  switch (kind) {
    case TextVector::Kind::sentence:
      return VectorWords::tr(
          "The numbers that stand for the text as a whole: texts that mean the same have numbers that "
          "point the same way. Compare shows the cosine of two of them.");
    case TextVector::Kind::follows:
      return VectorWords::tr("What the model thinks of two sentences: whether the second one goes on with the first.");
    case TextVector::Kind::score:
      return VectorWords::tr("The score that the model gives the text, or the pair of sentences.");
    case TextVector::Kind::pooled:
      break;
  }
  return VectorWords::tr(
      "The numbers that stand for the text as a whole: the row of the first token, through one small layer.");
}

const char* vector_site(TextVector::Kind kind) {
  return kind == TextVector::Kind::sentence  ? "encoder.sentence"
         : kind == TextVector::Kind::follows ? "encoder.follows"
         : kind == TextVector::Kind::score   ? "encoder.score"
                                             : "encoder.pooled";
}

QString vector_summary(const TextVector& vector) {
  const Tensor& x = vector.value;
  if (vector.kind == TextVector::Kind::follows && x.size() == 2) {
    const double yes = follows_probability(vector);
    return (yes >= 0.5 ? VectorWords::tr("yes, %1 %") : VectorWords::tr("no, %1 %"))
        .arg(100 * std::max(yes, 1 - yes), 0, 'f', 1);
  }
  if (vector.kind == TextVector::Kind::score && x.size() == 1)
    return VectorWords::tr("%1, as a share %2")
        .arg(short_number(static_cast<double>(x[0])), short_number(1 / (1 + std::exp(-static_cast<double>(x[0])))));
  return VectorWords::tr("%1 numbers, norm %2").arg(x.size()).arg(short_number(std::sqrt(product(x, x))));
}

QString first_numbers(const TextVector& vector, int count) {
  QStringList numbers;
  for (Index i = 0; i < std::min<Index>(count, vector.value.size()); ++i)
    numbers << short_number(static_cast<double>(vector.value[i]));
  if (vector.value.size() > count) numbers << QStringLiteral("…");
  return numbers.join(QStringLiteral("  "));
}

QString vectors_summary(const Result& result) {
  QStringList all;
  for (const TextVector& vector : result.vectors) all << with_colon(vector_title(vector.kind), vector_summary(vector));
  return all.join(QStringLiteral(" · "));
}

QString cosine_text(const Result& a, const Result& b) {
  for (const TextVector& x : a.vectors)
    for (const TextVector& y : b.vectors)
      if (const auto found = cosine(x, y))
        return (a.source == b.source && a.second == b.second ? VectorWords::tr("Cosine of the two runs: %1 (%2).")
                                                             : VectorWords::tr("Cosine of the two texts: %1 (%2)."))
            .arg(plain_number(*found, 4), vector_title(x.kind).toLower());
  return {};
}

}  // namespace headlight
