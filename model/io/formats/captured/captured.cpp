#include "model/io/formats/captured/captured.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>
#include <optional>
#include <regex>
#include <system_error>

#include "model/core/budget.h"
#include "model/core/clock.h"
#include "model/core/json.h"
#include "model/core/slices.h"
#include "model/decode/attention_rows.h"
#include "model/decode/run.h"
#include "model/io/file.h"
#include "model/io/formats/captured/stored_mask.h"
#include "model/io/formats/captured/stored_shard.h"
#include "model/io/formats/pretrained/pretrained_text.h"
#include "model/models/registry.h"
#include "model/text/message_line.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

using Kind = StoredMaps::Kind;

constexpr std::size_t kMostShards = 100'000;
constexpr Index kMostListed = 100'000;  // texts; the number of any other one can be typed
constexpr const char* kWhyNot = "stored attention has no weights: nothing is computed";

// "batch-00000-of-00002.npz": the name in front, how many there are, and the ending. Nothing for a file of its own.
struct ShardName {
  std::string front, ending;
  std::uint64_t count = 0;
  std::size_t digits = 5;
  std::string file(std::uint64_t i) const {
    const auto padded = [&](std::uint64_t n) {
      std::string text = std::to_string(n);
      return std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
    };
    return front + padded(i) + "-of-" + padded(count) + ending;
  }
};
std::optional<ShardName> shard_name(const fs::path& path) {
  static const std::regex pattern(R"((.*?)(\d{5,9})-of-(\d{5,9})(\.\w+))");
  const std::string name = path.filename().string();
  std::smatch match;
  if (name.size() > 255 || !std::regex_match(name, match, pattern)) return {};
  ShardName shards{match[1], match[4], std::stoull(match[3]), static_cast<std::size_t>(match[3].length())};
  if (shards.count == 0 || shards.count > kMostShards) return {};
  return shards;
}

// All shards that a file belongs to; any other file alone.
std::vector<fs::path> files(const fs::path& path) {
  std::vector<fs::path> all{path};
  if (const auto shards = shard_name(path)) {
    all.clear();
    for (std::uint64_t i = 0; i < shards->count; ++i) all.push_back(path.parent_path() / shards->file(i));
  }
  return all;
}

struct Tokens {
  std::vector<std::string> source, target;
  std::vector<RunNote> notes;  // about the masks
};

// Texts of one file or of a set of shards. A shard is opened for its first text.
class Captured : public StoredRuns {
 public:
  explicit Captured(const fs::path& path, const Opening& opening) {
    const std::vector<fs::path> paths = files(path);
    for (const fs::path& one : paths)
      if (shard_name(path) && !is_there(one))
        throw FileError(path.string() + ": the shard " + one.filename().string() + " is missing");
    for (std::size_t i = 0; i < paths.size(); ++i) {
      opening.report(static_cast<double>(i) / static_cast<double>(paths.size()));
      const auto shard = std::make_shared<const StoredShard>(paths[i]);
      if (shard->maps.empty()) unreadable(paths[i].string(), "there is no attention in it");
      if (!shards_.empty()) check_alike(*shards_.front().shard, *shard);
      // The others are opened when a text of theirs is wanted.
      shards_.push_back({paths[i], i == 0 ? shard : nullptr, static_cast<Index>(count_)});
      count_ += shard->texts;
    }
    kind_ = kind_of(*shards_.front().shard);
  }

  Index count() const override { return static_cast<Index>(count_); }
  ModelTraits::Kind kind() const { return kind_; }
  const StoredShard& first() const { return *shards_.front().shard; }

  // Tokens as they are shown, without those that only fill up a batch.
  Tokens tokens(Index text) const {
    const auto [shard, local] = at(text);
    return read_tokens(*shard, local);
  }

  std::optional<Index> second_sentence(Index text) const {
    const auto [shard, local] = at(text);
    const auto row = shard->numbers("sentence_b_start", local, 1);
    if (row.empty()) return {};
    const std::uint64_t length = shard->maps.begin()->second.keys;
    if (!(row.front() >= 0 && row.front() < static_cast<Scalar>(length)))
      unreadable(shard->where(), "sentence_b_start: expected a token from 0 to " + std::to_string(length - 1) +
                                     ", found " + Json(row.front()).dump());
    return static_cast<Index>(row.front());
  }

  Result run(const Request& request) const override;

