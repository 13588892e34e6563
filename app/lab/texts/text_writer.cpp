#include "app/lab/texts/text_writer.h"

#include <algorithm>

#include "model/decode/run.h"
#include "model/recording/live_training.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr double kTemperature = 0.8;        // as of what is recorded
constexpr std::uint64_t kRecordedDice = 1;  // that fall while it is recorded
constexpr Index kLeastPiece = 4;            // tokens

bool by_characters(const Recording& recording) {
  const std::string& tokenizer = recording.settings.data.tokenizer;
  return tokenizer.empty() || tokenizer == "characters";
}

bool is_white(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The last so many letters of a text; of words, these with what stands between them.
std::string tail(const std::string& text, Index count, bool characters) {
  std::size_t at = text.size();
  bool inside = false;
  while (at > 0 && count > 0) {
    --at;
    if (characters) {
      if (code_point_length(text, at) > 0) --count;
    } else {
      const bool white = is_white(text[at]);
      if (white && inside && --count == 0) ++at;
      inside = !white;
    }
  }
  return text.substr(at);
}

}  // namespace

std::string put_together(const Recording& recording, const std::string& start, const std::string& written) {
  const bool joined = by_characters(recording) || start.empty() || written.empty() || is_white(start.back());
  return joined ? start + written : start + " " + written;
}

std::string written_in(const Recording& recording, int moment, const Written& asked) {
  const auto start = std::ranges::find(recording.starts, asked.start);
  const auto at = static_cast<std::size_t>(start - recording.starts.begin());
  const std::vector<std::string>& written = recording.at(moment).written;
  if (asked.dice != kRecordedDice || at >= written.size()) return {};
  return put_together(recording, asked.start, written[at]);
}

std::string written_at(const Recording& recording, int moment, const Written& asked, const CancelToken& cancel) {
  ModelBundle bundle = *model_at(recording, moment);
  const bool characters = by_characters(recording);
  const Index window = std::max(kLeastPiece, recording.settings.data.context / 2);
  std::string text = asked.start;
  std::uint64_t dice = asked.dice;
  for (Index left = asked.tokens; left > 0; left -= bundle.text.target_length) {
    bundle.text.target_length = std::min(left, window);
    Request request;
    request.model = {std::shared_ptr<const ModelBundle>(), &bundle};
    request.source = tail(text, characters ? window : window / 2, characters);
    request.trace = false;
    request.decode.kind = DecodeSettings::Kind::sample;
    request.decode.sampling.temperature = kTemperature;
    request.seed = dice++;
    request.cancel = cancel;
    const std::string more = run(request).output;
    if (more.empty()) break;
    text = put_together(recording, text, more);
  }
  return text;
}

}  // namespace headlight
