#include "model/text/tokenizer.h"

#include <algorithm>
#include <queue>

#include "model/core/errors.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

bool is_special(std::string_view token) {
  return token == kPadding || token == kStart || token == kEnd || token == kUnknown;
}

// The first mask at or behind `from` as a range of bytes; empty and at the end when there is none.
Word find_mask(std::string_view text, std::size_t from) {
  Word found{text.size(), text.size()};
  for (const std::string_view spelling : {"[MASK]", "[mask]", "<mask>", "<MASK>", "___"})
    if (const std::size_t at = text.find(spelling, from); at < found.begin) found = {at, at + spelling.size()};
  while (found.end < text.size() && text[found.begin] == '_' && text[found.end] == '_') ++found.end;
  return found;
}

std::string pair_key(const std::string& left, const std::string& right) { return left + ' ' + right; }

}  // namespace

std::vector<std::string> with_special_tokens(const std::vector<std::string>& tokens) {
  std::vector<std::string> all = {kPadding, kStart, kEnd, kUnknown};
  all.insert(all.end(), tokens.begin(), tokens.end());
  return all;
}

std::string normal_form(std::string_view piece, TokenizerKind kind, bool lower_case) {
  std::string text = lower_case ? headlight::lower_case(piece) : std::string(piece);
  if (kind == TokenizerKind::characters) return text;
  for (std::size_t at = 0; (at = text.find("\u2019", at)) != std::string::npos; ++at) text.replace(at, 3, "'");
  return text;
}

Tokenizer::Tokenizer(Vocabulary vocabulary, TokenizerKind kind, bool lower_case, Merges merges)
    : vocabulary_(std::move(vocabulary)),
      kind_(kind),
      lower_case_(lower_case),
      merges_(std::move(merges)),
      unknown_(vocabulary_.find(kUnknown)),
      mask_(vocabulary_.find(kMask)),
      line_end_(kind == TokenizerKind::characters ? std::nullopt : vocabulary_.find(kLineEnd)) {
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    const auto& [left, right] = merges_[i];
    if (left.empty() || right.empty()) throw FormatError("merge " + std::to_string(i) + " joins nothing");
    if (!vocabulary_.find(left + right))
      throw FormatError("merge " + std::to_string(i) + " makes \"" + left + right +
                        "\", which is not in the vocabulary");
    ranks_.emplace(pair_key(left, right), i);
  }
}

TextToken Tokenizer::piece(std::string_view text, std::size_t begin, std::size_t end, std::string_view key) const {
  TextToken token;
  token.text = std::string(text.substr(begin, end - begin));
  token.begin = begin;
  token.end = end;
  if (!is_special(key)) token.id = vocabulary_.find(key);
  token.unknown = !token.id;
  if (token.unknown) token.id = unknown_;
  return token;
}

std::vector<TextToken> OtherTokenizer::split_pair(std::string_view first, std::string_view) const {
  return split(first);
}

std::vector<TextToken> Tokenizer::split_pair(std::string_view first, std::string_view second) const {
  return second.empty() || !takes_pairs() ? split(first) : other_->split_pair(first, second);
}

std::vector<TextToken> Tokenizer::split(std::string_view text) const {
  return other_ ? other_->split(text) : split_told(text, nullptr);
}

namespace {

// What is one token at once.
WordCut cut_of(std::string_view text, const TextToken& token) {
  WordCut cut{
      .word = std::string(text.substr(token.begin, token.end - token.begin)), .begin = token.begin, .end = token.end};
  cut.steps = {{.pieces = {{token.text, token.unknown}}}};
  return cut;
}

}  // namespace

std::vector<WordCut> OtherTokenizer::cuts(std::string_view text) const {
  std::vector<WordCut> cuts;
  for (const TextToken& token : split(text))
    if (token.begin < token.end) cuts.push_back(cut_of(text, token));
  return cuts;
}

