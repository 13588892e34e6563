// A draw from the logits of the trace.
#include "widgets/views/output/output_draw.h"

namespace headlight {

std::optional<OutputDraw> output_draw(const Result& result, int step) {
  if (result.decode.kind != DecodeSettings::Kind::sample || !result.trace) return std::nullopt;
  const OutputStep& shown = nth(result.steps, step);
  const Tensor logits = result.trace->value("decoder.step[" + std::to_string(step) + "].output.logits");
  if (shown.kept == 0 || !logits.defined()) return std::nullopt;
  const SampledToken drawn = sample_token(logits, result.decode.sampling, shown.u, result.model->text.never_written());
  OutputDraw draw;
  draw.u = shown.u;
  draw.kept = static_cast<int>(shown.kept);
  double sum = 0;
  for (std::size_t id = 0; id < drawn.probabilities.size(); ++id) {
    const double probability = drawn.probabilities[id];
    if (probability == 0) continue;
    const bool written = static_cast<TokenId>(id) == shown.id;
    if (written) draw.share = probability;
    const bool thin = probability < kThinnestPart && !written && !draw.parts.empty() && !draw.parts.back().written &&
                      draw.parts.back().to - draw.parts.back().from < kThinnestPart;
    if (thin)
      draw.parts.back().to += probability;
    else
      draw.parts.push_back({sum, sum + probability, written});
    sum += probability;
  }
  return draw;
}

}  // namespace headlight
