// The parts of a tokenizer as tokenizer.json has them: normalizers, pre-tokenizers, models, post-processors, decoders.
// Each is a small function, so that families can mix them freely. The numbers are those of the steps in tokenizer.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/text/pretrained/aligned_text.h"
#include "model/text/pretrained/pattern.h"
#include "model/text/pretrained/unicode.h"
#include "model/text/word_cut.h"

namespace headlight::pretrained {

using TokenNumber = std::int64_t;

// --- 2. normalizers ---
using Normalizer = std::function<void(AlignedText&)>;

Normalizer in_sequence(std::vector<Normalizer> steps);
struct BertNormalizing {
  bool clean_text = true, ideographs = true, lower_case = true;
  std::optional<bool> strip_accents;  // not said: as lower_case
};
Normalizer bert_normalizer(const BertNormalizing& settings);
Normalizer to_normal_form(NormalForm form);
Normalizer lower_casing();
Normalizer without_accents();  // marks of every kind
Normalizer stripped(bool left, bool right);
Normalizer replaced(Pattern pattern, std::string content);
Normalizer prepended(std::string text);
Normalizer bytes_as_characters();  // GPT-2's: each byte becomes a character that can be seen
Normalizer nmt();
// sentencepiece's map: a double array of bytes, then texts that end with 0. Throws FormatError "WHERE: ...". As the
// library reads it, grapheme by grapheme; or as sentencepiece does, with the longest match.
Normalizer precompiled_map(const std::string& map, bool longest, const std::string& where);

// --- 3. pre-tokenizers ---
using Pieces = std::vector<AlignedText>;
using PreTokenizer = std::function<Pieces(const AlignedText&)>;

enum class SplitKind { removed, isolated, merged_with_previous, merged_with_next, contiguous };
PreTokenizer in_sequence(std::vector<PreTokenizer> steps);
PreTokenizer split(Pattern pattern, SplitKind kind, bool inverted);
PreTokenizer bert_words();
PreTokenizer byte_level(bool add_prefix_space, bool use_pattern);
PreTokenizer words_and_signs();  // runs of word characters, and of what is neither that nor white space
PreTokenizer by_script();        // a piece ends where the script changes; kana are Han, spaces go with what is before
PreTokenizer of_length(std::size_t characters);
enum class Prepend { always, first, never };
PreTokenizer metaspace(std::string replacement, Prepend prepend, bool splits);

// --- 4. models ---
struct SubToken {
  TokenNumber id;
  std::string text;
  std::size_t first, last;  // bytes of the piece
};
class SubwordModel {
 public:
  virtual ~SubwordModel() = default;
  // `cut`: how it came about (null: nobody asks).
  virtual std::vector<SubToken> tokenize(const std::string& piece, WordCut* cut = nullptr) const = 0;
  virtual std::optional<TokenNumber> find(const std::string& token) const = 0;
  virtual const std::string* text(TokenNumber id) const = 0;
  virtual TokenNumber size() const = 0;  // how many tokens it has; numbers may be larger
  // What stands for a piece that it does not know.
  virtual std::optional<TokenNumber> unknown() const = 0;
};
using Vocabulary = std::unordered_map<std::string, TokenNumber>;
// Each throws FormatError "WHERE: ..." for what does not fit together.
struct WordPieceSettings {
  std::string unknown = "[UNK]", prefix = "##";
  std::size_t longest = 100;  // characters of a word; a longer one is unknown
};
std::shared_ptr<const SubwordModel> word_piece(Vocabulary vocabulary, WordPieceSettings settings,
                                               const std::string& where);
std::shared_ptr<const SubwordModel> word_level(Vocabulary vocabulary, std::string unknown, const std::string& where);
struct BpeSettings {
  std::optional<std::string> unknown;
  std::string prefix, suffix;  // of what goes on with a word, and of what ends one
  bool fuse_unknown = false, byte_fallback = false, ignore_merges = false;
  std::vector<std::uint32_t> ranks;  // of the merges, where some are equal; empty: their order
};
std::shared_ptr<const SubwordModel> byte_pair(Vocabulary vocabulary,
                                              const std::vector<std::pair<std::string, std::string>>& merges,
                                              BpeSettings settings, const std::string& where);
std::shared_ptr<const SubwordModel> unigram(std::vector<std::pair<std::string, double>> pieces,
                                            std::optional<TokenNumber> unknown, bool byte_fallback,
                                            const std::string& where);

// --- 5. post-processors ---
struct EncodedToken {
  TokenNumber id = 0;
  std::string text;
  Span offsets;  // code points of its own text; of special tokens that were added: 0, 0
  int type_id = 0;
  bool special = false;  // put in by the post-processor
  int sequence = 0;      // which of two texts it is of
  bool unknown = false;  // stands for a piece that is not in the vocabulary
};
using Encoding = std::vector<EncodedToken>;
// Of one or two texts; `add_special` is false for the bare tokens.
using PostProcessor = std::function<std::vector<Encoding>(std::vector<Encoding> texts, bool add_special)>;

PostProcessor in_sequence(std::vector<PostProcessor> steps);
struct TemplatePiece {
  int sequence = -1;  // 0 or 1: a text; else `tokens`
  std::vector<std::pair<TokenNumber, std::string>> tokens;
  int type_id = 0;
};
PostProcessor by_template(std::vector<TemplatePiece> single, std::vector<TemplatePiece> pair);
PostProcessor bert_processing(std::pair<std::string, TokenNumber> sep, std::pair<std::string, TokenNumber> cls);
PostProcessor roberta_processing(std::pair<std::string, TokenNumber> sep, std::pair<std::string, TokenNumber> cls,
                                 bool trim_offsets, bool add_prefix_space);
PostProcessor trimming_offsets(bool add_prefix_space);

// --- 6. decoders ---
using Texts = std::vector<std::string>;
using Decoder = std::function<Texts(Texts tokens)>;

Decoder in_sequence(std::vector<Decoder> steps);
Decoder decode_word_piece(std::string prefix, bool cleanup);
Decoder decode_byte_level();
Decoder decode_metaspace(std::string replacement, bool prepended);
Decoder decode_replace(Pattern pattern, std::string content);
Decoder decode_bytes();  // <0x41>
Decoder decode_fuse();
Decoder decode_strip(char32_t character, std::size_t start, std::size_t stop);
Decoder decode_suffix(std::string suffix);
// Of a token again and again one is left, `padding` is none.
Decoder decode_ctc(std::string padding, std::string delimiter, bool cleanup);

// The character that stands for a byte in byte-level vocabularies.
char32_t character_of_byte(unsigned char byte);
// The bytes that a token of such a vocabulary stands for; the token itself where it is none of it.
std::string as_bytes(const std::string& token);

}  // namespace headlight::pretrained
