// Asks for another attention weight.
#pragma once

#include <QtGlobal>
#include <functional>

#include "model/decode/run.h"

class QWidget;

namespace headlight {

// Nothing happens where the run has no such cell. `done` gets the edit: the weights beside it make room.
void ask_weight(QWidget* parent, const Result& result, int entry, qint64 cell,
                const std::function<void(const Intervention& pin)>& done);

}  // namespace headlight
