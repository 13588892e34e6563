#include "widgets/text/edit_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "model/analysis/head_groups.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

using Kind = Intervention::Kind;
using Role = SiteKind::Role;

struct EditWords {
  Q_DECLARE_TR_FUNCTIONS(EditWords)
};

struct Named {
  const Intervention& edit;
  const Result* result;
  Site site;
  TraceLabels labels;

  bool is_self() const { return is_self_attention(edit.site); }
  Role role() const { return site.kind->role; }
  bool every_step() const { return edit.site.find("step[*]") != std::string::npos; }

  static QString quoted(const std::string& token) { return in_quotes(token_text(token).text); }

  // A place in the text that is looked at: of the source, or of the decoder's own text.
  QString key(Index position) const {
    const bool own = is_self() && site.kind->side == SiteKind::Side::decoder;
    if (result && !(own && result->prompt == 0)) {
      const auto at = static_cast<std::size_t>(position);
      if (position >= 0 && at < result->token_of_position.size())
        return quoted(nth(result->tokens, result->token_of_position[at]).text);
    }
    if (own && result) {
      const auto step = static_cast<std::size_t>(position - result->prompt);
      if (position >= result->prompt && step < result->fed.size()) return quoted(result->fed[step]);
    }
    return EditWords::tr("token %1").arg(counted(position));
  }

  // Who looks: a step, or a token of a text that looks at itself.
  QString query() const {
    if (site.step >= 0) return EditWords::tr("output %1").arg(counted(site.step));
    if (edit.row >= 0) return key(edit.row);
    return is_self() ? EditWords::tr("every token") : EditWords::tr("every step");
  }

  // "layer 2: " in front, where it is of one layer alone.
  QString in_layer(const QString& text) const {
    return site.layer < 0 ? text : EditWords::tr("layer %1: %2").arg(counted(site.layer), text);
  }

  QString number() const { return short_number(static_cast<double>(edit.value)); }
};

// Edits of masks, and scores of −∞; empty for others.
QString mask_words(const Named& n) {
  const Intervention& edit = n.edit;
  const bool keep = n.role() == Role::keep;
  const bool hides = keep ? edit.value == 0 : std::isinf(static_cast<double>(edit.value)) && edit.value < 0;
  if (!keep && !(n.role() == Role::scores && hides)) return {};
  if (const auto& band = edit.outside) {
    if (!band->both_sides) return EditWords::tr("nobody looks ahead");
    if (band->width == 0) return EditWords::tr("everybody looks only at the diagonal");
    return EditWords::tr("everybody looks at most %1 tokens away").arg(band->width);
  }
  const Index position = edit.cell;
  if (position < 0)
    return hides ? EditWords::tr("%1 looks at nothing").arg(n.query())
                 : EditWords::tr("%1 may look at everything").arg(n.query());
  if (edit.row == Intervention::kEveryRow && n.site.step < 0)
    return hides ? EditWords::tr("nobody looks at %1").arg(n.key(position))
                 : EditWords::tr("everybody may look at %1").arg(n.key(position));
  return (hides ? EditWords::tr("%1 does not look at %2") : EditWords::tr("%1 may look at %2"))
      .arg(n.query(), n.key(position));
}

// "‘are’ looks at ‘the’: 0.75 (layer 2, head 1)", as the pictures say it; empty where it is not one weight of one who
// looks.
QString weight_words(const Named& n) {
  const Intervention& edit = n.edit;
  const bool one = n.site.step >= 0 || edit.row >= 0;
  if (n.role() != Role::weights || edit.kind != Kind::pin || edit.cell < 0 || !one || n.every_step()) return {};
  const auto step = static_cast<std::size_t>(std::max<Index>(n.site.step, 0));
  const bool fed = n.is_self() && n.result && step < n.result->fed.size();
  const QString who = n.site.step < 0 ? n.key(edit.row)
                      : fed           ? Named::quoted(n.result->fed[step])
                                      : EditWords::tr("output %1").arg(counted(n.site.step));
  const QString what = edit.value == 1   ? EditWords::tr("%1 looks only at %2").arg(who, n.key(edit.cell))
                       : edit.value == 0 ? EditWords::tr("%1 no longer looks at %2").arg(who, n.key(edit.cell))
                                         : EditWords::tr("%1 looks at %2: %3").arg(who, n.key(edit.cell), n.number());
  const QString part = part_in_words(edit.site);
  return part.isEmpty() || part.contains('*') ? what : QStringLiteral("%1 (%2)").arg(what, part);
}

