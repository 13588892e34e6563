// Names in the state dicts of training programs.
#pragma once

namespace headlight {

// What stands around a state dict in a checkpoint, or in front of all names of a model that was wrapped in another one.
inline constexpr const char* kWrappings[] = {"",
                                             "model_state_dict.",
                                             "state_dict.",
                                             "state_dict.model.",
                                             "model.",
                                             "module.",
                                             "state_dict.module.",
                                             "model.module.",
                                             "net.",
                                             "network.",
                                             "model_state_dict.module."};

}  // namespace headlight
