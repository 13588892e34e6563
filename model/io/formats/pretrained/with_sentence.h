// A model of another library that gives one vector for the whole text beside what it computes.
#pragma once

#include <memory>

#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/models/sentence_pooling.h"

namespace headlight {

std::shared_ptr<const PretrainedModel> with_sentence(std::shared_ptr<const PretrainedModel> model,
                                                     SentencePooling pooling);

}  // namespace headlight
