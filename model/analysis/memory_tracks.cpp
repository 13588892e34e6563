#include "model/analysis/memory_tracks.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr const char* kFirst = "encoder.step[0].memory.head[0].write.M";

std::string indexed(const char* name, Index index) { return std::string(name) + "[" + std::to_string(index) + "]"; }

}  // namespace

bool MemoryRun::in(const Result& result) { return result.trace && result.trace->find(kFirst) >= 0; }

MemoryRun::MemoryRun(const Result& result) {
  if (!in(result)) return;
  trace_ = result.trace;
  const Tensor& memory = (*trace_)[trace_->find(kFirst)].value;
  slots_ = memory.dim(0);
  width_ = memory.dim(1);
  while (trace_->find("encoder.step[0]." + indexed("memory.head", pairs_) + ".write.M") >= 0) ++pairs_;
  const auto read = static_cast<Index>(result.token_of_position.size());
  for (Index j = 0; j < read; ++j) {
    const int token = result.token_of_position[static_cast<std::size_t>(j)];
    steps_.push_back({MemoryStep::Kind::reads, result.tokens[static_cast<std::size_t>(token)].text, token, -1,
                      indexed("encoder.step", j)});
  }
  steps_.push_back({MemoryStep::Kind::delimiter, {}, -1, -1, indexed("encoder.step", read)});
  for (std::size_t t = 0; t < result.steps.size(); ++t)
    steps_.push_back({MemoryStep::Kind::writes, result.steps[t].text, -1, static_cast<int>(t),
                      indexed("decoder.step", static_cast<Index>(t))});
  if (!is_whole()) steps_.clear();
}

bool MemoryRun::is_whole() const {
  for (int step = 0; step < step_count(); ++step) {
    if (memory(step).entry < 0) return false;
    for (const MemoryHeadName head : heads())
      if (weighting(head, step).entry < 0) return false;
  }
  return true;
}

std::vector<MemoryHeadName> MemoryRun::heads() const {
  std::vector<MemoryHeadName> all;
  for (Index pair = 0; pair < pairs_; ++pair) all.insert(all.end(), {{pair, false}, {pair, true}});
  return all;
}

std::string MemoryRun::site(MemoryHeadName head, int step, const char* leaf) const {
  const std::string place = indexed("memory.head", head.pair) + (head.writes ? ".write." : ".read.");
  if (step < 0) return place + leaf;
  return steps_[static_cast<std::size_t>(step)].place + "." + place + leaf;
}

MemoryValue MemoryRun::at(const std::string& name) const {
  const int entry = trace_->find(name);
  return entry < 0 ? MemoryValue{} : MemoryValue{(*trace_)[entry].value, entry};
}

double MemoryRun::number(const std::string& name) const {
  const MemoryValue found = at(name);
  return found.entry < 0 ? 0 : static_cast<double>(found.value[0]);
}

MemoryValue MemoryRun::memory(int step) const {
  if (step >= 0) return at(site({pairs_ - 1, true}, step, "M"));
  for (const NamedTensor& parameter : trace_->parameters())
    if (parameter.name == "memory.init") return {parameter.value, -1};
  return {Tensor::zeros({slots_, width_}), -1};
}

MemoryValue MemoryRun::weighting(MemoryHeadName head, int step) const {
  return at(site(head, step, step < 0 ? "w_start" : "w"));
}

MemoryValue MemoryRun::erase(Index pair, int step) const { return at(site({pair, true}, step, "erase")); }
MemoryValue MemoryRun::add(Index pair, int step) const { return at(site({pair, true}, step, "add")); }
MemoryValue MemoryRun::read(Index pair, int step) const { return at(site({pair, false}, step, "vector")); }

