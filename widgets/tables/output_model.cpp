#include "widgets/tables/output_model.h"

#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

void OutputModel::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  std::vector<Column> columns;
  for (int rank = -1; rank < kCandidates; ++rank) {  // -1: what was written
    const auto shown = [this, rank](int row) -> std::optional<Candidate> {
      const OutputStep& step = nth(result_->steps, row);
      if (rank < 0) return Candidate{step.id, step.text, step.probability};
      return rank < static_cast<int>(step.top.size()) ? std::optional(nth(step.top, rank)) : std::nullopt;
    };
    const auto value = [shown](auto of) {
      return [shown, of](int row) {
        const auto candidate = shown(row);
        return candidate ? QVariant(of(*candidate)) : QVariant();
      };
    };
    columns.push_back({rank < 0 ? tr("output") : tr("choice %1").arg(counted(rank)),
                       value([](const Candidate& of) { return from_utf8(of.text); }),
                       [shown](int row) { return token_text(shown(row)->text).text; }});
    columns.push_back({rank < 0 ? tr("probability") : tr("probability %1").arg(counted(rank)),
                       value([](const Candidate& of) { return of.probability; }),
                       [shown](int row) { return percent(shown(row)->probability); }});
  }
  number_rows(tr("step"));
  set_help([this](int row) {
    const OutputStep& step = nth(result_->steps, row);
    return tr("Step %1 wrote %2 with probability %3.")
        .arg(counted(row), token_text(step.text).name, percent(step.probability));
  });
  set(result_ ? static_cast<int>(result_->steps.size()) : 0, std::move(columns));
}

}  // namespace headlight