 private:
  struct Place {
    fs::path path;
    std::shared_ptr<const StoredShard> shard;
    Index first = 0;  // of all texts
  };

  static void check_alike(const StoredShard& a, const StoredShard& b) {
    for (const auto& [kind, maps] : a.maps)
      if (const StoredMaps* found = maps_of(b.maps, kind);
          !found || found->layers != maps.layers || found->heads != maps.heads)
        unreadable(b.where(), "expected attention of " + std::to_string(maps.layers) + " layers and " +
                                  std::to_string(maps.heads) + " heads, as in " + a.where());
  }

  // A text that looks at itself from left to right only is that of a decoder, and so is one query of many keys: the
  // step that a model with a cache computes.
  static ModelTraits::Kind kind_of(const StoredShard& shard) {
    if (!shard.maps.count(Kind::self)) return ModelTraits::Kind::encoder_decoder;
    const Tensor weights = shard.layer(Kind::self, 0, 0);
    const Index t_count = weights.dim(1);
    if (t_count != weights.dim(2)) return ModelTraits::Kind::decoder_only;
    if (t_count < 2) return ModelTraits::Kind::encoder_only;
    for (Index h = 0; h < weights.dim(0); ++h)
      for (Index q = 0; q < t_count; ++q)
        for (Index k = q + 1; k < t_count; ++k)
          if (weights[(h * t_count + q) * t_count + k] != 0) return ModelTraits::Kind::encoder_only;
    return ModelTraits::Kind::decoder_only;
  }

  std::pair<std::shared_ptr<const StoredShard>, std::uint64_t> at(Index text) const {
    if (text < 0 || text >= count())
      throw UsageError("there is no text " + std::to_string(text) + ": expected a number from 0 to " +
                       std::to_string(count() - 1));
    const auto behind = std::upper_bound(shards_.begin(), shards_.end(), text,
                                         [](Index t, const Place& place) { return t < place.first; });
    const Place& place = *std::prev(behind);
    const WholeSlice whole;
    const std::lock_guard lock(mutex_);
    // The numbers of one shard are kept, not those of all.
    if (open_ != &place) open_shard_ = std::make_shared<const StoredShard>(place.path);
    open_ = &place;
    return {open_shard_, static_cast<std::uint64_t>(text - place.first)};
  }

  static std::vector<std::string> checked(const StoredShard& shard, std::vector<std::string> tokens,
                                          std::uint64_t count, const char* what) {
    if (tokens.empty())
      for (std::uint64_t i = 0; i < count; ++i) tokens.push_back(std::to_string(i));
    if (tokens.size() != count)
      unreadable(shard.where(), std::string(what) + ": expected " + std::to_string(count) +
                                    " tokens, as many as the attention is of, found " + std::to_string(tokens.size()));
    return readable_tokens(tokens);
  }

  Tokens read_tokens(const StoredShard& shard, std::uint64_t text) const {
    Tokens tokens;
    const auto count = [&](Kind kind, bool keys) -> std::uint64_t {
      const StoredMaps* found = maps_of(shard.maps, kind);
      return !found ? 0 : keys ? found->keys : found->queries;
    };
    if (kind_ != ModelTraits::Kind::encoder_decoder) {
      const std::uint64_t length = count(Kind::self, true);
      tokens.source =
          checked(shard, shard.tokens({"tokens", "encoder_tokens", "decoder_tokens"}, text), length, "tokens");
      leave_padding(shard, "attention_mask", Kind::self, text, tokens.source, tokens.notes);
      return tokens;
    }
    const std::uint64_t read = std::max(count(Kind::encoder, true), count(Kind::cross, true)),
                        written = std::max(count(Kind::decoder, true), count(Kind::cross, false));
    tokens.source =
        checked(shard, shard.tokens({"encoder_tokens", "source_tokens", "tokens"}, text), read, "encoder_tokens");
    tokens.target = checked(shard, shard.tokens({"decoder_tokens", "target_tokens"}, text), written, "decoder_tokens");
    const Kind reads = shard.maps.contains(Kind::encoder) ? Kind::encoder : Kind::cross;
    leave_padding(shard, "attention_mask", reads, text, tokens.source, tokens.notes);
    if (shard.maps.contains(Kind::decoder))
      leave_padding(shard, "decoder_attention_mask", Kind::decoder, text, tokens.target, tokens.notes);
    return tokens;
  }