QString head_words(const Named& n) {
  if (n.site.head < 0 || n.edit.cell >= 0 || n.edit.kind != Kind::zero) return {};
  const QString where = !n.is_self()                                   ? EditWords::tr("cross-attention")
                        : n.site.kind->side == SiteKind::Side::encoder ? EditWords::tr("encoder")
                                                                       : EditWords::tr("decoder");
  const bool keys = n.edit.site.ends_with(".k"), values = n.edit.site.ends_with(".v");
  if (keys || values) {
    const HeadGroup group = n.result && n.result->trace ? head_group(*n.result->trace, n.edit.site, n.site.head)
                                                        : HeadGroup{1, n.site.head};
    return (keys ? EditWords::tr("the keys of %1 of layer %2 (%3) are cut")
                 : EditWords::tr("the values of %1 of layer %2 (%3) are cut"))
        .arg(heads_of_group(group.shared > 1 ? group.group : n.site.head, group.shared), counted(n.site.layer), where);
  }
  const QString head =
      EditWords::tr("head %1 of layer %2 (%3)").arg(counted(n.site.head), counted(n.site.layer), where);
  if (n.role() == Role::head_out) return EditWords::tr("%1 is switched off").arg(head);
  if (n.role() == Role::scores) return EditWords::tr("%1 looks at everything evenly").arg(head);
  return {};
}

QString blank_words(const Named& n) {
  if (n.role() != Role::embedding || n.edit.cell >= 0 || n.edit.value != 0) return {};
  if (n.edit.row >= 0) return EditWords::tr("%1 is erased: its embedding is 0").arg(n.key(n.edit.row));
  return n.edit.kind == Kind::zero && n.site.step >= 0
             ? EditWords::tr("what output %1 is given is erased").arg(counted(n.site.step))
             : QString();
}

// "output 3: attention weights of ‘2’".
QString place_words(const Named& n) {
  QString what = site_title(*n.site.kind);
  if (const QString part = part_in_words(n.edit.site); !part.isEmpty() && !part.contains('*'))
    what = QStringLiteral("%1 (%2)").arg(what, part);
  if (n.edit.cell >= 0) {
    const AxisLabels axis = axis_labels(*n.site.kind, static_cast<int>(n.site.kind->axes.size()) - 1, n.labels);
    const QString cell = n.site.kind->axes.size() == 1 && n.edit.cell < axis.labels.size()
                             ? in_quotes(axis.label(n.edit.cell))
                             : counted(n.edit.cell);
    what = EditWords::tr("%1 of %2").arg(what, cell);
  }
  if (n.every_step()) return EditWords::tr("every step: %1").arg(what);
  return n.site.step < 0 ? what : EditWords::tr("output %1: %2").arg(counted(n.site.step), what);
}

}  // namespace

QString edit_in_words(const Intervention& edit, const Result* result) {
  const Named named{edit, result, parse_site(edit.site), result ? trace_labels(*result) : TraceLabels{}};
  if (const QString words = head_words(named); !words.isEmpty()) return words;
  if (const QString words = weight_words(named); !words.isEmpty()) return words;
  for (const QString& words : {mask_words(named), blank_words(named)})
    if (!words.isEmpty()) return named.in_layer(words);
  const QString place = place_words(named), value = named.number();
  switch (edit.kind) {
    case Kind::set:
      return EditWords::tr("%1 set to %2").arg(place, value);
    case Kind::pin:
      return EditWords::tr("share %1 set to %2").arg(place, value);
    case Kind::scale:
      return EditWords::tr("%1 times %2").arg(place, value);
    case Kind::add:
      return EditWords::tr("%1 plus %2").arg(place, value);
    case Kind::zero:
      return EditWords::tr("%1 set to 0").arg(place);
    case Kind::replace:
      break;
  }
  return EditWords::tr("%1 replaced").arg(place);
}

}  // namespace headlight
