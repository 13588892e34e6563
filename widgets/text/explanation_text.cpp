#include "widgets/text/explanation_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "widgets/text/number_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

struct ExplanationWords {
  Q_DECLARE_TR_FUNCTIONS(Explanation)
};

using TermKind = Explanation::Kind;

double sum_of(const Explanation& explanation) {
  double sum = 0;
  for (const Term& term : explanation.terms) sum += term.value;
  return sum;
}

// "scores[27]": the last part of the name, or the last two where one says nothing.
QString leaf_of(const Location& at, int parts) {
  const QString text = QString::fromStdString(at.text());
  const qsizetype bracket = text.indexOf(QLatin1Char('['), static_cast<qsizetype>(at.name.size()));
  QStringList names = QString::fromStdString(at.name).split(QLatin1Char('.'));
  if (names.last() == QLatin1String("out") || names.last() == QLatin1String("id")) parts = 2;
  names = names.mid(std::max<qsizetype>(0, names.size() - parts));
  return names.join(QLatin1Char('.')) + text.mid(bracket);
}

// What a number belongs to, by the axes of its tensor.
struct Owner {
  QString token;       // "la → chat": who asks, and what it looks at; empty where there is none
  QString head;        // "head 3"; empty where the tensor is not of heads
  QString rest;        // "unit 5, slot 2": the axes that neither of them says
  bool whole = false;  // these say all that its indices say
};

Owner owner_of(const Location& at, const Site& site, const TraceLabels& labels) {
  Owner owner;
  QStringList tokens, others;
  bool turned = false;
  Index rest = at.index, named = 0;
  for (int axis = at.shape.rank() - 1; axis >= 0; --axis) {
    const Index index = rest % at.shape[axis];
    rest /= at.shape[axis];
    const AxisLabels names = axis_labels(*site.kind, axis, labels);
    if (axis < static_cast<int>(site.kind->axes.size()) && nth(site.kind->axes, axis) == Axis::head)
      owner.head = ExplanationWords::tr("head %1").arg(counted(index));
    else if (index >= names.labels.size()) {
      others.prepend(ExplanationWords::tr("%1 %2").arg(names.name, counted(index)));
      continue;
    } else if (const bool other_order = !std::ranges::is_sorted(names.order);
               other_order || (at.shape.rank() > 1 && names.labels.count(names.label(index)) > 1)) {
      // Its index is the model's own, or its token stands there more than once.
      turned = turned || other_order;
      tokens.prepend(ExplanationWords::tr("%1, place %2").arg(names.said(index), counted(names.place(index))));
    } else {
      tokens.prepend(names.said(index));
    }
    ++named;
  }
  owner.whole = named == at.shape.rank() && (named > 1 || turned);
  owner.token = tokens.join(QStringLiteral(" → "));
  owner.rest = others.join(ExplanationWords::tr(", "));
  if (named == 0 && site.kind->side == SiteKind::Side::encoder && site.step >= 0 && site.step < labels.source.size())
    owner.token = labels.said(site.step);
  return owner;
}

QString bracketed(double value) {
  const QString text = short_number(value);
  return value < 0 ? QStringLiteral("(%1)").arg(text) : text;
}

// Short sums are written out, long ones are named.
QString sum_text(const Explanation& explanation) {
  const std::vector<Term>& terms = explanation.terms;
  if (terms.size() > 3) return ExplanationWords::tr("sum of %1 terms").arg(terms.size());
  QStringList parts;
  for (const Term& term : terms)
    parts << (is_product(term) ? QStringLiteral("%1 × %2").arg(short_number(term.cells[0].value()),
                                                               short_number(term.cells[1].value()))
                               : short_number(term.value));
  return parts.join(QStringLiteral(" + "));
}

QString python_number(double value) {
  if (std::isnan(value)) return QStringLiteral("np.nan");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("np.inf") : QStringLiteral("-np.inf");
  return QString::number(value, 'g', 9);
}

QString python_list(const QStringList& numbers) {
  return QStringLiteral("[%1]").arg(numbers.join(QStringLiteral(", ")));
}

QString python_term(const Term& term) {
  if (term.cells.size() == 1 && term.cells[0].value() == term.value) return python_number(term.value);
  if (term.cells.size() == 2) {
    const double a = term.cells[0].value(), b = term.cells[1].value();
    if (a * std::tanh(b) == term.value && b != 0)
      return QStringLiteral("%1*np.tanh(%2)").arg(python_number(a), python_number(b));
    if (a * b == term.value) return QStringLiteral("%1*%2").arg(python_number(a), python_number(b));
  }
  return QString::number(term.value, 'g', 17);
}