MemoryAddressing MemoryRun::addressing(MemoryHeadName head, int step) const {
  const auto name = [&](const char* leaf) { return site(head, step, leaf); };
  MemoryAddressing all;
  all.key = at(name("key"));
  all.beta = number(name("beta"));
  all.gate = number(name("gate"));
  all.gamma = number(name("gamma"));
  const MemoryValue shift = at(name("shift"));
  for (std::size_t i = 0; i < all.shift.size() && shift.entry >= 0; ++i)
    all.shift[i] = static_cast<double>(shift.value[static_cast<Index>(i)]);
  all.before = weighting(head, step - 1);
  all.similarity = at(name("similarity"));
  all.content = at(name("w_content"));
  all.gated = at(name("w_gated"));
  all.shifted = at(name("w_shifted"));
  all.weighting = at(name("w"));
  return all;
}

int MemoryRun::step_of(int entry) const {
  if (empty() || entry < 0 || entry >= trace_->size()) return -1;
  const Site& at = (*trace_)[entry].site;
  if (at.step < 0) return -1;
  const std::string place =
      indexed(at.kind->side == SiteKind::Side::encoder ? "encoder.step" : "decoder.step", at.step);
  for (int step = 0; step < step_count(); ++step)
    if (steps_[static_cast<std::size_t>(step)].place == place) return step;
  return -1;
}

int MemoryRun::step_at(int token, int output) const {
  for (int step = 0; step < step_count(); ++step) {
    const MemoryStep& at = steps_[static_cast<std::size_t>(step)];
    if ((token >= 0 && at.token == token) || (output >= 0 && at.step == output)) return step;
  }
  return -1;
}

std::vector<int> used_slots(const MemoryRun& run, double least) {
  std::vector<int> used;
  if (run.empty()) return used;
  std::vector<double> most(static_cast<std::size_t>(run.slot_count()));
  for (int step = 0; step < run.step_count(); ++step)
    for (const MemoryHeadName head : run.heads()) {
      const Tensor weighting = run.weighting(head, step).value;
      for (Index slot = 0; slot < weighting.size(); ++slot)
        most[static_cast<std::size_t>(slot)] =
            std::max(most[static_cast<std::size_t>(slot)], static_cast<double>(weighting[slot]));
    }
  const Tensor first = run.memory(-1).value, last = run.memory(run.step_count() - 1).value;
  for (Index slot = 0; slot < run.slot_count(); ++slot) {
    double& here = most[static_cast<std::size_t>(slot)];
    for (Index i = slot * run.width(); i < (slot + 1) * run.width(); ++i)
      here = std::max(here, std::abs(static_cast<double>(last[i]) - static_cast<double>(first[i % first.size()])));
    if (here >= least) used.push_back(static_cast<int>(slot));
  }
  return used;
}

std::vector<int> looked_up_at(const MemoryRun& run, Index pair) {
  std::vector<int> found(static_cast<std::size_t>(run.slot_count()), -1);
  for (int step = 0; step < run.step_count(); ++step) {
    if (run.steps()[static_cast<std::size_t>(step)].kind != MemoryStep::Kind::writes) continue;
    const Tensor reads = run.weighting({pair, false}, step).value;
    for (Index slot = 0; slot < reads.size(); ++slot)
      if (reads[slot] >= Scalar(0.5)) found[static_cast<std::size_t>(slot)] = step;
  }
  return found;
}

bool reads_what_it_writes_last(const MemoryRun& run, Index pair) {
  std::vector<bool> changed(static_cast<std::size_t>(run.slot_count()), false);
  for (int step = 0; step < run.step_count(); ++step) {
    if (run.steps()[static_cast<std::size_t>(step)].kind != MemoryStep::Kind::writes) continue;
    const Tensor reads = run.weighting({pair, false}, step).value, writes = run.weighting({pair, true}, step).value;
    for (Index slot = 0; slot < reads.size(); ++slot)
      if (changed[static_cast<std::size_t>(slot)] && reads[slot] >= Scalar(0.1)) return true;
    for (Index slot = 0; slot < writes.size(); ++slot)
      if (writes[slot] >= Scalar(0.5)) changed[static_cast<std::size_t>(slot)] = true;
  }
  return false;
}

}  // namespace headlight
