// Sites: the stable dotted names of every intermediate value (models.md 1.2), and what is known about each kind.
//
// Each kind is a row of the catalogue (sites_*.cpp): its axes, formula and paper, and one plain sentence for somebody
// who has never heard of attention. To publish a name that has no row is an error. Which side of a model a value
// belongs to and what it is for follow from its name in site_catalogue.cpp; nobody else takes names apart to learn
// that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/core/tensor.h"

namespace headlight {

// A path on the way to a site, built on the stack while the model runs: `SitePath step{encoder, "step", j}` stands for
// "encoder.step[j]". Its text is only made when somebody listens.
struct SitePath {
  const SitePath* parent = nullptr;
  const char* name = "";
  Index index = -1;  // -1: no index

  explicit SitePath(const char* n) : name(n) {}
  SitePath(const SitePath& p, const char* n, Index i = -1) : parent(&p), name(n), index(i) {}
  std::string text() const;
  std::string text(std::string_view leaf) const;  // of a site at this place

 private:
  void add_to(std::string& text) const;
};

// What an axis of a tensor counts.
enum class Axis { source, target, unit, vocabulary, query, key, head, slot, single };

// What is known about all sites of one kind: a row of the catalogue.
struct SiteKind {
  // The part of a model that a value belongs to.
  enum class Side { input, encoder, decoder };
  // What a value is for those who show or change it.
  enum class Role {
    other,
    source,     // ids of the source
    written,    // id of the token that a decoder step is given
    embedding,  // what the first layer is given for each token
    keep,       // of an attention: which tokens may be read
    scores,     // of an attention, before the softmax
    weights,    // of an attention
    head_out,   // what each head has found
    mean,       // weights for the eye: the mean of all heads
    origin,     // weights for the eye: from which tokens a memory was written
    probabilities
  };

  const char* pattern;      // the name without indices: "decoder.step.attention.weights"
  std::vector<Axis> axes;   // of the published tensor, batch omitted
  const char* title;        // the field's term: "attention weights"
  const char* formula;      // of this site, with its own symbols
  const char* paper;        // with equation where it has one
  const char* help;         // one plain sentence for a reader who has never heard of attention
  bool derived = false;     // computed for the eye only: nothing reads it, so an edit would change nothing
  Side side = Side::input;  // these follow from the pattern (site_catalogue)
  Role role = Role::other;

  bool of_heads() const { return !axes.empty() && axes.front() == Axis::head; }  // all heads of an attention at once
};

// What a model says of one of its values where the catalogue can only say what holds for every model: the formula that
// it computed, and where needed another sentence and paper. Null: as in the catalogue. The words go with the value
// through the tap and stay with it in the trace (Site::kind), so that every view shows them. test_site_formulas.cpp
// reads each formula of the bundled models as it stands and computes the value from it.
struct SiteWords {
  std::string formula;
  const char* help = nullptr;   // static, of site_sentences.h
  const char* paper = nullptr;  // static
};
// The kind with those words; equal words give the same kind. Lives as long as the program.
const SiteKind* worded(const SiteKind& kind, const SiteWords& words);

struct Site {
  std::string text;  // "decoder.step[3].attention.weights"
  Index layer = -1, step = -1, head = -1;
  const SiteKind* kind = nullptr;
};

// All heads of a Transformer's attention are published as one tensor, the head on its first axis: "…head.weights". A
// name with an index is one slice of it, for Trace::value() and for edits.
struct HeadSite {
  std::string all;  // the name without the index; empty for a text that has none
  Index index = -1;
  explicit HeadSite(std::string_view site);
};

// Throws UsageError for a text that names no known kind.
Site parse_site(std::string_view text);
// The same for one whose kind is known.
Site site_of(std::string name, const SiteKind& kind);
// Null when the catalogue has no such kind.
const SiteKind* find_site_kind(std::string_view text);
const std::vector<SiteKind>& site_catalogue();

// The value with that role in the same attention, with the indices of `site`: from "decoder.step[2].attention.weights"
// to its scores. Empty where there is none.
std::string sibling(std::string_view site, SiteKind::Role role);
// Whether a value belongs to an attention of a text to itself.
bool is_self_attention(std::string_view site);

// "decoder.step[3].attention.weights" -> "decoder.step.attention.weights"
std::string without_indices(std::string_view text);

}  // namespace headlight
