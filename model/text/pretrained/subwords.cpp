// 4. of tokenizer.h: models.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "model/core/errors.h"
#include "model/text/pretrained/parts.h"
#include "model/text/pretrained/prefixes.h"
#include "model/text/pretrained/table_model.h"

namespace headlight::pretrained {

namespace {

std::string byte_token(char byte) {
  char text[8];
  std::snprintf(text, sizeof(text), "<0x%02X>", static_cast<unsigned char>(byte));
  return text;
}

void begin_cut(WordCut& cut, WordCut::Rule rule, std::vector<CutPiece> pieces) {
  cut.rule = rule;
  cut.steps = {{.pieces = std::move(pieces)}};
}

std::vector<CutPiece> pieces_of(const std::vector<SubToken>& tokens, std::optional<TokenNumber> unknown) {
  std::vector<CutPiece> pieces;
  for (const SubToken& token : tokens) pieces.push_back({token.text, token.id == unknown});
  return pieces;
}

// 4. The longest beginning that is in the vocabulary, and so on; where there is none the whole piece is unknown.
class WordPiece : public TableModel {
 public:
  WordPiece(Vocabulary vocabulary, WordPieceSettings settings, const std::string& where)
      : TableModel(std::move(vocabulary), where), s_(std::move(settings)), longest_(longest()) {}
  std::optional<TokenNumber> unknown() const override { return find(s_.unknown); }

  std::vector<SubToken> tokenize(const std::string& piece, WordCut* cut) const override {
    std::vector<std::size_t> ends;  // of its characters
    for_each_character(piece, [&](char32_t, std::size_t at, std::size_t length) { ends.push_back(at + length); });
    if (cut) begin_cut(*cut, WordCut::Rule::longest_match, {{piece, false}});
    if (ends.size() > s_.longest) return as_unknown(piece, cut, {});
    std::vector<SubToken> tokens;
    std::size_t begin = 0, index = 0;
    while (begin < piece.size()) {
      std::size_t last = static_cast<std::size_t>(
          std::upper_bound(ends.begin() + static_cast<std::ptrdiff_t>(index), ends.end(), begin + longest_) -
          ends.begin());
      std::vector<std::string> tried;
      for (; last > index; --last) {
        Effort::spend(ends[last - 1] - begin);
        std::string part = (begin > 0 ? s_.prefix : "") + piece.substr(begin, ends[last - 1] - begin);
        if (const std::optional<TokenNumber> id = find(part)) {
          tokens.push_back({*id, std::move(part), begin, ends[last - 1]});
          break;
        }
        if (cut) tried.push_back(std::move(part));
      }
      if (last == index) return as_unknown(piece, cut, std::move(tried));
      begin = ends[last - 1];
      index = last;
      if (cut) add_match(*cut, tokens, std::move(tried), piece.substr(begin));
    }
    return tokens;
  }

 private:
  std::vector<SubToken> as_unknown(const std::string& piece, WordCut* cut, std::vector<std::string> tried) const {
    if (cut) cut->steps.push_back({.pieces = {{s_.unknown, true}}, .made = {0}, .tried = std::move(tried)});
    return {{unknown_number(s_.unknown), s_.unknown, 0, piece.size()}};
  }
  void add_match(WordCut& cut, const std::vector<SubToken>& tokens, std::vector<std::string> tried,
                 const std::string& rest) const {
    CutStep step{.pieces = pieces_of(tokens, unknown()), .tried = std::move(tried), .rest = !rest.empty()};
    step.made = {static_cast<int>(tokens.size()) - 1};
    if (step.rest) step.pieces.push_back({s_.prefix + rest, false});
    cut.steps.push_back(std::move(step));
  }
  WordPieceSettings s_;
  std::size_t longest_;
};

// 4. The piece itself, or unknown.
class WordLevel : public TableModel {
 public:
  WordLevel(Vocabulary vocabulary, std::string unknown, const std::string& where)
      : TableModel(std::move(vocabulary), where), unknown_(std::move(unknown)) {}
  std::optional<TokenNumber> unknown() const override { return find(unknown_); }
  std::vector<SubToken> tokenize(const std::string& piece, WordCut* cut) const override {
    const std::optional<TokenNumber> id = find(piece);
    if (cut) begin_cut(*cut, WordCut::Rule::whole, {{id ? piece : unknown_, !id}});
    if (id) return {{*id, piece, 0, piece.size()}};
    return {{unknown_number(unknown_), unknown_, 0, piece.size()}};
  }

