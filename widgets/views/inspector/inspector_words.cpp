#include "widgets/views/inspector/inspector_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "model/analysis/head_groups.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct InspectorWords {
  Q_DECLARE_TR_FUNCTIONS(InspectorWords)
};

constexpr int kFarthest = 400;  // entries behind one in which what is computed from it is looked for

// Who looks, and at whom; empty where one of them has no name.
struct Pair {
  QString query, key, part;  // tokens in quotes
};

Pair pair_of(const Trace& trace, int entry, Index cell, const TraceLabels& labels) {
  const TraceEntry& e = trace[entry];
  const SiteKind& kind = *e.site.kind;
  Pair pair;
  QStringList parts;
  if (const QString part = part_in_words(e.site.text); !part.isEmpty()) parts << part;
  Index rest = cell;
  bool last = true;
  for (int axis = e.value.rank() - 1; axis >= 0; --axis) {
    const Index index = rest % e.value.dim(axis);
    rest /= e.value.dim(axis);
    const Axis what = nth(kind.axes, axis);
    const AxisLabels names = axis_labels(kind, axis, labels);
    if (what == Axis::head) {
      parts << InspectorWords::tr("head %1").arg(counted(index));
    } else if (what != Axis::single) {
      if (index >= names.labels.size()) return {};
      (last ? pair.key : pair.query) = names.is_padding(index) ? names.said(index) : in_quotes(names.label(index));
      last = false;
    }
  }
  if (pair.query.isEmpty() && e.site.step >= 0) {
    const QStringList& written = kind.side == SiteKind::Side::encoder ? labels.source : labels.written;
    if (e.site.step < written.size()) pair.query = in_quotes(written[static_cast<int>(e.site.step)]);
  }
  pair.part = parts.join(QStringLiteral(", "));
  return pair;
}

}  // namespace

QString question_of(const Trace& trace, int entry, Index cell, const TraceLabels& labels) {
  const SiteKind& kind = *trace[entry].site.kind;
  if (kind.role == SiteKind::Role::weights || kind.role == SiteKind::Role::scores) {
    const Pair pair = pair_of(trace, entry, cell, labels);
    if (!pair.query.isEmpty() && !pair.key.isEmpty()) {
      const QString text = kind.role == SiteKind::Role::weights
                               ? InspectorWords::tr("How much %1 looks at %2").arg(pair.query, pair.key)
                               : InspectorWords::tr("How well %1 fits what %2 asks for").arg(pair.key, pair.query);
      return pair.part.isEmpty() ? text : InspectorWords::tr("%1 (%2)").arg(text, pair.part);
    }
  }
  if (kind.role == SiteKind::Role::mean)
    if (const Pair pair = pair_of(trace, entry, cell, labels); !pair.query.isEmpty() && !pair.key.isEmpty())
      return InspectorWords::tr("How much %1 looks at %2 on average").arg(pair.query, pair.key);
  QString text = cell_in_words(trace, entry, cell, labels);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString share_sentence(const Explanation& explanation) {
  if (explanation.kind != Explanation::Kind::share || explanation.terms.size() < 2) return {};
  const double own = explanation.terms.front().value;
  double sum = 0;
  int higher = 0, equal = -1, some = 0;  // equal: itself is
  for (const Term& term : explanation.terms) {
    if (!std::isfinite(term.value)) return {};
    sum += term.value;
    higher += term.value > own ? 1 : 0;
    equal += term.value == own ? 1 : 0;
    some += term.value > 0 ? 1 : 0;
  }
  if (!(sum > 0)) return {};
  const double share = own / sum;
  if (own == 0) return InspectorWords::tr("It has no part in the sum, so it gets nothing.");
  if (higher == 0 && equal > 0)
    return equal == 1 ? InspectorWords::tr("One other score is as high, and gets the same share.")
                      : InspectorWords::tr("%1 other scores are as high, and get the same share.").arg(equal);
  if (higher == 0 && share >= 0.9)
    return InspectorWords::tr("Its score is the highest of all %1, so it gets nearly everything.").arg(some);
  if (higher == 0)
    return InspectorWords::tr("Its score is the highest of all %1, so it gets the largest share.").arg(some);
  if (share < 0.005)
    return higher == 1
               ? InspectorWords::tr("One other score is higher, so that next to nothing is left for it.")
               : InspectorWords::tr("%1 other scores are higher, so that next to nothing is left for it.").arg(higher);
  return higher == 1 ? InspectorWords::tr("One other score is higher, and gets a larger share.")
                     : InspectorWords::tr("%1 other scores are higher, and get larger shares.").arg(higher);
}

QString group_sentence(const Trace& trace, int entry, Index cell) {
  const TraceEntry& e = trace[entry];
  if (!e.site.kind->of_heads() || e.value.rank() < 2) return {};
  const Index head = cell / std::max<Index>(1, e.value.size() / e.value.dim(0));
  const HeadGroup group = head_group(trace, e.site.text, head);
  return group.shared < 2
             ? QString()
             : InspectorWords::tr("One key-value head is shared by %1.").arg(heads_of_group(group.group, group.shared));
}

std::vector<int> consumers_of(const Trace& trace, int entry, std::size_t most) {
  std::vector<int> found;
  if (trace[entry].site.kind->derived) return found;  // nothing reads it
  const int end = std::min(trace.size(), entry + 1 + kFarthest);
  for (int later = entry + 1; later < end && found.size() < most; ++later) {
    if (trace[later].site.kind->derived) continue;
    if (const std::vector<int> inputs = trace.inputs(later); std::ranges::find(inputs, entry) != inputs.end())
      found.push_back(later);
  }
  return found;
}

}  // namespace headlight
