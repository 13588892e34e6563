// Pictures of at most 256 colours, for formats that keep a palette.
#pragma once

#include <QImage>
#include <vector>

namespace headlight {

struct FewColours {
  std::vector<QRgb> colours;  // at most 256
  std::vector<uchar> pixels;  // row by row, indices of `colours`
  int width = 0, height = 0;
};

// Exact where the picture has no more than 256 colours. Else colours are cut into 256 boxes of little variance (Wu
// 1991, "Color quantization by dynamic programming and principal analysis", with cuts at the mean), without dithering:
// flat grounds of an interface stay flat.
FewColours few_colours(const QImage& image);

}  // namespace headlight