 private:
  std::string unknown_;
};

// 4. A piece that is in the vocabulary, with `ignore_merges`; else its characters, of what is not in the vocabulary the
// bytes, else unknown; then merges, that of the lowest rank first, of equals the leftmost.
class BytePair : public TableModel {
 public:
  BytePair(Vocabulary vocabulary, const std::vector<std::pair<std::string, std::string>>& merges, BpeSettings settings,
           const std::string& where)
      : TableModel(std::move(vocabulary), where), s_(std::move(settings)) {
    for (std::size_t i = 0; i < merges.size(); ++i) {
      const std::size_t rank = i < s_.ranks.size() ? s_.ranks[i] : i;
      const auto& [left, right] = merges[i];
      const std::string whole = left + (right.starts_with(s_.prefix) ? right.substr(s_.prefix.size()) : right);
      const std::optional<TokenNumber> a = find(left), b = find(right), both = find(whole);
      if (!a || !b || !both)
        throw FormatError(where + ": merge " + std::to_string(rank) + " (\"" + left + "\" and \"" + right +
                          "\") is of tokens that are not in the vocabulary");
      merges_[key(*a, *b)] = {static_cast<std::uint32_t>(rank), *both};
    }
  }

  std::optional<TokenNumber> unknown() const override { return s_.unknown ? find(*s_.unknown) : std::nullopt; }

  std::vector<SubToken> tokenize(const std::string& piece, WordCut* cut) const override {
    Effort::spend(50 * piece.size());
    if (s_.ignore_merges)
      if (const std::optional<TokenNumber> id = find(piece)) {
        if (cut) begin_cut(*cut, WordCut::Rule::whole, {{piece, false}});
        return {{*id, piece, 0, piece.size()}};
      }
    std::vector<Symbol> symbols = symbols_of(piece);
    if (cut) begin_cut(*cut, WordCut::Rule::merges, pieces_of(symbols));
    merge(symbols, cut && piece.size() <= WordCut::kLongest ? cut : nullptr);
    if (cut && piece.size() > WordCut::kLongest) cut->steps.push_back({.pieces = pieces_of(symbols)});
    std::vector<SubToken> tokens;
    std::size_t at = 0;
    for (const Symbol& symbol : symbols) {
      if (symbol.length == 0) continue;
      tokens.push_back({symbol.id, *text(symbol.id), at, at + symbol.length});
      at += symbol.length;
    }
    return tokens;
  }

 private:
  struct Symbol {
    TokenNumber id;
    std::size_t length;  // bytes; 0: it was merged into the one before
    std::ptrdiff_t previous, next;
  };
  struct Merge {
    std::uint32_t rank;
    TokenNumber id;
  };
  struct Candidate {
    std::size_t place;
    Merge merge;
    bool operator<(const Candidate& other) const {  // the best one is the largest
      return std::pair(merge.rank, place) > std::pair(other.merge.rank, other.place);
    }
  };
  static std::uint64_t key(TokenNumber a, TokenNumber b) {
    return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
  }

  std::vector<Symbol> symbols_of(const std::string& piece) const {
    std::vector<Symbol> symbols;
    const auto add = [&](TokenNumber id, std::size_t length) {
      symbols.push_back({id, length, static_cast<std::ptrdiff_t>(symbols.size()) - 1,
                         static_cast<std::ptrdiff_t>(symbols.size()) + 1});
    };
    std::optional<std::size_t> unknown;  // bytes that wait to be one unknown token
    const auto flush = [&] {
      if (unknown) add(unknown_number(*s_.unknown), *unknown);
      unknown.reset();
    };
    for_each_character(piece, [&](char32_t, std::size_t at, std::size_t length) {
      std::string part = piece.substr(at, length);
      if (at > 0) part.insert(0, s_.prefix);
      if (at + length == piece.size()) part += s_.suffix;
      if (const std::optional<TokenNumber> id = find(part)) {
        flush();
        return add(*id, length);
      }
      if (s_.byte_fallback) {
        std::vector<TokenNumber> bytes;
        for (const char byte : part)
          if (const std::optional<TokenNumber> id = find(byte_token(byte))) bytes.push_back(*id);
        if (bytes.size() == part.size()) {
          for (const TokenNumber id : bytes) add(id, 1);
          return;
        }
      }
      if (!s_.unknown) return;  // as the library does: it is left out
      if (unknown && !s_.fuse_unknown) flush();
      unknown = unknown.value_or(0) + length;
    });
    flush();
    if (!symbols.empty()) symbols.back().next = -1;
    return symbols;
  }

