// The tasks of the Neural Turing Machine, on characters that are bits: a vocabulary of 2^b characters, each of them the
// b bits of its place in it. There are no special tokens.
#pragma once

#include "model/training/task.h"

namespace headlight {

// Graves et al. 2014, section 4.1: trained on lengths 1-20, tested outside on longer ones.
Task bits_copy_task();    // 6 bits: letters, digits, space, full stop
Task bits_copy_8_task();  // 8 bits, as in the paper: 256 characters

// Section 4.2: a string of 1-10 letters and digits and a digit 1-9, how often to write it; a full stop ends the output.
Task repeat_copy_task();

// Section 4.3: 2-6 items of 3 characters (3 x 6 bits) with spaces between, a full stop, one of the items but the last;
// the output is the item that followed it.
Task assoc_recall_task();

}  // namespace headlight
