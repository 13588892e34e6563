// Sentences of sites whose meaning differs between models. Static, and listed: the interface translates them.
#pragma once

#include <array>

namespace headlight::sentences {

inline constexpr const char *kTokenAndPlace = "The token and its place together: what the first layer reads.",
                            *kPlaceWithoutPadding =
                                "The numbers that stand for each place in the text: p counts the tokens that are no "
                                "padding, from 0; padding has p = −1, the row in front of the first.",
                            *kFromLast = "The decoder starts from the last hidden state of the encoder.",
                            *kFromWhole = "The decoder starts from the vector that stands for the whole source.",
                            *kFromTanh = "The decoder starts from what was read, made to fit by one small layer.",
                            *kEmptyMemory = "The decoder starts with an empty memory cell.",
                            *kPassedMemory = "The decoder starts with the memory that the encoder has left.",
                            *kWindowByStep = "Where the window stands: it moves on by one source token at each step.",
                            *kAddUpToOne =
                                "The scores turned into shares that add up to 1: where the decoder looks while it "
                                "writes this token.",
                            *kAddUpToLess =
                                "The shares of the window, made smaller away from its centre, so that they add up to "
                                "less than 1: where the decoder looks while it writes this token.",
                            *kByPlace =
                                "How much the question points at each place of the source, whatever stands there: "
                                "larger is better, not yet shares of a whole.",
                            *kMean = "The weighted average of the values: what attention brings back from the source.",
                            *kChosen = "The value of the one chosen token: what attention brings back from the source.",
                            *kScaledByRoot =
                                "The scores, divided by the root of the head's size, so that they do not grow with "
                                "it: larger is better, not yet shares of a whole.",
                            *kFallsWithDistance =
                                "What is added to a score for the place of the token alone: the farther back it "
                                "stands, the less, and of each head by a slope of its own.",
                            *kShifted =
                                "Each row, shifted and stretched to a common size: so that no layer drowns the "
                                "others.",
                            *kStretched = "Each row, stretched to a common size: so that no layer drowns the others.",
                            *kBesideSink =
                                "The scores turned into shares that add up to 1 with that of the sink: where each head "
                                "looks.",
                            *kByTraining =
                                "Each row, shifted and stretched by what was usual in training, each column for "
                                "itself.";

inline constexpr std::array kAll = {
    kTokenAndPlace, kPlaceWithoutPadding, kFromLast,   kFromWhole,   kFromTanh,   kEmptyMemory,
    kPassedMemory,  kWindowByStep,        kAddUpToOne, kAddUpToLess, kByPlace,    kMean,
    kChosen,        kScaledByRoot,        kShifted,    kStretched,   kByTraining, kFallsWithDistance,
    kBesideSink};

}  // namespace headlight::sentences