  std::vector<CutPiece> pieces_of(const std::vector<Symbol>& symbols) const {
    std::vector<CutPiece> pieces;
    const std::optional<TokenNumber> none = unknown();
    for (const Symbol& symbol : symbols)
      if (symbol.length > 0) pieces.push_back({*text(symbol.id), symbol.id == none});
    return pieces;
  }
  void tell(WordCut& cut, const std::vector<Symbol>& symbols, const Candidate& merged, std::string left,
            std::string right) const {
    const auto before = std::count_if(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(merged.place),
                                      [](const Symbol& symbol) { return symbol.length > 0; });
    cut.add_merge({.pieces = pieces_of(symbols),
                   .made = {static_cast<int>(before)},
                   .rank = static_cast<long>(merged.merge.rank),
                   .left = std::move(left),
                   .right = std::move(right)});
  }

  void merge(std::vector<Symbol>& symbols, WordCut* cut) const {
    std::priority_queue<Candidate> queue;
    const auto offer = [&](std::ptrdiff_t left, std::ptrdiff_t right) {
      if (left < 0 || right < 0) return;
      const auto found =
          merges_.find(key(symbols[static_cast<std::size_t>(left)].id, symbols[static_cast<std::size_t>(right)].id));
      if (found != merges_.end()) queue.push({static_cast<std::size_t>(left), found->second});
    };
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
      offer(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(i) + 1);
    while (!queue.empty()) {
      Effort::spend(100);
      const Candidate best = queue.top();
      queue.pop();
      Symbol& left = symbols[best.place];
      if (left.length == 0 || left.next < 0) continue;
      Symbol& right = symbols[static_cast<std::size_t>(left.next)];
      // A candidate is of the past when one of its two was merged since.
      const auto found = merges_.find(key(left.id, right.id));
      if (found == merges_.end() || found->second.id != best.merge.id) continue;
      const TokenNumber left_id = std::exchange(left.id, best.merge.id);
      left.length += right.length;
      right.length = 0;
      left.next = right.next;
      if (cut) tell(*cut, symbols, {best.place, found->second}, *text(left_id), *text(right.id));
      const auto place = static_cast<std::ptrdiff_t>(best.place);
      if (left.next >= 0) symbols[static_cast<std::size_t>(left.next)].previous = place;
      offer(left.previous, place);
      offer(place, left.next);
    }
  }

  BpeSettings s_;
  std::unordered_map<std::uint64_t, Merge> merges_;
};

// 4. The best path by the sum of the pieces' scores (Kudo 2018), on which unknown characters side by side are one; with
// `byte_fallback` that becomes bytes, else the unknown token.
class Unigram : public TableModel {
 public:
  Unigram(std::vector<std::pair<std::string, double>> pieces, std::optional<TokenNumber> unknown, bool byte_fallback,
          const std::string& where)
      : TableModel(numbered(pieces), where), unknown_(unknown), byte_fallback_(byte_fallback) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [piece, score] : pieces) {
      least = std::min(least, score);
    }
    constexpr double kPenalty = 10;
    unknown_score_ = least - kPenalty;
    pieces_ = std::move(pieces);
    if (unknown_ && (*unknown_ < 0 || *unknown_ >= static_cast<TokenNumber>(pieces_.size())))
      throw FormatError(where + ": the number of the unknown token is not one of the vocabulary");
    std::vector<std::pair<std::string_view, std::uint32_t>> sorted;
    for (const auto& [piece, id] : vocabulary_) sorted.emplace_back(piece, static_cast<std::uint32_t>(id));
    sorted_ = Prefixes(std::move(sorted));
  }
  TokenNumber size() const override { return static_cast<TokenNumber>(pieces_.size()); }
  std::optional<TokenNumber> unknown() const override { return unknown_; }
  const std::string* text(TokenNumber id) const override {
    return id >= 0 && id < static_cast<TokenNumber>(pieces_.size()) ? &pieces_[static_cast<std::size_t>(id)].first
                                                                    : nullptr;
  }

