#include "model/models/expert_settings.h"

namespace headlight {

namespace {

constexpr Index kMostColumns = 1'048'576, kMostExperts = 4096;
constexpr Index kMostInAll = 65'536;  // experts of all layers: each has parameters of its own

[[noreturn]] void refuse_experts(const std::string& what) { throw FormatError(what); }

// Which experts may be chosen together.
void read_choice_of_experts(const Json& config, ExpertSettings& s) {
  ExpertChoice& choice = s.choice;
  choice.count = read_index(config, "experts_chosen", 1, s.count);
  choice.groups = read_index(config, "expert_groups", 1, s.count);
  choice.groups_kept = read_index(config, "expert_groups_kept", 1, choice.groups);
  choice.noise = read_number(config, "router_noise", 0, 1e6);
  choice.by = s.router == ExpertRouter::sigmoid  ? ExpertChoice::By::sigmoid
              : s.router == ExpertRouter::rounds ? ExpertChoice::By::rounds
                                                 : ExpertChoice::By::logits;
  if (s.count % choice.groups != 0)
    refuse_experts("\"expert_groups\" " + std::to_string(choice.groups) + " must divide \"expert_count\" " +
                   std::to_string(s.count));
  const Index most = s.count / choice.groups * choice.groups_kept;
  if (choice.count > most)
    refuse_experts("\"experts_chosen\" " + std::to_string(choice.count) + " is more than the " + std::to_string(most) +
                   " experts of the groups that are kept");
  if (s.router == ExpertRouter::sigmoid && choice.groups > 1 && s.count / choice.groups < 2)
    refuse_experts("\"expert_groups\" " + std::to_string(choice.groups) +
                   " leaves one expert in each group, and a group counts its two largest");
  if (s.router == ExpertRouter::rounds && (choice.count != 2 || choice.groups > 1))
    refuse_experts("a \"router\" in \"rounds\" has two \"experts_chosen\" and no \"expert_groups\", found " +
                   std::to_string(choice.count));
}

}  // namespace

std::optional<ExpertSettings> read_experts(const Json& given, const FeedForwardSettings& plain, Index layers) {
  const Json& own = given.at("experts");
  if (own.empty()) return {};
  const Json config = object_with("experts", own,
                                  {{"expert_count", 8},
                                   {"experts_chosen", 2},
                                   {"expert_size", 0},
                                   {"expert_bias", false},
                                   {"router", "softmax"},
                                   {"router_bias", false},
                                   {"router_correction", false},
                                   {"router_noise", 0},
                                   {"normalise_shares", false},
                                   {"share_scale", 1},
                                   {"expert_groups", 1},
                                   {"expert_groups_kept", 1},
                                   {"gate_limit", 0},
                                   {"gate_alpha", 1.702},
                                   {"shared_size", 0},
                                   {"shared_gate", false}});
  ExpertSettings s;
  s.count = read_index(config, "expert_count", 1, kMostExperts);
  if (s.count * layers > kMostInAll)
    refuse_experts("\"expert_count\" " + std::to_string(s.count) + " in " + std::to_string(layers) +
                   " layers: expected at most " + std::to_string(kMostInAll) + " experts in all");
  s.each = plain;
  if (const Index size = read_index(config, "expert_size", 0, kMostColumns); size > 0) s.each.hidden = size;
  s.each.bias = read_flag(config, "expert_bias");
  s.each.limit = read_number(config, "gate_limit", 0, 1e6);
  s.each.alpha = read_number(config, "gate_alpha", 1e-6, 1e6);
  if (s.each.limit > 0 && !s.each.gated) refuse_experts("\"gate_limit\" needs \"gated\"");
  s.router = static_cast<ExpertRouter>(read_choice(config, "router", kExpertRouterNames));
  s.router_bias = read_flag(config, "router_bias");
  s.correction = read_flag(config, "router_correction");
  if (s.correction && s.router != ExpertRouter::sigmoid)
    refuse_experts("\"router_correction\" needs a \"router\" of \"sigmoid\"");
  s.normalise = read_flag(config, "normalise_shares");
  s.scale = read_number(config, "share_scale", 1e-9, 1e6);
  s.shared = read_index(config, "shared_size", 0, kMostColumns);
  s.shared_gate = read_flag(config, "shared_gate");
  if (s.shared_gate && s.shared == 0) refuse_experts("\"shared_gate\" needs a \"shared_size\"");
  read_choice_of_experts(config, s);
  return s;
}

std::optional<LatentSettings> read_latent(const Json& given, Index head_size) {
  const Json& own = given.at("latent");
  if (own.empty()) return {};
  const Json config = object_with("latent", own, {{"latent_size", 16}, {"query_latent_size", 0}, {"value_size", 0}});
  LatentSettings s;
  s.rank = read_index(config, "latent_size", 1, kMostColumns);
  s.query_rank = read_index(config, "query_latent_size", 0, kMostColumns);
  s.value = read_index(config, "value_size", 0, kMostColumns);
  s.rope = read_index(given, "rotary_size", 0, head_size);
  if (s.value == 0) s.value = head_size;
  if (s.rope == 0 || s.rope == head_size)
    refuse_experts("\"latent\" needs a \"rotary_size\" from 2 to less than \"head_size\" " + std::to_string(head_size) +
                   ", found " + std::to_string(s.rope));
  return s;
}

}  // namespace headlight