std::vector<WordCut> Tokenizer::cuts(std::string_view text) const {
  if (other_) return other_->cuts(text);
  std::vector<WordCut> cuts;
  const std::vector<TextToken> tokens = split_told(text, &cuts);
  if (kind_ != TokenizerKind::characters || tokens.empty()) return cuts;
  WordCut all{.rule = WordCut::Rule::characters, .word = std::string(text), .begin = 0, .end = text.size()};
  all.steps.resize(1);
  for (const TextToken& token : tokens) all.steps[0].pieces.push_back({token.text, token.unknown});
  return {std::move(all)};
}

std::vector<TextToken> Tokenizer::split_told(std::string_view text, std::vector<WordCut>* cuts) const {
  if (!mask_ && !line_end_) return split_plain(text, cuts);
  std::vector<TextToken> pieces;
  for (std::size_t at = 0; at < text.size();) {
    Word sign = mask_ ? find_mask(text, at) : Word{text.size(), text.size()};
    const std::size_t line = line_end_ ? text.find(kLineEnd, at) : text.npos;
    const bool ends_line = line < sign.begin;
    if (ends_line) sign = {line, line + 1};
    const std::size_t told = cuts ? cuts->size() : 0;
    for (TextToken& token : split_plain(text.substr(at, sign.begin - at), cuts)) {
      token.begin += at;
      token.end += at;
      pieces.push_back(std::move(token));
    }
    for (std::size_t i = told; cuts && i < cuts->size(); ++i) {
      (*cuts)[i].begin += at;
      (*cuts)[i].end += at;
    }
    if (sign.begin < sign.end) {
      pieces.push_back({ends_line ? kLineEnd : kMask, sign.begin, sign.end, ends_line ? line_end_ : mask_});
      if (cuts) cuts->push_back(cut_of(text, pieces.back()));
    }
    at = sign.end;
  }
  return pieces;
}

std::vector<TextToken> Tokenizer::split_plain(std::string_view text, std::vector<WordCut>* cuts) const {
  std::vector<TextToken> pieces;
  if (kind_ == TokenizerKind::characters) {
    pieces = vocabulary_.split_characters(text);
    for (TextToken& token : pieces) {
      if (lower_case_ && is_utf8(token.text)) token.id = vocabulary_.find(normal_form(token.text, kind_, true));
      token.unknown = !token.id;
      if (token.unknown) token.id = unknown_;
    }
    return pieces;
  }
  for (const Word& word : split_words(text)) {
    if (kind_ == TokenizerKind::bpe) {
      if (cuts) cuts->push_back({.word = std::string(text.substr(word.begin, word.end - word.begin))});
      if (cuts) cuts->back().begin = word.begin, cuts->back().end = word.end;
      split_bpe(text, word, pieces, cuts ? &cuts->back() : nullptr);
      continue;
    }
    const std::string_view typed = text.substr(word.begin, word.end - word.begin);
    pieces.push_back(piece(text, word.begin, word.end, normal_form(typed, kind_, lower_case_)));
    if (cuts) cuts->push_back(cut_of(text, pieces.back()));
  }
  return pieces;
}

