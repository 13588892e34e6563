// Parameters: named leaves of a model, how they are initialised, and the builder through which layers make them.
#pragma once

#include <string>
#include <vector>

#include "model/core/random.h"
#include "model/core/tensor.h"

namespace headlight {

struct Parameter {
  std::string name;  // "encoder.lstm.Wx"
  Tensor value;      // shared with the layer that made it
};

class ParameterTable {
 public:
  void add(std::string name, Tensor value);
  const std::vector<Parameter>& all() const { return rows_; }
  std::vector<Parameter>& all() { return rows_; }
  const Tensor* find(const std::string& name) const;
  Index count() const;  // numbers in all

 private:
  std::vector<Parameter> rows_;
};

struct Init {
  enum class Kind { zeros, constant, normal, uniform, fan_in, glorot, orthogonal, first_quarter } kind = Kind::zeros;
  double scale = 0;  // standard deviation, half width, or the constant
  static Init zeros() { return {}; }
  static Init constant(double value) { return {Kind::constant, value}; }
  static Init normal(double deviation) { return {Kind::normal, deviation}; }
  static Init uniform(double half_width) { return {Kind::uniform, half_width}; }
  static Init fan_in() { return {Kind::fan_in, 0}; }  // N(0, 1/rows)
  static Init glorot() { return {Kind::glorot, 0}; }  // U(±sqrt(6/(rows + columns))), Glorot & Bengio 2010
  static Init first_quarter(double value) { return {Kind::first_quarter, value}; }  // the rest is 0
  // The orthogonal factor of a Gaussian matrix, for each square block of the columns on its own (Saxe et al. 2014).
  static Init orthogonal() { return {Kind::orthogonal, 0}; }
};

// What a new model's parameters hold.
struct InitialValues {
  enum class Kind {
    none,   // shapes only, no memory is taken: the model cannot run, but says what it would need
    zeros,  // to be read from a file
    drawn,  // from the stream `init` of `seed`
  };
  Kind kind = Kind::drawn;
  std::uint64_t seed = 0;
  // Whatever stands here under the same name and in the same shape is used itself, in place of a value of its own.
  const ParameterTable* shared = nullptr;
};

// Hands out parameters under a prefix, in a fixed order.
class ParameterBuilder {
 public:
  // Table and random are used until the last make().
  ParameterBuilder(ParameterTable& table, const InitialValues& values, Random& random)
      : table_(&table), values_(values), random_(&random) {}
  ParameterBuilder operator/(const std::string& name) const;
  Tensor make(const std::string& name, const Shape& shape, Init init) const;

 private:
  ParameterTable* table_;
  InitialValues values_;
  Random* random_;
  std::string prefix_;
};

}  // namespace headlight
