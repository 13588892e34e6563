// The tap: the one call through which layers and models publish every intermediate value.
//
//   weights = tap(step, "attention.weights", softmax(scores));
//
// Forward code reads like the equations and goes on with the tensor that comes back. Recording, what-if edits and
// cancellation all happen behind the call. The plain run pays one null check.
#pragma once

#include <initializer_list>

#include "model/core/tensor.h"
#include "model/trace/site.h"

namespace headlight {

class TapListener {
 public:
  virtual ~TapListener() = default;
  // Sees the value at place.leaf and returns what the computation goes on with. May throw Cancelled.
  virtual Tensor visit(const SitePath& place, const char* leaf, Tensor value) = 0;
  // What the value of the last visit() was computed by, where the catalogue does not know.
  virtual void describe(const SiteWords& words) { (void)words; }
  // Whether visit() would do anything with that value but pass it on. A layer that has a faster way to what comes after
  // it may leave the value out then: attention goes from queries and keys to its weights in one op
  // (tests/model/test_attention_weights.cpp compares both ways).
  virtual bool wants(const SitePath& place, const char* leaf) const {
    (void)place, (void)leaf;
    return true;
  }
};

class Tap {
 public:
  Tap() = default;
  explicit Tap(TapListener& listener) : listener_(&listener) {}

  bool active() const { return listener_ != nullptr; }
  Tensor operator()(const SitePath& place, const char* leaf, Tensor value) const {
    return listener_ ? listener_->visit(place, leaf, std::move(value)) : value;
  }
  // With what this model computed it by; `words` gives a SiteWords, and is only asked while somebody listens.
  template <class Words>
  Tensor operator()(const SitePath& place, const char* leaf, Tensor value, const Words& words) const {
    if (!listener_) return value;
    Tensor seen = listener_->visit(place, leaf, std::move(value));
    listener_->describe(words());
    return seen;
  }
  bool wants(const SitePath& place, const char* leaf) const { return listener_ && listener_->wants(place, leaf); }
  // Publishes equal column blocks of one row [1 x n·k] under names of their own (the gates of a cell, the heads of a
  // projection) and returns the whole, with the edits of its blocks.
  Tensor columns(const SitePath& place, std::initializer_list<const char*> leaves, const Tensor& whole) const;

 private:
  TapListener* listener_ = nullptr;
};

}  // namespace headlight
