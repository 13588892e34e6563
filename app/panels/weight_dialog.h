// Asks for another attention weight.
#pragma once

#include <functional>

class QWidget;

namespace headlight {

void ask_weight(QWidget* parent, double now, const std::function<void(double)>& done);

}  // namespace headlight