  // Only padding at the end is left out: the places of the others stay.
  static void leave_padding(const StoredShard& shard, const char* name, Kind kind, std::uint64_t text,
                            std::vector<std::string>& tokens, std::vector<RunNote>& notes) {
    const std::vector<Scalar> mask = shard.numbers(name, text, tokens.size());
    if (std::ranges::all_of(mask, [](Scalar each) { return each == 1; })) return;
    const StoredMask read = read_mask(mask, shard.layer(kind, text, 0));
    if (read.note) notes.push_back(*read.note);
    tokens.resize(read.without_end());
  }

  std::vector<Place> shards_;
  std::uint64_t count_ = 0;
  ModelTraits::Kind kind_ = ModelTraits::Kind::encoder_only;
  mutable std::mutex mutex_;
  mutable const Place* open_ = nullptr;
  mutable std::shared_ptr<const StoredShard> open_shard_;
};

// [H x rows x columns] of each map, from its first column on.
Tensor corner(const Tensor& maps, Index first_row, Index rows, Index columns) {
  require_shape(first_row >= 0 && first_row + rows <= maps.dim(1) && columns <= maps.dim(2), "part of stored attention",
                "at most " + std::to_string(first_row + rows) + " x " + std::to_string(columns), maps.shape());
  if (rows == maps.dim(1) && columns == maps.dim(2)) return maps;
  Tensor part({maps.dim(0), rows, columns});
  for (Index h = 0; h < maps.dim(0); ++h)
    for (Index r = 0; r < rows; ++r)
      std::copy_n(maps.data() + (h * maps.dim(1) + first_row + r) * maps.dim(2), columns,
                  part.data() + (h * rows + r) * columns);
  return part;
}

std::optional<Index> number_in(const std::string& text) {
  Index number = 0;
  const std::size_t begin = text.find_first_not_of(" #"), end = text.find_last_not_of(' ');
  if (begin == text.npos) return {};
  const char *from = text.data() + begin, *to = text.data() + end + 1;
  const auto [after, error] = std::from_chars(from, to, number);
  return error == std::errc() && after == to ? std::optional(number) : std::nullopt;
}

// What the maps of a text become: sites of a trace, and what is unusual about their rows.
class Taps {
 public:
  Taps(const StoredShard& shard, std::uint64_t text, const Result& result, const Request& request)
      : shard_(shard),
        text_(text),
        read_(static_cast<Index>(result.tokens.size())),
        steps_(static_cast<Index>(result.steps.size())),
        cancel_(request.cancel),
        recorder_(Capture{request.capture.sites, false}, {}, request.cancel) {
    constexpr double kSite = 600;  // bytes, beside its numbers
    double bytes = 0;
    for (const auto& [kind, maps] : shard.maps) {
      const auto layers = static_cast<double>(maps.layers);
      bytes += layers * static_cast<double>(maps.heads * maps.queries * maps.keys * sizeof(Scalar));
      if (kind == Kind::decoder || kind == Kind::cross) bytes += layers * static_cast<double>(steps_) * kSite;
    }
    within_budget(bytes, budget::kTrace, shard.where(), "store fewer layers in a file");
  }

  void whole(Kind kind, const char* side) {
    each_layer(kind, [&](Index l, const Tensor& maps) {
      const SitePath from(side), place(from, "layer", l), attention(place, "self_attn");
      const Tensor part = corner(maps, 0, std::min(maps.dim(1), read_), read_);
      rows_.add(part);
      recorder_.tap()(attention, "head.weights", part);
    });
  }

  void decoder() {
    each_layer(Kind::decoder, [&](Index l, const Tensor& maps) {
      for (Index t = 0; t < steps_; ++t) {
        const Tensor part = corner(maps, t, 1, t + 1);
        for (Index row = 0; row < part.rows(); ++row) rows_.add_row(part.data() + row * (t + 1), t + 1);
        step(l, t, "self_attn", part);
      }
      rows_.columns_are_shares = false;  // of a triangle nobody can tell
    });
  }

  void cross() {
    each_layer(Kind::cross, [&](Index l, const Tensor& maps) {
      rows_.add(corner(maps, 0, steps_, read_));
      for (Index t = 0; t < steps_; ++t) step(l, t, "cross_attn", corner(maps, t, 1, read_));
    });
  }

  std::shared_ptr<const Trace> trace() { return recorder_.finish({}); }
  const AttentionRows& rows() const { return rows_; }

