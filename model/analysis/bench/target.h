// What an analysis asks of a run: one number (analysis.md 0).
#pragma once

#include <optional>
#include <string>

#include "model/analysis/bench/reading.h"

namespace headlight {

struct Target {
  enum class Kind {
    diff,        // the logit of a without that of b
    logit,       // of a: what raises every token counts too
    log_p,       // of a
    embedding,   // cosine with the embedding as it was
    similarity,  // cosine with the embedding of a second text
    unit         // one number of the embedding
  };
  Kind kind = Kind::diff;
  Index row = -1;               // of the logits; −1: the one that the kind of model has (best_row)
  std::optional<TokenId> a = {}, b = {};  // none: the best, and the best of the others
  Index unit = 0;
  bool of_embedding() const { return kind >= Kind::embedding; }
};
inline constexpr const char* kTargetNames[] = {"diff", "logit", "log_p", "embedding", "similarity", "unit"};

// The row that is asked where nobody says: of a text that is continued the last one, of masked words the first mask, of
// classes the only one, of a decoder its last step. Throws UsageError where a text has no mask.
Index usual_row(const TextReader& reader, const TextIds& text, const Reading& reading);
// Fills in what was left open, from the run as it was. Throws UsageError for what this model does not have.
Target settled(Target target, const TextReader& reader, const TextIds& text, const Reading& reading);

// What a text as a whole is: the embedding, or a pooled vector. Throws UsageError where there is none.
Eigen::VectorXd embedding_of(const Reading& reading);

// Of classes: their logits, their probabilities (of yes or no each, where they are several), and how far those of `b`
// are from those of `a`: KL(a ‖ b) in nats, of several the sum.
Eigen::VectorXd class_logits(const Reading& reading);
Eigen::VectorXd class_shares(const Eigen::VectorXd& logits, bool several);
double class_divergence(const Eigen::VectorXd& a, const Eigen::VectorXd& b, bool several);

// The number of a settled target. `other`: for embedding the run as it was, for similarity the second text.
double target_value(const Target& target, const Reading& reading, const Eigen::VectorXd& other = {});
std::string target_text(const Target& target, const TextReader& reader);

}  // namespace headlight
