#include "model/io/formats/mapping/mapping_guess.h"

#include <algorithm>
#include <set>

#include "model/core/ascii.h"
#include "model/core/json_library.h"
#include "model/io/formats/mapping/mapping_recurrent.h"

namespace headlight {

namespace {

bool has(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != text.npos; });
}

// The first number between points: "layers.3.attn" is of layer 3.
std::optional<Index> layer_of(const std::string& name, std::size_t* at = nullptr, std::size_t* length = nullptr) {
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (!part.empty() && part.size() <= 4 && part.find_first_not_of("0123456789") == part.npos) {
      if (at) *at = begin;
      if (length) *length = part.size();
      return std::stol(part);
    }
    begin = end + 1;
  }
  return {};
}

// "layers.3.attn.weight" as "layers.#.attn.weight".
std::string pattern_of(const std::string& name) {
  std::size_t at = 0, length = 0;
  if (!layer_of(name, &at, &length)) return name;
  std::string text = name;
  return text.replace(at, length, "#");
}
// "encoder.layer[3].norm1.gamma" as "encoder.layer[#].norm1.gamma".
std::string our_pattern(const std::string& name) {
  const std::size_t open = name.find("layer["), close = name.find(']', open == name.npos ? 0 : open);
  if (open == name.npos || close == name.npos) return name;
  return name.substr(0, open + 6) + "#" + name.substr(close);
}
std::string without_end(const std::string& name) {
  for (const char* end : {".weight", ".bias", ".gamma", ".beta"})
    if (name.ends_with(end)) return name.substr(0, name.size() - std::string_view(end).size());
  return name;
}

bool of_decoder(const std::string& name) {
  const std::string text = lower_ascii(name);
  const std::size_t encoder = std::min(text.find("encoder"), text.find("enc.")),
                    decoder = std::min({text.find("decoder"), text.find("dec."), text.find("tgt"), text.find("trg")});
  return decoder < encoder;
}
bool of_encoder(const std::string& name) {
  return !of_decoder(name) && has(lower_ascii(name), {"encoder", "enc.", "src"});
}
bool is_position(const std::string& name) { return has(lower_ascii(name), {"pos", "wpe"}); }
bool is_norm(const std::string& name) { return has(lower_ascii(name), {"norm", "ln_", "ln1", "ln2", "ln.", "lnf"}); }

struct Sizes {
  Index width = 0, vocabulary = 0, ff = 0, positions = 0, encoder_layers = 0, decoder_layers = 0;
  bool both = false, output = false, output_bias = false, final_norm = false, attention_bias = false, ffn_bias = false,
       norm_bias = false;
};

std::optional<Sizes> sizes_of(const TensorFile& tensors) {
  Sizes sizes;
  bool encoder = false, decoder = false;
  for (const TensorEntry& entry : tensors.tensors()) {
    const std::string name = lower_ascii(entry.name);
    if (entry.shape.size() == 2 && has(name, {"emb", "wte"}) && !is_position(name) && sizes.width == 0)
      sizes.width = static_cast<Index>(entry.shape[1]);
    encoder = encoder || of_encoder(entry.name);
    decoder = decoder || of_decoder(entry.name);
  }
  if (sizes.width == 0) return {};
  sizes.both = encoder && decoder;
  const auto d = static_cast<std::uint64_t>(sizes.width);
  std::set<std::uint64_t> wide, narrow, vocabularies;
  for (const TensorEntry& entry : tensors.tensors()) {
    const std::string name = lower_ascii(entry.name);
    const auto layer = layer_of(entry.name);
    const bool matrix = entry.shape.size() == 2, bias = name.ends_with("bias") || name.ends_with("beta");
    if (layer) {
      Index& layers = of_decoder(entry.name) || !sizes.both ? sizes.decoder_layers : sizes.encoder_layers;
      layers = std::max(layers, *layer + 1);
      if (matrix && entry.shape[1] == d) wide.insert(entry.shape[0]);
      if (matrix && entry.shape[0] == d) narrow.insert(entry.shape[1]);
      const bool attention = has(name, {"attn", "attention"});
      if (bias && is_norm(name)) sizes.norm_bias = true;
      if (bias && attention && !is_norm(name)) sizes.attention_bias = true;
      if (bias && !attention && !is_norm(name)) sizes.ffn_bias = true;
    } else {
      if (is_norm(name) && entry.shape.size() == 1) sizes.final_norm = true;
      if (matrix && is_position(name) && entry.shape[1] == d) sizes.positions = static_cast<Index>(entry.shape[0]);
      if (matrix && has(name, {"emb", "wte"}) && !is_position(name)) vocabularies.insert(entry.shape[0]);
    }
  }
  for (const std::uint64_t rows : wide)
    if (rows != d && narrow.count(rows)) sizes.ff = static_cast<Index>(rows);
  if (sizes.ff == 0) sizes.ff = sizes.width;
  for (const TensorEntry& entry : tensors.tensors()) {
    if (layer_of(entry.name) || has(lower_ascii(entry.name), {"emb", "wte", "wpe"})) continue;
    if (entry.shape.size() == 2 && entry.shape[1] == d && vocabularies.count(entry.shape[0])) sizes.output = true;
    if (entry.shape.size() == 1 && vocabularies.count(entry.shape[0])) sizes.output_bias = true;
  }
  return sizes;
}

