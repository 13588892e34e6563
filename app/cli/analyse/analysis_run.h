// One call of 'headlight analyse': the model, its texts as tokens, how far it is, and what becomes of the result.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/analyse/analysis_result.h"
#include "app/cli/analyse/progress.h"
#include "app/cli/command_line.h"
#include "app/cli/interruption.h"
#include "model/analysis/bench/patterns.h"
#include "model/analysis/bench/reading.h"
#include "model/analysis/bench/target.h"
#include "model/io/text_list.h"

namespace headlight {

struct AnalysedText {
  ListedText given;
  TextIds ids;
};

class AnalysisRun {
 public:
  explicit AnalysisRun(const AnalyseCommand& command);

  const AnalyseCommand& command() const { return command_; }
  // Throws UsageError for stored attention, which only some methods take.
  const TextReader& reader() const;
  const std::shared_ptr<const ModelBundle>& bundle() const { return bundle_; }
  const CancelToken& cancel() const { return interruptible_.token(); }
  AnalysisResult& result() { return result_; }

  // The text of --source, or those of the list.
  const std::vector<ListedText>& listed() const { return listed_; }
  bool is_list() const { return listed_.size() > 1; }
  AnalysedText text(std::size_t i) const;
  // The list that stands beside --source, as tokens; else that of listed().
  std::vector<TextIds> reference() const;
  TextIds ids_of(const std::string& source, const std::string& second = {}, const std::string& output = {}) const;

  // Calls use(i) for each text, in order, and says how far it is; after an interruption it returns how many were done,
  // and the result is that of these.
  std::size_t each_text(const std::function<void(std::size_t)>& use);
  // The same for parts of one text.
  void progress(std::size_t done, std::size_t of, const char* what) { progress_.tell(done, of, what); }
  void interrupted_after(std::size_t done, std::size_t of, const char* what);

  // Sides that are asked for: of --side, or all.
  bool wants(const SideReading& side) const;
  std::string side_prefix(const Reading& reading, const SideReading& side) const;
  HeadMaps maps(const SideReading& side) const;
  // A layer or head as tables count it.
  double counted(Index i) const { return static_cast<double>(i + command_.count_from); }
  TokenId token_named(const std::string& text, bool several) const;

  // Prints, writes, and throws Interrupted where the result is a part.
  int finish();

 private:
  Json about() const;
  bool second_is_apart() const;
  void list_stored(const struct AnalyseMethod& method);
  AnalyseCommand command_;
  Interruptible interruptible_;
  std::shared_ptr<const ModelBundle> bundle_;
  std::optional<TextReader> reader_;  // none: stored attention
  Progress progress_;
  std::vector<ListedText> listed_, beside_;
  mutable std::map<std::size_t, AnalysedText> shown_;  // those that a result tells of, once they were read
  AnalysisResult result_;
  std::string interrupted_;
};

}  // namespace headlight
