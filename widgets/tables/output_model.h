// The output of a run as a table: one row for each step, with its most probable tokens.
#pragma once

#include <memory>

#include "model/decode/run.h"
#include "widgets/tables/table.h"

namespace headlight {

class OutputModel : public ColumnTable {
  Q_OBJECT
 public:
  // Columns: the written token, its probability, then the same of candidates 1 to 10.
  static constexpr int kCandidates = 10;
  enum { kToken = 0, kProbability = 1, kFirstCandidate = 2 };

  void set_result(std::shared_ptr<const Result> result);
  const Result* result() const { return result_.get(); }
  const std::shared_ptr<const Result>& shared_result() const { return result_; }

 private:
  std::shared_ptr<const Result> result_;
};

}  // namespace headlight
