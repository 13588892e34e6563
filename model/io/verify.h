// Checking a model against reference activations: the worst difference per site.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct SiteDifference {
  enum class State {
    compared,             // both sides have it, in the same shape
    wrong_shape,          // both sides have it, in different shapes
    missing_in_run,       // only the reference has it
    missing_in_reference  // only the run has it: not checked
  };
  std::string site;
  State state = State::compared;
  Shape expected, found;  // where the side has the site
  // Greatest |expected - found|, divided by the site's largest expected number where that is above 1; infinite where
  // only one side is a number, and where the reference is NaN, which proves nothing.
  double difference = 0;
  Index cell = -1;      // where that is
  bool within = false;  // compared, and not above the tolerance; or missing, and for the eye only
  Index nan = 0;        // of the reference
  Index proving = 0;    // finite numbers that were compared and that the model computed: ids of tokens were given

  bool failed() const { return !within && state != State::missing_in_reference; }
};

// A text that was run beside the first one. Of these a reference may hold any selection of sites, as text[1].SITE.
struct FurtherText {
  std::string source;
  std::optional<std::string> target;
};

struct Verification {
  std::filesystem::path file;  // the reference
  std::string computed_by;     // as it says: "PyTorch"; empty: it does not
  bool independent = false;    // computed by another program: else it only shows that nothing changed since
  std::string source;          // the text that was run
  std::vector<FurtherText> further;
  double tolerance = 0;
  std::vector<SiteDifference> sites;  // text by text in the order of the run, then what is missing in the runs

  bool agrees() const;    // at least one number that the model computed was compared, and no site failed
  bool complete() const;  // every site of the first text was compared but those that are for the eye only
  bool passed() const { return agrees() && complete(); }
  const SiteDifference* worst() const;  // the compared site with the greatest difference; null: none was compared
};

inline constexpr double kVerifyTolerance = 1e-4, kMostTolerance = 1e-3;
inline constexpr std::size_t kMostFurtherTexts = 1000;

// Runs the model on the reference's source and compares every site. `reference` is a safetensors file with metadata
// "source" (and perhaps "target", "tolerance", and "texts": a JSON list of further {"source", "target"}), or an npz;
// empty: the model folder's own verify.safetensors. Where the source is neither given nor in the metadata it is spelled
// out from the site input.src.ids.
// Throws FileError and FormatError.
Verification verify_model(const std::shared_ptr<const ModelBundle>& bundle, const std::filesystem::path& reference = {},
                          const std::optional<std::string>& source = {});

// Writes every site of a run as a reference, float32.
void save_verification(const std::filesystem::path& path, const Result& result, double tolerance = kVerifyTolerance);

}  // namespace headlight