// How likely it is that a norm of theirs is ours: each part of a layer has its own words.
int likeness(const std::string& ours, const std::string& theirs, bool cross) {
  const std::string name = lower_ascii(theirs);
  const bool of_cross = has(name, {"enc_attn", "encoder_attn", "cross", "encdec", "norm2", "ln2", "ln_2"}),
             of_self = has(name, {"self", "norm1", "ln1", "ln_1", "input"}) ||
                       (!of_cross && has(name, {"attn", "attention"})),
             of_end = has(name, {"ff", "final", "mlp", "output", cross ? "norm3" : "norm2", cross ? "ln3" : "ln2",
                                 cross ? "ln_3" : "ln_2"});
  if (ours.find("norm1") != ours.npos) return of_self ? 2 : of_end ? 0 : 1;
  if (ours.find("norm2") != ours.npos && cross) return of_cross ? 2 : of_self || of_end ? 0 : 1;
  return of_end ? 2 : of_self ? 0 : 1;
}

void add_text(Json& mapping, const MappingAnswers& answers) {
  if (answers.source_vocabulary.empty()) return;
  Json text = {{"source_vocabulary", answers.source_vocabulary}, {"tokenizer", "words"}};
  if (!answers.target_vocabulary.empty()) text["target_vocabulary"] = answers.target_vocabulary;
  if (!answers.start.empty()) text["start"] = answers.start;
  if (!answers.end.empty()) text["end"] = answers.end;
  if (answers.model_type != "decoder_only" && !answers.start.empty()) text["source_start"] = true;
  if (answers.model_type != "decoder_only" && !answers.end.empty()) text["source_end"] = true;
  mapping["text"] = text;
}

