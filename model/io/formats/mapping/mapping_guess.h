// A mapping for a state dict of a Transformer, or of a recurrent encoder and decoder (mapping_recurrent.h), from what
// its names and shapes say and from what only its owner knows: the number of heads, where the norms stand, which
// vocabulary it is of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/io/formats/mapping/mapping.h"

namespace headlight {

struct MappingAnswers {
  std::string model_type = "transformer";  // "encoder_only", "decoder_only", "recurrent"
  Index heads = 1;                         // divides the width
  bool norms_behind = true;                // each part of a layer; false: in front of it
  std::string activation = "relu";         // as our settings have it
  bool learned_positions = false;          // else sinusoids
  bool scaled_embeddings = true;           // by the root of the width
  // Names of files beside the weights, a token a line; empty: texts are numbers of tokens.
  std::string source_vocabulary, target_vocabulary;
  std::string start, end;  // tokens of the target vocabulary; empty: the first one starts, nothing ends
  std::map<std::string, std::string> chosen;  // by what MappingQuestion::ours asks, one of its answers
  bool leaves_over = false;                   // what nothing asks for is not used
};

// Which of their tensors one of ours is. "#" stands for the number of a layer; without ".weight" a norm with all of it.
struct MappingQuestion {
  std::string ours;
  std::vector<std::string> theirs;  // the most likely first
  std::string chosen;
};

struct MappingProposal {
  SharedJson mapping;  // may be opened where nothing is missing or left over
  std::vector<MappingQuestion> questions;
  std::vector<std::string> missing, unused;  // "encoder.pos.W [40 x 16]"
};

// What the names and shapes say; nothing where there is no table of embeddings, which every Transformer has.
std::optional<MappingAnswers> guessed_answers(const TensorFile& tensors);

// Throws FileError, and FormatError for answers that do not go together.
MappingProposal mapping_from(const std::filesystem::path& file, const TensorFile& tensors,
                             const MappingAnswers& answers);

}  // namespace headlight
