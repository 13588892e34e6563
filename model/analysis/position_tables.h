// What a model adds to its tokens so that it knows their order: sinusoids, or tables that it learned.
#pragma once

#include <string>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct PositionTable {
  std::string parameter;  // of a learned one: "encoder.pos.W"; empty: computed by the formula
  bool used = true;       // false: only to compare with, the model does not read it
  Tensor values;          // [P x d]
  bool halves = false;    // the partner of number i is i + d/2, else 2i and 2i + 1 belong together

  bool learned() const { return !parameter.empty(); }
  Index positions() const { return values.dim(0); }
  Index size() const { return values.dim(1); }
  Index pairs() const { return size() / 2; }
  // The two numbers of a pair: sine and cosine in a computed table.
  Index first(Index pair) const { return halves ? pair : 2 * pair; }
  Index second(Index pair) const { return halves ? pair + pairs() : 2 * pair + 1; }
  // How far a computed pair turns from one position to the next, in radians: 10000^(−2i/d) (Vaswani et al. 2017,
  // section 3.5); in the authors' program 10000^(−i/(d/2−1)).
  double turn(Index pair) const;
  bool t2t = false;
};

// The sinusoids first, then what was learned; empty where positions do not enter as rows (recurrent models, rotations,
// biases). Tables are cut at `limit` rows: of a learned one, the last were hardly ever
// trained.
std::vector<PositionTable> position_tables(const Result& result, Index limit = 64);

// What stands at the places whose numbers a table holds: the text that an encoder reads, or what a decoder is given,
// which is the text that it goes on with and then what it wrote.
std::vector<std::string> tokens_at_places(const Result& result, const PositionTable& table);

// How alike the first `places` positions are to each other: the products of their rows [places x places]. For sinusoids
// they depend on the distance alone.
std::vector<double> position_products(const PositionTable& table, Index places);

}  // namespace headlight