Json begun_mapping(const TensorFile& tensors, const Sizes& sizes, const MappingAnswers& answers) {
  Json model;
  const bool encoder = answers.model_type != "decoder_only", decoder = answers.model_type != "encoder_only";
  model["model_size"] = sizes.width;
  model["heads"] = answers.heads;
  model["ff_size"] = sizes.ff;
  if (encoder) model["encoder_layers"] = std::max(sizes.both ? sizes.encoder_layers : sizes.decoder_layers, Index(1));
  if (decoder) model["decoder_layers"] = std::max(sizes.decoder_layers, Index(1));
  model["norm_place"] = answers.norms_behind ? "post" : "pre";
  model["final_norm"] = sizes.final_norm ? "yes" : "no";
  if (!sizes.norm_bias) {
    model["norm"] = "rms";
    model["norm_bias"] = false;
  }
  model["attention_bias"] = model["projection_bias"] = sizes.attention_bias;
  model["ffn_bias"] = sizes.ffn_bias;
  model["activation"] = answers.activation;
  model["positions"] = answers.learned_positions ? "learned" : "sinusoid";
  if (answers.learned_positions) model["max_positions"] = std::max(sizes.positions, Index(1));
  model["scale_embeddings"] = answers.scaled_embeddings;
  if (sizes.output) model["tie"] = "none";
  model["output_bias"] = sizes.output_bias ? "yes" : "no";
  if (answers.model_type == "encoder_only") model["head_transform"] = false;
  Json tensors_of = Json::object();
  // nn.MultiheadAttention keeps queries, keys and values in one tensor.
  for (const TensorEntry& entry : tensors.tensors()) {
    const bool weight = entry.name.ends_with("in_proj_weight");
    if (!weight && !entry.name.ends_with("in_proj_bias")) continue;
    const bool cross = has(lower_ascii(entry.name), {"multihead_attn", "cross", "enc_attn", "encoder_attn"});
    const bool in_decoder = sizes.both ? of_decoder(entry.name) : answers.model_type == "decoder_only";
    const std::string place = std::string(in_decoder ? "decoder" : "encoder") + ".layer[#]." +
                              (cross ? "cross_attn" : "self_attn") + (weight ? ".W_" : ".b_");
    for (Index part = 0; part < 3; ++part) {
      const Json rows = {{"rows", {pattern_of(entry.name), part * sizes.width, (part + 1) * sizes.width}}};
      tensors_of[place + "qkv"[part]] = weight ? Json{{"transpose", rows}} : rows;
    }
  }
  Json mapping = {
      {"format", "headlight-mapping-1"}, {"model_type", answers.model_type}, {"model", model}, {"tensors", tensors_of}};
  add_text(mapping, answers);
  return mapping;
}

std::vector<std::string> texts_of(const Json& mapping, const char* key) {
  std::vector<std::string> texts;
  if (const auto found = mapping.find(key); found != mapping.end())
    for (const Json& each : *found) texts.push_back(each.get<std::string>());
  return texts;
}

// What is missing and what is left over, out of what was proposed.
void finish(MappingProposal& made, Json mapping, const std::filesystem::path& file, const MappingAnswers& answers) {
  made.missing = texts_of(mapping, "missing");
  made.unused = texts_of(mapping, "unused");
  for (const char* key : {"questions", "missing", "unused"}) mapping.erase(key);
  // Rules with a number, and those of a layer of torch.nn, name tensors that are listed as unused.
  std::erase_if(made.unused, [&](const std::string& line) {
    const std::string name = line.substr(0, line.rfind(" ["));
    if (mapping.contains("modules"))
      for (const Json& rule : mapping["modules"]) {
        const std::string from = rule.at("from").get<std::string>(), front = from.empty() ? from : from + ".";
        if (name.starts_with(front + "weight_") || name.starts_with(front + "bias_")) return true;
      }
    return mapping["tensors"].dump().find('"' + pattern_of(name) + '"') != std::string::npos;
  });
  if (answers.leaves_over && !made.unused.empty()) {
    mapping["ignored"] = Json::array();
    for (const std::string& line : made.unused) mapping["ignored"].push_back(line.substr(0, line.rfind(" [")));
  }
  mapping["weights"] = file.filename().string();
  made.mapping = std::move(mapping);
}

}  // namespace

std::optional<MappingAnswers> guessed_answers(const TensorFile& tensors) {
  if (is_recurrent(tensors)) {
    MappingAnswers answers;
    answers.model_type = kRecurrent;
    return answers;
  }
  const auto sizes = sizes_of(tensors);
  if (!sizes) return {};
  MappingAnswers answers;
  const bool named_encoder =
      std::ranges::any_of(tensors.tensors(), [](const TensorEntry& e) { return of_encoder(e.name); });
  answers.model_type = sizes->both ? "transformer" : named_encoder ? "encoder_only" : "decoder_only";
  // Heads of 64 columns are usual; a small model has four.
  for (const Index heads : {sizes->width / 64, Index(8), Index(4), Index(2), Index(1)})
    if (heads > 0 && sizes->width % heads == 0) {
      answers.heads = heads;
      break;
    }
  if (answers.heads == 8 && sizes->width < 64 && sizes->width % 4 == 0) answers.heads = 4;
  answers.norms_behind = sizes->both && !sizes->final_norm;
  answers.activation = sizes->both ? "relu" : "gelu";
  answers.learned_positions = sizes->positions > 0;
  answers.scaled_embeddings = sizes->both;
  return answers;
}

