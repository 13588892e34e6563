// How large a figure is on paper, and a picture that is laid out to be so large.
#pragma once

#include <QSize>
#include <functional>

#include "app/cli/command_line.h"
#include "widgets/canvas/figure.h"

namespace headlight {

// `laid_out` is the picture in a room of so many pixels. Without --size, --width and --font-size it is what it makes of
// the usual room. --size is obeyed to the pixel, --width with the height that is needed; text is as large as
// --font-size says, unless the picture does not fit: then all of it is smaller, and standard error says how large its
// text is.
Figure sized_figure(const RenderCommand& command, const std::function<Figure(QSize)>& laid_out);

}  // namespace headlight
