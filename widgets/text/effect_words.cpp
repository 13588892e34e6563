#include "widgets/text/effect_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "model/analysis/effect.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/vector_words.h"

namespace headlight {

namespace {

struct EffectWords {
  Q_DECLARE_TR_FUNCTIONS(EffectWords)
};

// How probable all of the output is; of a model that guesses hidden words, those.
double sureness(const Result& result) {
  const bool guesses = guesses_hidden_words(result);
  const auto is_hidden = [&](std::size_t step) {
    const int token = step < result.token_of_position.size() ? result.token_of_position[step] : -1;
    return token >= 0 && nth(result.tokens, token).id == result.model->text.mask;
  };
  double all = 1, hidden = 1;
  bool any = false;
  for (std::size_t step = 0; step < result.steps.size(); ++step) {
    all *= result.steps[step].probability;
    if (!guesses || !is_hidden(step)) continue;
    any = true;
    hidden *= result.steps[step].probability;
  }
  return any ? hidden : all;
}

// Where a whole says nothing: the step that became more or less sure than any other.
QString step_words(const Result& before, const Result& now) {
  std::size_t most = 0;
  double largest = -1;
  for (std::size_t step = 0; step < std::min(before.steps.size(), now.steps.size()); ++step)
    if (const double change = std::abs(now.steps[step].probability - before.steps[step].probability); change > largest)
      largest = change, most = step;
  if (largest < 0) return {};
  const QString was = percent(before.steps[most].probability), is = percent(now.steps[most].probability);
  return was == is ? QString()
                   : EffectWords::tr("The output stays the same; output %1, %2, was %3 sure, now %4.")
                         .arg(counted(static_cast<qint64>(most)), quoted(now.steps[most].text), was, is);
}

QString output_words(const Result& before, const Result& now) {
  if (before.output != now.output)
    return EffectWords::tr("Without that it writes %1.").arg(quoted_text(from_utf8(before.output)));
  const double was = sureness(before), is = sureness(now);
  const QString was_text = percent(was), is_text = percent(is);
  if (was_text != is_text) return EffectWords::tr("The output stays the same, %1 → %2 sure.").arg(was_text, is_text);
  if (was == is && std::isfinite(is)) return EffectWords::tr("The output stays the same, %1 sure.").arg(is_text);
  const QString step = step_words(before, now);
  return step.isEmpty() ? EffectWords::tr("The output stays the same.") : step;
}

QString cosine_number(double cosine) {
  const QString text = plain_number(cosine, 4);
  return cosine < 1 && text == QLatin1String("1.0000") ? QStringLiteral("> 0.9999") : text;
}

bool same(const Tensor& a, const Tensor& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

QString vector_words(const TextVector& before, const TextVector& now) {
  const QString title = vector_title(now.kind);
  if (same(before.value, now.value)) return EffectWords::tr("%1: it stays the same.").arg(title);
  if (const auto near = cosine(before, now))
    return EffectWords::tr("%1: it changes, the cosine with what it was is %2.").arg(title, cosine_number(*near));
  if (now.kind == TextVector::Kind::score || now.kind == TextVector::Kind::follows)
    return EffectWords::tr("%1: it was %2, now %3.").arg(title, vector_summary(before), vector_summary(now));
  return EffectWords::tr("%1: it changes.").arg(title);
}

QString states_words(const Result& before, const Result& now) {
  const auto near = states_cosine(before, now);
  if (!near) return {};
  if (same((*before.trace)[last_states(*before.trace)].value, (*now.trace)[last_states(*now.trace)].value))
    return EffectWords::tr("The last states of the words stay the same.");
  return EffectWords::tr("The last states of the words change, their cosine with what they were is %1 on average.")
      .arg(cosine_number(*near));
}

}  // namespace

QString effect_words(const Result& before, const Result& now) {
  QStringList said;
  if (!before.steps.empty() || !now.steps.empty()) said << output_words(before, now);
  for (const TextVector& vector : now.vectors) {
    const bool other = vector.kind != TextVector::Kind::pooled || now.steps.empty();  // which is what the output is of
    for (const TextVector& then : before.vectors)
      if (then.kind == vector.kind && other) said << vector_words(then, vector);
  }
  if (said.isEmpty()) said << states_words(before, now);
  said.removeAll(QString());
  return said.join(QStringLiteral(" "));
}

}  // namespace headlight