MappingProposal mapping_from(const std::filesystem::path& file, const TensorFile& tensors,
                             const MappingAnswers& answers) {
  MappingProposal made;
  if (answers.model_type == kRecurrent) {
    Json begun = recurrent_mapping(tensors, answers, made.questions);
    add_text(begun, answers);
    finish(made, proposed_mapping(file, std::move(begun), file.string()), file, answers);
    return made;
  }
  const auto sizes = sizes_of(tensors);
  if (!sizes) throw FormatError(file.string() + ": there is no table of embeddings among its tensors");
  const Json begun = begun_mapping(tensors, *sizes, answers);
  Json proposed = proposed_mapping(file, begun, file.string());
  std::map<std::string, MappingQuestion> by_place;
  std::map<std::string, std::string> ends;  // "a.#.norm" + gamma -> "a.#.norm.weight"
  if (const auto questions = proposed.find("questions"); questions != proposed.end())
    for (const auto& [ours, theirs] : questions->items()) {
      const bool norm = is_norm(ours);
      MappingQuestion& question = by_place[norm ? without_end(our_pattern(ours)) : ours];
      for (const Json& each : theirs) {
        const std::string name = each.get<std::string>(), place = norm ? without_end(pattern_of(name)) : name;
        if (norm) ends[place + (ours.ends_with("gamma") ? " gamma" : " beta")] = pattern_of(name);
        if (std::ranges::find(question.theirs, place) == question.theirs.end()) question.theirs.push_back(place);
      }
    }
  // What somebody has chosen for one is not guessed for another.
  std::set<std::string> taken;
  const auto said = [&](const std::string& ours, const MappingQuestion& question) -> std::optional<std::string> {
    const auto chosen = answers.chosen.find(ours);
    if (chosen == answers.chosen.end() || std::ranges::find(question.theirs, chosen->second) == question.theirs.end())
      return {};
    return chosen->second;
  };
  for (const auto& [ours, question] : by_place)
    if (const auto chosen = said(ours, question)) taken.insert(*chosen);
  Json with_answers = begun;
  for (auto& [ours, question] : by_place) {
    question.ours = ours;
    const bool norm = is_norm(ours), cross = answers.model_type == "transformer" && ours.starts_with("decoder");
    if (norm)
      std::ranges::stable_sort(question.theirs, [&, of = ours](const std::string& a, const std::string& b) {
        return likeness(of, a, cross) > likeness(of, b, cross);
      });
    const auto free =
        std::ranges::find_if(question.theirs, [&](const std::string& each) { return !taken.count(each); });
    question.chosen = said(ours, question).value_or(free == question.theirs.end() ? question.theirs.front() : *free);
    taken.insert(question.chosen);
    if (norm) {
      for (const char* part : {"gamma", "beta"})
        if (const auto end = ends.find(question.chosen + " " + part); end != ends.end())
          with_answers["tensors"][ours + "." + part] = end->second;
    } else {
      // nn.Linear stores [out x in]; a table lies as ours does.
      const auto entry = std::ranges::find(tensors.tensors(), question.chosen, &TensorEntry::name);
      const bool turned = entry != tensors.tensors().end() && entry->shape.size() == 2 && !ours.ends_with("embed.W") &&
                          !ours.ends_with("pos.W");
      with_answers["tensors"][ours] = turned ? Json{{"transpose", question.chosen}} : Json(question.chosen);
    }
    made.questions.push_back(question);
  }
  finish(made, proposed_mapping(file, with_answers, file.string()), file, answers);
  return made;
}

}  // namespace headlight