 private:
  template <class Take>
  void each_layer(Kind kind, const Take& take) const {
    const StoredMaps* found = maps_of(shard_.maps, kind);
    for (std::uint64_t l = 0; found && l < found->layers; ++l) {
      cancel_.check();
      take(static_cast<Index>(l), shard_.layer(kind, text_, l));
    }
  }

  void step(Index layer, Index t, const char* attention, const Tensor& part) {
    const SitePath side("decoder"), at(side, "step", t), place(at, "layer", layer), of(place, attention);
    recorder_.tap()(of, "head.weights", part);
  }

  const StoredShard& shard_;
  std::uint64_t text_;
  Index read_, steps_;
  CancelToken cancel_;
  Recorder recorder_;
  AttentionRows rows_;
};

std::vector<RunNote> notes_of(const AttentionRows& rows) {
  using Note = RunNote::Kind;
  std::vector<RunNote> notes;
  if (rows.not_numbers > 0) notes.push_back({Note::rows_not_numbers, rows.not_numbers, rows.rows});
  if (rows.negative > 0)
    notes.push_back({Note::rows_negative, rows.negative, rows.rows});
  else if (rows.percent > 0 && rows.percent == rows.other_sum)
    notes.push_back({Note::rows_percent});
  else if (rows.other_sum > 0 && rows.columns_are_shares)
    notes.push_back({Note::rows_on_their_side});
  else if (rows.other_sum > 0)
    notes.push_back({Note::rows_other_sum, rows.other_sum, rows.rows});
  return notes;
}

Result Captured::run(const Request& request) const {
  const double start = run_clock.load()();
  const auto wanted = number_in(request.source);
  if (!wanted)
    throw UsageError("stored attention: expected the number of a text, from 0 to " + std::to_string(count() - 1) +
                     ", found '" + request.source.substr(0, 60) + "'");
  if (request.target) throw UsageError("stored attention: there is no model that could score another output");
  if (!request.interventions.empty()) throw UsageError("stored attention: there is nothing that an edit could change");
  const auto [shard, text] = at(*wanted);
  const Tokens tokens = read_tokens(*shard, text);
  const std::optional<Index> second = second_sentence(*wanted);
  Result result;
  result.id = request.id;
  result.model = request.model;
  result.inputs() = request.inputs();
  result.notes = tokens.notes;
  for (std::size_t i = 0; i < tokens.source.size(); ++i) {
    result.tokens.push_back({tokens.source[i], 0, 0, static_cast<TokenId>(i)});
    if (second && static_cast<Index>(i) >= *second) result.tokens.back().sentence = result.tokens.back().type = 1;
    result.position_of_token.push_back(static_cast<int>(i));
    result.token_of_position.push_back(static_cast<int>(i));
  }
  const bool causal = kind_ == ModelTraits::Kind::decoder_only;
  if (causal) result.prompt = static_cast<int>(tokens.source.size());
  for (std::size_t t = 0; t < tokens.target.size(); ++t) {
    OutputStep step;
    step.id = static_cast<TokenId>(t);
    step.text = t + 1 < tokens.target.size() ? tokens.target[t + 1] : std::string("?");
    step.probability = std::nan("");
    result.steps.push_back(std::move(step));
    result.fed.push_back(tokens.target[t]);
    if (t > 0) result.output += tokens.target[t];
  }
  Taps taps(*shard, text, result, request);
  taps.whole(Kind::self, causal ? "decoder" : "encoder");
  taps.whole(Kind::encoder, "encoder");
  taps.decoder();
  taps.cross();
  for (const RunNote& note : notes_of(taps.rows())) result.notes.push_back(note);
  result.captured = request.capture.sites;
  if (request.trace) result.trace = taps.trace();
  result.seconds = run_clock.load()() - start;
  return result;
}

// The shape of the model that the attention is of.
class CapturedModel : public Model {
 public:
  explicit CapturedModel(const Json& config) : Model(config) {}
  std::unique_ptr<Decoding> begin(const Source&, const Pass&) const override { throw UsageError(kWhyNot); }
};

