// The heads of an external memory (Graves et al. 2014, section 3): they find a place and read or write there.
#pragma once

#include "model/layers/parameters.h"
#include "model/trace/tap.h"

namespace headlight {

struct HeadSettings {
  Index controller = 0;             // H, what a head is projection
  Index slot_count = 0, width = 0;  // N_m and W of the memory
  bool squash = false;              // keys and what is added pass through tanh
  bool learned_start = false;       // the first weighting is learned; otherwise all slots are alike
};

// What both kinds share: one linear map h W + b -> [k, β, g, s, γ, ...] and the addressing that follows from it.
class MemoryHead {
 public:
  // The weighting before the first step [N x N_m]. Publishes place.w_start.
  Tensor start(Index batch, const SitePath& place, const Tap& tap) const;

 protected:
  // W [H x (W + 6 + `extra`)] ~ U(±1.4·sqrt(6 / (rows + columns))), b ~ N(0, 0.01²); start [N_m] = 0 where it is
  // learned.
  MemoryHead(const ParameterBuilder& parameters, const HeadSettings& settings, Index extra);

  // [N x H] -> [N x (W + 6 + extra)]. Publishes place.pre.
  Tensor head_projection(const Tensor& controller, const SitePath& place, const Tap& tap) const;
  // Eq. 5-9: from the last weighting to this step's [N x N_m]. Publishes place.{key, beta, gate, shift, gamma,
  // similarity, w_content, w_gated, w_shifted, w}.
  Tensor address(const Tensor& projection, const Tensor& memory, const Tensor& previous, const SitePath& place,
                 const Tap& tap) const;
  // Columns of head_projection() behind those of the addressing.
  Tensor extra_columns(const Tensor& projection, Index begin) const;
  SiteWords squashed_words(const std::string& symbol) const;
  Tensor squashed(const Tensor& x) const;

 private:
  HeadSettings settings_;
  Tensor W_, b_, start_;
};

class ReadHead : public MemoryHead {
 public:
  // And what was read before the first step: init [W] ~ N(0, 0.01²).
  ReadHead(const ParameterBuilder& parameters, const HeadSettings& settings);
  Tensor first_read(Index batch) const;  // [N x W]

  struct Read {
    Tensor weights;  // [N x N_m]
    Tensor vector;   // [N x W]: r = Σ_i w(i) M(i) (eq. 2)
  };
  // Publishes place.vector after what address() does.
  Read read(const Tensor& controller, const Tensor& memory, const Tensor& previous, const SitePath& place,
            const Tap& tap) const;

 private:
  Tensor init_;
};

class WriteHead : public MemoryHead {
 public:
  WriteHead(const ParameterBuilder& parameters, const HeadSettings& settings);

  struct Written {
    Tensor weights;     // [N x N_m]
    Tensor erase, add;  // [N x W]
    Tensor memory;      // [N x N_m x W], after it (eq. 3 and 4)
  };
  // Publishes place.{erase, add, M} after what address() does.
  Written write(const Tensor& controller, const Tensor& memory, const Tensor& previous, const SitePath& place,
                const Tap& tap) const;
};

}  // namespace headlight
