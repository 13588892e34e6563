// A trained model with some of its settings changed: another score function, a window, a reversed input.
#pragma once

#include <memory>

#include "model/models/bundle.h"

namespace headlight {

// The same weights, shared, under a changed configuration. What the change asks for and the model lacks (the matrix of
// another score function, say) holds random numbers; `untrained` names it. Without a change it is the bundle itself; a
// variant of a variant starts from the trained model. Throws UsageError for a setting that does not exist, FormatError
// for a value out of bounds and where weights outside the attention would need another shape.
std::shared_ptr<const ModelBundle> variant(std::shared_ptr<const ModelBundle> bundle, const Json& settings);

// The bundle itself, or what a variant was made from.
inline const ModelBundle& as_trained(const ModelBundle& bundle) { return bundle.trained ? *bundle.trained : bundle; }

}  // namespace headlight