namespace {

// A word as a chain of symbols: joining two keeps the first and unlinks the second.
struct Symbol {
  std::string text;
  std::size_t begin, end;  // bytes
  std::size_t previous, next;
  bool gone = false;
};
constexpr std::size_t kNone = ~std::size_t{0};

struct Candidate {
  std::size_t rank, left;             // the chain's place of the left symbol
  std::string left_text, right_text;  // as they were when this was found
  bool operator<(
      const Candidate& other) const {  // the queue gives the greatest first: the lowest rank, then the leftmost
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

// The word as it is now, without the mark of its end.
std::vector<CutPiece> pieces_of(const std::vector<Symbol>& chain) {
  std::vector<CutPiece> pieces;
  for (const Symbol& symbol : chain) {
    if (symbol.gone) continue;
    const bool ends = symbol.next == kNone && symbol.text.ends_with(kWordEnd);
    pieces.push_back({ends ? symbol.text.substr(0, symbol.text.size() - kWordEnd.size()) : symbol.text, false});
  }
  return pieces;
}

void tell_merge(WordCut& cut, const std::vector<Symbol>& chain, const Candidate& merged) {
  const auto before = std::count_if(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(merged.left),
                                    [](const Symbol& symbol) { return !symbol.gone; });
  cut.add_merge({.pieces = pieces_of(chain),
                 .made = {static_cast<int>(before)},
                 .rank = static_cast<long>(merged.rank),
                 .left = merged.left_text,
                 .right = merged.right_text});
}

}  // namespace

void Tokenizer::split_bpe(std::string_view text, const Word& word, std::vector<TextToken>& pieces, WordCut* cut) const {
  std::vector<Symbol> chain;
  for (std::size_t at = word.begin; at < word.end;) {
    const std::size_t length = std::max<std::size_t>(1, code_point_length(text, at));
    const std::size_t place = chain.size();
    chain.push_back({normal_form(text.substr(at, length), kind_, lower_case_), at, at + length,
                     place == 0 ? kNone : place - 1, place + 1});
    at += length;
  }
  chain.back().next = kNone;
  chain.back().text += kWordEnd;
  const bool told = cut && word.end - word.begin <= WordCut::kLongest;
  if (cut) {
    cut->rule = WordCut::Rule::merges;
    cut->steps = {{.pieces = pieces_of(chain)}};
  }
  std::priority_queue<Candidate> queue;
  const auto offer = [&](std::size_t left) {
    if (left == kNone || chain[left].next == kNone) return;
    const Symbol &a = chain[left], &b = chain[a.next];
    if (const auto found = ranks_.find(pair_key(a.text, b.text)); found != ranks_.end())
      queue.push({found->second, left, a.text, b.text});
  };
  for (std::size_t i = 0; i < chain.size(); ++i) offer(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& a = chain[best.left];
    if (a.gone || a.next == kNone || a.text != best.left_text || chain[a.next].text != best.right_text) continue;
    Symbol& b = chain[a.next];
    a.text += b.text;
    a.end = b.end;
    a.next = b.next;
    b.gone = true;
    if (a.next != kNone) chain[a.next].previous = best.left;
    if (told) tell_merge(*cut, chain, best);
    offer(a.previous);
    offer(best.left);
  }
  if (cut && !told) cut->steps.push_back({.pieces = pieces_of(chain)});
  std::size_t place = 0;
  for (std::size_t at = 0; at != kNone; at = chain[at].next) {
    pieces.push_back(piece(text, chain[at].begin, chain[at].end, chain[at].text));
    if (cut) cut->steps.back().pieces[place++].unknown = pieces.back().unknown;
  }
}

std::string Tokenizer::join(const std::vector<TokenId>& ids) const {
  if (other_) return other_->join(ids);
  std::string lines;  // that are over
  std::vector<std::string> words(1);
  for (const TokenId id : ids) {
    const std::string& token = vocabulary_.text(id);
    if (token == kPadding || token == kStart || token == kEnd) continue;
    if (id == line_end_) {
      lines += join_words(words) + kLineEnd;
      words.assign(1, {});
      continue;
    }
    const bool ends = token.ends_with(kWordEnd) && kind_ == TokenizerKind::bpe;
    words.back() += ends ? token.substr(0, token.size() - kWordEnd.size()) : token;
    if (ends || kind_ == TokenizerKind::words || (token == kUnknown && kind_ == TokenizerKind::bpe))
      words.emplace_back();
  }
  return kind_ == TokenizerKind::characters ? words.front() : lines + join_words(words);
}

std::string text_of_length(const Tokenizer& tokenizer, const std::string& text, int length) {
  constexpr std::size_t kLongest = 100'000;
  std::string long_text = text;
  const std::string between = tokenizer.kind() == TokenizerKind::characters ? "" : " ";
  std::vector<TextToken> tokens = tokenizer.split(long_text);
  while (static_cast<int>(tokens.size()) < length && long_text.size() < kLongest && !tokens.empty()) {
    long_text += between + text;
    tokens = tokenizer.split(long_text);
  }
  return static_cast<int>(tokens.size()) > length ? long_text.substr(0, tokens[static_cast<std::size_t>(length)].begin)
                                                  : long_text;
}

}  // namespace headlight