  std::vector<SubToken> tokenize(const std::string& piece, WordCut* cut) const override {
    std::vector<SubToken> tokens;
    const Path best = best_path(piece);
    for (const auto& [first, last] : best) {
      std::string part = piece.substr(first, last - first);
      if (const std::optional<TokenNumber> id = find(part)) {
        tokens.push_back({*id, std::move(part), first, last});
      } else if (!byte_fallback_ || !add_bytes(part, first, last, tokens)) {
        tokens.push_back({unknown_id(), std::move(part), first, last});
      }
    }
    if (cut) tell(*cut, piece, best, tokens);
    return tokens;
  }

 private:
  using Path = std::vector<std::pair<std::size_t, std::size_t>>;
  struct Node {  // the best way to a place
    double score = 0;
    std::size_t begin = std::string::npos;
    TokenNumber id = -1;
  };
  static Vocabulary numbered(const std::vector<std::pair<std::string, double>>& pieces) {
    Vocabulary vocabulary;
    for (std::size_t i = 0; i < pieces.size(); ++i) vocabulary[pieces[i].first] = static_cast<TokenNumber>(i);
    return vocabulary;
  }
  TokenNumber unknown_id() const {
    if (!unknown_)
      throw FormatError(where_ + ": a text has characters that no piece has, and there is no unknown token");
    return *unknown_;
  }
  bool add_bytes(const std::string& part, std::size_t first, std::size_t last, std::vector<SubToken>& tokens) const {
    std::vector<SubToken> bytes;
    for (const char byte : part) {
      std::string name = byte_token(byte);
      const std::optional<TokenNumber> id = find(name);
      if (!id) return false;
      bytes.push_back({*id, std::move(name), first, last});
    }
    tokens.insert(tokens.end(), bytes.begin(), bytes.end());
    return true;
  }
  // Each piece that may stand somewhere in it, from the left; a character that none is may be unknown.
  void for_each_arc(
      const std::string& piece,
      const std::function<void(std::size_t begin, std::size_t end, double score, TokenNumber id)>& take) const {
    for_each_character(piece, [&](char32_t, std::size_t begin, std::size_t length) {
      bool single = false;
      sorted_.for_each(std::string_view(piece).substr(begin), [&](std::size_t size, std::uint32_t id) {
        take(begin, begin + size, pieces_[id].second, static_cast<TokenNumber>(id));
        single |= size == length;
      });
      if (!single) take(begin, begin + length, unknown_score_, unknown_id());
    });
  }
  // From the end; unknown ones beside each other are one.
  void add_in_front(Path& path, const Node& node, std::size_t end, bool& unknown_before) const {
    const bool is_unknown = unknown_ && node.id == *unknown_;
    if (is_unknown && unknown_before)
      path.back().first = node.begin;
    else
      path.emplace_back(node.begin, end);
    unknown_before = is_unknown;
  }
  Path best_path(const std::string& piece) const {
    std::vector<Node> ends(piece.size() + 1);
    for_each_arc(piece, [&](std::size_t begin, std::size_t end, double score, TokenNumber id) {
      Node& node = ends[end];
      const double total = ends[begin].score + score;
      if (node.begin == std::string::npos || total > node.score) node = {total, begin, id};
    });
    Path path;
    bool unknown_before = false;
    for (std::size_t end = piece.size(); end > 0; end = ends[end].begin)
      add_in_front(path, ends[end], end, unknown_before);
    std::reverse(path.begin(), path.end());
    return path;
  }

