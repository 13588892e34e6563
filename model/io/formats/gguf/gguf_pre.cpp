// How the names in tokenizer.ggml.pre cut a text, in the order in which their expressions are used: each cuts every
// piece so far into its matches and what lies between. Outside of ASCII a letter is of either case here, as in the
// program that these files are for.

#include "model/io/formats/gguf/gguf_tokenizer.h"

namespace headlight::gguf {

namespace {

constexpr const char* kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))";
constexpr const char* kLlama3 =
    "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|"
    R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen2 =
    "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|"
    R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen35 =
    "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|"
    R"([^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kLettersOfCase =
    R"(\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+)";
constexpr const char* kGpt4o =
    R"([^\r\n\p{L}\p{N}]?(?:(?=\p{L})[^a-z])*(?:(?=\p{L})[^A-Z])+(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|)"
    R"([^\r\n\p{L}\p{N}]?(?:(?=\p{L})[^a-z])+(?:(?=\p{L})[^A-Z])*(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|)"
    R"(\s+)";
constexpr const char* kTekken = R"([^\r\n\p{L}\p{N}]?(?:(?=\p{L})[^a-z])*(?:(?=\p{L})[^A-Z])+|)"
                                R"([^\r\n\p{L}\p{N}]?(?:(?=\p{L})[^a-z])+(?:(?=\p{L})[^A-Z])*|)"
                                R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|)"
                                R"(\s+)";
constexpr const char* kDeepseek3 =
    "[!\\\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|"
    " ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+";

const CutRule kRules[] = {
    {"gpt-2 phi-2 olmo mpt jais modern-bert roberta-bpe granite-docling exaone4 trillion", {kGpt2}, false, false},
    {"llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral lfm2", {kLlama3}, true, true},
    {"glm4 glm5", {kLlama3}, true, false},
    {"chatglm-bpe smaug-bpe dbrx", {kLlama3}, false, false},
    {"qwen2 deepseek-r1-qwen stablelm2 megrez hunyuan solar-open grok-2", {kQwen2}, false, false},
    {"qwen35", {kQwen35}, false, false},
    {"starcoder refact command-r smollm codeshell exaone minerva-7b mellum2", {R"(\p{N})", kGpt2}, false, false},
    {"falcon", {R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2, "[0-9][0-9][0-9]"}, false, false},
    {"default -", {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2, R"(\p{N}+)", "[0-9][0-9][0-9]"}, false, false},
    {"deepseek-llm",
     {"[\r\n]", kLettersOfCase, R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)", R"(\s+$)", "[一-龥ࠀ-一가-퟿]+",
      R"(\p{N}+)"},
     false,
     false},
    {"deepseek-coder",
     {"[\r\n]", R"(\s?\p{L}+)", R"(\s?\p{P}+)", "[一-龥ࠀ-一가-퟿]+", R"(\p{N})"},
     false,
     false},
    {"deepseek-v3 hunyuan-dense", {R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+", kDeepseek3}, false, false},
    {"gpt-4o llama4 minimax-m2", {kGpt4o}, false, false},
    {"tekken", {kTekken}, true, true},
    {"bloom poro-chat gpt3-finnish", {R"( ?[^(\s|.,!?…。，、।۔،)]+)"}, false, false},
    {"viking", {R"( ?[^(\s|.,!?…。，、।۔،)]+)", R"(\p{N})"}, false, false},
};

}  // namespace

const CutRule* cut_rule(const std::optional<std::string>& pre) {
  const std::string wanted = " " + pre.value_or("-") + " ";
  for (const CutRule& rule : kRules)
    if ((" " + std::string(rule.names) + " ").find(wanted) != std::string::npos) return &rule;
  return nullptr;
}

}  // namespace headlight::gguf