Json config_of(const Captured& captured) {
  Json settings;
  const auto of = [&](Kind kind) { return maps_of(captured.first().maps, kind); };
  const StoredMaps& any = captured.first().maps.begin()->second;
  settings["family"] = "stored";  // nobody knows whose model it was
  settings["heads"] = any.heads;
  settings["model_size"] = any.heads * 2;
  settings["ff_size"] = 1;
  settings["source_vocabulary_size"] = settings["target_vocabulary_size"] = 1;
  settings["positions"] = "none";
  if (captured.kind() == ModelTraits::Kind::encoder_decoder) {
    settings["model_type"] = "transformer";
    const StoredMaps* read = of(Kind::encoder);
    const StoredMaps* written = of(Kind::decoder) ? of(Kind::decoder) : of(Kind::cross);
    settings["encoder_layers"] = read ? read->layers : 1;
    settings["decoder_layers"] = written ? written->layers : 1;
  } else {
    const bool causal = captured.kind() == ModelTraits::Kind::decoder_only;
    settings["model_type"] = causal ? "decoder_only" : "encoder_only";
    settings[causal ? "decoder_layers" : "encoder_layers"] = any.layers;
  }
  return make_model(settings, {InitialValues::Kind::none})->config();
}

// The number of a text stands for its tokens.
class CapturedTexts : public OtherTokenizer {
 public:
  explicit CapturedTexts(std::shared_ptr<const Captured> captured) : captured_(std::move(captured)) {}
  std::vector<TextToken> split(std::string_view text) const override {
    std::vector<TextToken> tokens;
    const auto number = number_in(std::string(text));
    if (!number || *number < 0 || *number >= captured_->count()) {
      if (!text.empty()) tokens.push_back({std::string(text), 0, text.size(), std::nullopt, false, true});
      return tokens;
    }
    for (const std::string& token : captured_->tokens(*number).source)
      tokens.push_back({token, 0, 0, static_cast<TokenId>(tokens.size())});
    return tokens;
  }
  std::string join(const std::vector<TokenId>&) const override { return {}; }

 private:
  std::shared_ptr<const Captured> captured_;
};

bool recognise(const fs::path& path) {
  try {
    const std::string ending = path.extension().string();
    if (ending != ".npz" && ending != ".npy" && ending != ".safetensors" && ending != ".pt" && ending != ".pth" &&
        ending != ".pkl" && ending != ".pickle")
      return false;
    const StoredShard shard(path);
    if (shard.maps.empty()) return false;
    if (!shard.says_little()) return true;
    // Names such as "0" and a bare array: it is attention if its rows add up to 1.
    AttentionRows rows;
    rows.add(shard.layer(Kind::self, 0, 0));
    return rows.rows > rows.not_numbers && rows.are_shares();
  } catch (const Error&) {
    return false;
  }
}

Contents contents(const fs::path& path) { return {open_arrays(path), false, kWhyNot, {}}; }

std::shared_ptr<const ModelBundle> open(const fs::path& path, const Opening& opening) {
  const auto captured = std::make_shared<const Captured>(path, opening);
  auto bundle = std::make_shared<ModelBundle>();
  bundle->folder = path;
  bundle->name = escaped_line(last_part(path));
  bundle->title = bundle->name;
  bundle->stored = captured;
  bundle->model = std::make_shared<const CapturedModel>(config_of(*captured));
  const auto texts = std::make_shared<const CapturedTexts>(captured);
  bundle->text.source = Tokenizer(texts, Vocabulary::shown({"?"}));
  bundle->text.target = Tokenizer(texts, Vocabulary::shown({"?"}));
  bundle->text.writes = captured->kind() == ModelTraits::Kind::encoder_decoder;
  const StoredMaps& any = captured->first().maps.begin()->second;
  bundle->description = "stored attention of " + std::to_string(captured->count()) +
                        (captured->count() == 1 ? " text" : " texts") + ": " + std::to_string(any.layers) +
                        " layers, " + std::to_string(any.heads) + " heads; type the number of a text, from 0";
  if (const auto second = captured->second_sentence(0))
    bundle->description += "; the second sentence begins at token " + std::to_string(*second);
  for (Index i = 0; i < std::min(captured->count(), kMostListed); ++i) bundle->examples.push_back(std::to_string(i));
  return bundle;
}

ModelDescription describe(const fs::path& path) { return described_opened(*open(path, {})); }
ModelCard card(const fs::path&) { return {}; }
}  // namespace

Format captured_format() {
  return {"captured",
          "stored attention",
          "an array of attention with its tokens",
          false,
          true,
          "*.npz *.npy *.safetensors *.pt *.pth *.pkl *.pickle",
          recognise,
          contents,
          open,
          describe,
          card,
          files};
}

}  // namespace headlight
