// Steps of lessons with a training, in a header: moc reads no raw text with a delimiter in a source.
#pragma once

namespace headlight::testing {

inline constexpr const char* kTrainAndScrub =
    R"json({"id": "one", "kind": "train", "recording": "./film.training", "preset": "class-dot",
  "thin": ["./other.training"], "answer": {"kind": "curve", "points": 3, "truth": "over_time(\"right_unseen\", 3)"}},
 {"id": "two", "kind": "scrub", "recording": ["./film.training", "./other.training"], "to": "mark(\"y\")",
  "before": "0", "curves": false, "together": "end"})json";
inline constexpr const char* kTrainedElsewhere = R"json(, "expect": ["trained(\"../x\", 1) == 1"])json";
inline constexpr const char* kHolds = R"json(, "to": "mark(\"y\")", "expect": ["recorded(\"right_unseen\") > 0.9",
      "trained(\"./other.training\", recorded(\"seed\")) == 8"])json";
inline constexpr const char* kHoldsNot = R"json(, "to": "1", "expect": ["recorded(\"right_unseen\") > 0.9"])json";

}  // namespace headlight::testing
