// Runs that a person kept to compare with, as a session holds them.
#pragma once

#include <QVariantList>
#include <vector>

#include "widgets/views/compare/compare_variant.h"

namespace headlight {

// Each with its name and a text of a session file.
QVariantList written_variants(const std::vector<CompareVariant>& variants);
// `open`: the model of the session, which most of them have; others are opened. What cannot be read is left out.
std::vector<CompareVariant> read_variants(const QVariantList& written, const std::shared_ptr<const ModelBundle>& open);

}  // namespace headlight