  // For each place the two best ways to it: the runner-up of the whole is the second way to the end.
  Path second_path(const std::string& piece) const {
    struct Way {
      Node node;
      std::size_t before = 0;  // which way to where it begins
    };
    std::vector<std::vector<Way>> ends(piece.size() + 1);
    ends[0].push_back({{0, 0, -1}, 0});
    for_each_arc(piece, [&](std::size_t begin, std::size_t end, double score, TokenNumber id) {
      std::vector<Way>& ways = ends[end];
      for (std::size_t k = 0; k < ends[begin].size(); ++k) {
        const double total = ends[begin][k].node.score + score;
        const auto at = std::ranges::find_if(ways, [&](const Way& way) { return total > way.node.score; });
        if (at != ways.end() || ways.size() < 2) ways.insert(at, {{total, begin, id}, k});
        if (ways.size() > 2) ways.pop_back();
      }
    });
    Path path;
    if (ends[piece.size()].size() < 2) return path;
    bool unknown_before = false;
    std::size_t which = 1;
    for (std::size_t end = piece.size(); end > 0;) {
      const Way& way = ends[end][which];
      add_in_front(path, way.node, end, unknown_before);
      which = way.before;
      end = way.node.begin;
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  double score_of(const std::string& part) const {
    const std::optional<TokenNumber> id = find(part);
    if (id) return pieces_[static_cast<std::size_t>(*id)].second;
    double sum = 0;  // of each of its characters
    for_each_character(part, [&](char32_t, std::size_t, std::size_t) { sum += unknown_score_; });
    return sum;
  }
  CutStep step_of(const std::string& piece, const Path& path) const {
    CutStep step{.score = 0};
    for (const auto& [first, last] : path) {
      const std::string part = piece.substr(first, last - first);
      step.pieces.push_back({part, !find(part)});
      step.scores.push_back(score_of(part));
      step.score += step.scores.back();
    }
    return step;
  }
  void tell(WordCut& cut, const std::string& piece, const Path& best, const std::vector<SubToken>& tokens) const {
    std::vector<CutPiece> characters;
    std::vector<std::size_t> place(piece.size() + 1);  // of each byte, in characters
    for_each_character(piece, [&](char32_t, std::size_t at, std::size_t length) {
      place[at] = characters.size();
      characters.push_back({piece.substr(at, length), false});
    });
    place[piece.size()] = characters.size();
    begin_cut(cut, WordCut::Rule::best_path, std::move(characters));
    if (piece.size() <= WordCut::kLongest) {
      for_each_arc(piece, [&](std::size_t begin, std::size_t end, double score, TokenNumber id) {
        cut.arcs.push_back({place[begin], place[end], piece.substr(begin, end - begin), score, id == unknown_});
      });
      if (const Path second = second_path(piece); !second.empty()) cut.steps.push_back(step_of(piece, second));
    }
    CutStep last = step_of(piece, best);
    last.pieces = pieces_of(tokens, unknown_);  // also where bytes stand for what is unknown
    cut.steps.push_back(std::move(last));
  }

  std::vector<std::pair<std::string, double>> pieces_;
  std::optional<TokenNumber> unknown_;
  bool byte_fallback_;
  double unknown_score_ = 0;
  Prefixes sorted_;
};

}  // namespace

std::shared_ptr<const SubwordModel> word_piece(Vocabulary vocabulary, WordPieceSettings settings,
                                               const std::string& where) {
  return std::make_shared<WordPiece>(std::move(vocabulary), std::move(settings), where);
}
std::shared_ptr<const SubwordModel> word_level(Vocabulary vocabulary, std::string unknown, const std::string& where) {
  return std::make_shared<WordLevel>(std::move(vocabulary), std::move(unknown), where);
}
std::shared_ptr<const SubwordModel> byte_pair(Vocabulary vocabulary,
                                              const std::vector<std::pair<std::string, std::string>>& merges,
                                              BpeSettings settings, const std::string& where) {
  return std::make_shared<BytePair>(std::move(vocabulary), merges, std::move(settings), where);
}
std::shared_ptr<const SubwordModel> unigram(std::vector<std::pair<std::string, double>> pieces,
                                            std::optional<TokenNumber> unknown, bool byte_fallback,
                                            const std::string& where) {
  return std::make_shared<Unigram>(std::move(pieces), unknown, byte_fallback, where);
}

}  // namespace headlight::pretrained
