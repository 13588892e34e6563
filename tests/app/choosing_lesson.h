// A lesson with Choosing, the KV cache and rotations, apart from its test: moc of Qt 6.4 stops at a raw string with a
// delimiter.
#pragma once

namespace headlight::test_lesson_choosing {

inline constexpr const char* kLesson = R"json({
  "headlight_lesson": 1, "minutes": 5,
  "steps": [
    {"id": "stages", "kind": "show", "view": "choosing", "spotlight": "view(\"choosing\")",
     "state": {"model": {"name": "story-gpt"}, "source": "anna sees tom in the garden. he", "seed": 2,
               "decode": {"kind": "sample", "temperature": 0.7, "top_k": 8, "top_p": 0.8}},
     "select": "written(\"finds\")", "expect": ["token(0) == \"finds\""]},
    {"id": "cache", "kind": "show", "view": "kv-cache", "expect": ["token(0) == \"finds\""]},
    {"id": "places", "kind": "show", "view": "positions", "expect": ["token(0) == \"finds\""]},
    {"id": "turns", "kind": "chart",
     "chart": {"measure": "experiment", "name": "rotations", "chart": "rotations-pair-7", "limit": 256},
     "expect": ["abs(4 * y(\"linear\", 256) - y(\"none\", 256)) < 0.000001", "y(\"llama3\", 64) < y(\"none\", 64)"]}
  ]
})json";

inline constexpr const char* kWords =
    "# Choosing\n\nOne word.\n\n## stages\n\nSee the stages.\n\n## cache\n\nSee the cache.\n\n## places\n\nSee the "
    "places.\n\n## turns\n\nSee the turns.\n\n### question\n\nWhich is slow?\n";

}  // namespace headlight::test_lesson_choosing
