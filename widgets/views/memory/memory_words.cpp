#include "widgets/views/memory/memory_words.h"

#include <QCoreApplication>
#include <algorithm>

#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct MemoryWords {
  Q_DECLARE_TR_FUNCTIONS(MemoryWords)
};

double top_of(const MemoryValue& weighting) {
  return static_cast<double>(weighting.value[strongest_slot(weighting.value)]);
}

MemoryStage likeness(const MemoryAddressing& all) {
  const Index best = strongest_slot(all.similarity.value);
  return {MemoryWords::tr("likeness to the key"),
          MemoryWords::tr("Slot %1 is most like what the head looks for (%2).")
              .arg(counted(best))
              .arg(plain_number(top_of(all.similarity))),
          MemoryWords::tr(
              "The head is given a key, and each slot is compared with it: the cosine of the two, from −1 to 1."),
          all.similarity, true};
}

MemoryStage content(const MemoryAddressing& all) {
  const double top = top_of(all.content);
  const Index best = strongest_slot(all.content.value);
  return {MemoryWords::tr("content, β = %1").arg(plain_number(all.beta)),
          top >= 0.9   ? MemoryWords::tr("The search is sharp: slot %1 gets nearly everything.").arg(counted(best))
          : top >= 0.3 ? MemoryWords::tr("The search prefers slot %1 (%2).").arg(counted(best)).arg(plain_number(top))
                       : MemoryWords::tr("The search finds nothing that stands out."),
          MemoryWords::tr(
              "The likenesses, times the strength β, become shares that add up to 1: where the head would look by "
              "content alone."),
          all.content, false};
}

MemoryStage interpolation(const MemoryAddressing& all) {
  return {MemoryWords::tr("interpolation, g = %1").arg(plain_number(all.gate)),
          all.gate >= 0.9   ? MemoryWords::tr("It goes to what it found.")
          : all.gate <= 0.1 ? MemoryWords::tr("It starts from where it was at the last step.")
                            : MemoryWords::tr("It mixes what it found with where it was at the last step."),
          MemoryWords::tr("The gate g chooses between the search (1) and the place of the last step (0)."), all.gated,
          false};
}

MemoryStage shift(const MemoryAddressing& all) {
  const auto most = static_cast<int>(std::ranges::max_element(all.shift) - all.shift.begin());
  const QString sentence = nth(all.shift, most) < 0.8 ? MemoryWords::tr("It spreads to its neighbours.")
                           : most == 0                ? MemoryWords::tr("It moves one slot back.")
                           : most == 1                ? MemoryWords::tr("It stays where it is.")
                                                      : MemoryWords::tr("It moves one slot on.");
  return {MemoryWords::tr("shift, s = %1 %2 %3")
              .arg(plain_number(all.shift[0]), plain_number(all.shift[1]), plain_number(all.shift[2])),
          sentence,
          MemoryWords::tr(
              "Three shares say how much the head moves one slot back, stays, or moves one slot on; after the last "
              "slot comes the first."),
          all.shifted, false};
}

MemoryStage sharpening(const MemoryAddressing& all) {
  const Index best = strongest_slot(all.weighting.value);
  return {
      MemoryWords::tr("sharpening, γ = %1").arg(plain_number(all.gamma)),
      MemoryWords::tr("In the end %1 of it is on slot %2.").arg(plain_number(top_of(all.weighting))).arg(counted(best)),
      MemoryWords::tr("The shift blurs the place; each share to the power of γ makes it sharp again."), all.weighting,
      false};
}

}  // namespace

Index strongest_slot(const Tensor& weighting) {
  Index best = 0;
  for (Index i = 1; i < weighting.size(); ++i)
    if (weighting[i] > weighting[best]) best = i;
  return best;
}

MemoryStage memory_stage(const MemoryAddressing& addressing, int stage) {
  switch (stage) {
    case 0:
      return likeness(addressing);
    case 1:
      return content(addressing);
    case 2:
      return interpolation(addressing);
    case 3:
      return shift(addressing);
    default:
      return sharpening(addressing);
  }
}

QString memory_head_name(MemoryHeadName head, Index pairs) {
  if (pairs == 1) return head.writes ? MemoryWords::tr("write head") : MemoryWords::tr("read head");
  return (head.writes ? MemoryWords::tr("write head %1") : MemoryWords::tr("read head %1")).arg(head.pair + 1);
}

QString memory_step_name(const MemoryStep& step, int index) {
  const QString at = counted(index), token = memory_step_label(step).name;
  switch (step.kind) {
    case MemoryStep::Kind::reads:
      return MemoryWords::tr("step %1: reads ‘%2’").arg(at, token);
    case MemoryStep::Kind::delimiter:
      return MemoryWords::tr("step %1: the source has ended").arg(at);
    case MemoryStep::Kind::writes:
      break;
  }
  return MemoryWords::tr("step %1: writes ‘%2’").arg(at, token);
}

AxisLabel memory_step_label(const MemoryStep& step) {
  if (step.kind == MemoryStep::Kind::delimiter)
    return {QStringLiteral("▮"), true, MemoryWords::tr("end of the source")};
  const TokenText shown = token_text(step.text);
  return {shown.text, shown.stand_in, shown.name};
}

QString memory_stage_title(int which) {
  switch (which) {
    case 0:
      return MemoryWords::tr("1 search");
    case 1:
      return MemoryWords::tr("2 or stay");
    case 2:
      return MemoryWords::tr("3 step");
    default:
      return MemoryWords::tr("4 sharpen");
  }
}

QString memory_stage_words(const MemoryAddressing& all, int which) {
  const auto percent = [](double share) { return plain_number(100 * share, 0); };
  switch (which) {
    case 0: {
      const Index best = strongest_slot(all.content.value);
      return top_of(all.content) >= 0.3 ? MemoryWords::tr("slot %1 stands out").arg(counted(best))
                                        : MemoryWords::tr("nothing stands out");
    }
    case 1:
      return MemoryWords::tr("%1 % where it was").arg(percent(1 - all.gate));
    case 2: {
      const auto most = std::ranges::max_element(all.shift) - all.shift.begin();
      const QString share = percent(nth(all.shift, most));
      return most == 0   ? MemoryWords::tr("%1 % one slot up").arg(share)
             : most == 1 ? MemoryWords::tr("%1 % in place").arg(share)
                         : MemoryWords::tr("%1 % one slot down").arg(share);
    }
    default:
      return MemoryWords::tr("to the power %1").arg(plain_number(all.gamma, 1));
  }
}

}  // namespace headlight