// Products as one dot product, the rest added.
QString python_sum(const Explanation& explanation) {
  QStringList left, right, rest;
  for (const Term& term : explanation.terms) {
    if (is_product(term)) {
      left << python_number(term.cells[0].value());
      right << python_number(term.cells[1].value());
    } else {
      rest << python_term(term);
    }
  }
  if (left.size() == 1) rest.prepend(left.first() + QLatin1Char('*') + right.first());
  if (left.size() > 1) rest.prepend(QStringLiteral("np.dot(%1, %2)").arg(python_list(left), python_list(right)));
  return rest.join(QStringLiteral(" + "));
}

// How a function is written there, with its argument at %1; most have the same name.
QString numpy_function(const std::string& name) {
  static const std::pair<const char*, QString> others[] = {
      {"σ", QStringLiteral("1 / (1 + np.exp(-(%1)))")},
      {"relu", QStringLiteral("np.maximum(%1, 0)")},
      {"relu2", QStringLiteral("np.maximum(%1, 0)**2")},
      {"softplus", QStringLiteral("np.logaddexp(%1, 0)")},
      {"gelu", QStringLiteral("(lambda x: x / 2 * (1 + math.erf(x / np.sqrt(2))))(%1)")},
      {"gelu_tanh",
       QStringLiteral("(lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))(%1)")},
      {"silu", QStringLiteral("(lambda x: x / (1 + np.exp(-x)))(%1)")},
      {"1/√", QStringLiteral("1 / np.sqrt(%1)")},
  };
  for (const auto& [function, numpy] : others)
    if (name == function) return numpy;
  return QStringLiteral("np.%1(%2)").arg(QString::fromStdString(name), QStringLiteral("%1"));
}

}  // namespace

bool is_product(const Term& term) {
  return term.cells.size() == 2 && term.cells[0].value() * term.cells[1].value() == term.value;
}

QString short_place(const Location& at, const Trace& trace, const TraceLabels& labels) {
  if (at.kind == Location::Kind::unnamed) return QString::fromStdString(at.name);
  if (at.kind == Location::Kind::parameter || at.entry < 0) return leaf_of(at, 2);
  const Site& site = trace[at.entry].site;
  const Owner owner = owner_of(at, site, labels);
  QString name = leaf_of(at, 1);
  if (owner.whole) name = name.left(name.lastIndexOf(QLatin1Char('[')));
  // The name of a site is made of English words: in another language its title stands there.
  if (const QString title = site_title(*site.kind); title != QString::fromUtf8(site.kind->title))
    name = owner.whole || owner.rest.isEmpty() ? title : ExplanationWords::tr("%1, %2").arg(title, owner.rest);
  QStringList parts{part_in_words(site.text), owner.head, name};
  parts.prepend(owner.token.isEmpty() && site.step >= 0 ? ExplanationWords::tr("step %1").arg(counted(site.step))
                                                        : owner.token);
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

QString result_line(const Explanation& explanation) {
  const QString value = short_number(explanation.recomputed);
  switch (explanation.kind) {
    case TermKind::sum:
      return QStringLiteral("%1 = %2").arg(sum_text(explanation), value);
    case TermKind::function_of_sum:
      return QStringLiteral("%1(%2) = %3")
          .arg(QString::fromStdString(explanation.function), short_number(sum_of(explanation)), value);
    case TermKind::share: {
      if (explanation.terms.empty()) return {};
      const Term& own = explanation.terms.front();
      QString top = short_number(own.value);
      if (own.label == "exp(s − max)" && own.cells.size() == 1 && own.value > 0) {
        const double score = own.cells[0].value(), largest = score - std::log(own.value);
        top = QStringLiteral("exp(%1 − %2)").arg(short_number(score), bracketed(largest));
      } else if (own.label.rfind("exp(", 0) == 0) {
        top = QStringLiteral("exp(%1)").arg(short_number(std::log(own.value)));
      }
      return QStringLiteral("%1 ÷ %2 = %3").arg(top, short_number(sum_of(explanation)), value);
    }
    case TermKind::copy:
      return ExplanationWords::tr("the same number: %1").arg(value);
    case TermKind::leaf:
      return {};
  }
  return {};
}

QString numpy_expression(const Explanation& explanation) {
  switch (explanation.kind) {
    case TermKind::sum:
      return python_sum(explanation);
    case TermKind::function_of_sum: {
      const QString sum = python_sum(explanation);
      return numpy_function(explanation.function).arg(sum);
    }
    case TermKind::share: {
      QStringList scores;
      for (const Term& term : explanation.terms)
        if (term.value > 0 || std::isnan(term.value)) scores << python_number(term.cells.front().value());
      const bool kept = !explanation.terms.empty() && explanation.terms.front().value != 0;
      if (!kept) return python_number(explanation.value);
      return QStringLiteral("(lambda s: np.exp(s[0] - s.max()) / np.exp(s - s.max()).sum())(np.array(%1))")
          .arg(python_list(scores));
    }
    default:
      return python_number(explanation.value);
  }
}

}  // namespace headlight
