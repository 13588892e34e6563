// Picture tests: one line each. Baselines are tests/data/images/NAME.png; tests/test_program.cpp pins the fonts.
//
// A picture that is not as its baseline is written to images/ in the build folder, with NAME.difference.png, where red
// pixels differ. A missing baseline fails too; with HEADLIGHT_UPDATE_IMAGES=1 the picture becomes the baseline.
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"

namespace headlight {

// What may differ. The rule is local: a label that is missing is little of a picture, but much of its tile.
struct ImageRule {
  int channel = 8;          // a pixel differs when a channel is off by more, of 255
  int tile = 32;            // pixels, across and down
  double tile_share = 0.1;  // of the pixels of each tile
  double share = 0.002;     // of all pixels
};

struct ImageDifference {
  double share = 1;       // of the pixels that differ; 1 for pictures of different sizes
  double tile_share = 1;  // in the tile where most do
  QRect tile;
  bool is_within(const ImageRule& rule) const { return share <= rule.share && tile_share <= rule.tile_share; }
};

inline bool pixels_differ(QRgb a, QRgb b, int channel) {
  return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))}) >
         channel;
}

inline ImageDifference image_difference(const QImage& a, const QImage& b, const ImageRule& rule = {}) {
  if (a.size() != b.size() || a.isNull()) return {};
  const QImage x = a.convertToFormat(QImage::Format_RGB32), y = b.convertToFormat(QImage::Format_RGB32);
  const auto count = [&](const QRect& tile) {
    int different = 0;
    for (int row = tile.top(); row <= tile.bottom(); ++row) {
      const auto* p = reinterpret_cast<const QRgb*>(x.constScanLine(row));
      const auto* q = reinterpret_cast<const QRgb*>(y.constScanLine(row));
      for (int column = tile.left(); column <= tile.right(); ++column)
        different += p[column] != q[column] && pixels_differ(p[column], q[column], rule.channel) ? 1 : 0;
    }
    return different;
  };
  ImageDifference found{0, 0, {}};
  for (int top = 0; top < x.height(); top += rule.tile)
    for (int left = 0; left < x.width(); left += rule.tile) {
      const QRect tile = QRect(left, top, rule.tile, rule.tile) & x.rect();
      const double different = count(tile), share = different / (tile.width() * tile.height());
      found.share += different;
      if (share <= found.tile_share) continue;
      found.tile_share = share;
      found.tile = tile;
    }
  found.share /= static_cast<double>(x.width()) * x.height();
  return found;
}

// The picture, pale, with the pixels that differ in red and a frame around the worst tile.
inline QImage marked_difference(const QImage& image, const QImage& baseline, const ImageRule& rule = {}) {
  const QImage x = image.convertToFormat(QImage::Format_RGB32), y = baseline.convertToFormat(QImage::Format_RGB32);
  QImage marked(x.size().expandedTo(y.size()), QImage::Format_RGB32);
  for (int row = 0; row < marked.height(); ++row)
    for (int column = 0; column < marked.width(); ++column) {
      const bool both = x.valid(column, row) && y.valid(column, row);
      const int pale = both ? 192 + qGray(x.pixel(column, row)) / 4 : 0;
      const bool differs = !both || pixels_differ(x.pixel(column, row), y.pixel(column, row), rule.channel);
      marked.setPixel(column, row, differs ? qRgb(220, 0, 0) : qRgb(pale, pale, pale));
    }
  QPainter painter(&marked);
  painter.setPen(Qt::blue);
  painter.drawRect(image_difference(image, baseline, rule).tile.adjusted(-1, -1, 0, 0));
  return marked;
}

// An empty text when the picture is as the baseline, else how they differ.
inline QString image_problem(const QImage& image, const QImage& baseline, const ImageRule& rule = {}) {
  if (image.size() != baseline.size())
    return QStringLiteral("the picture has %1 x %2 pixels, its baseline %3 x %4")
        .arg(image.width())
        .arg(image.height())
        .arg(baseline.width())
        .arg(baseline.height());
  const ImageDifference difference = image_difference(image, baseline, rule);
  if (difference.is_within(rule)) return {};
  return QStringLiteral("%1 % of the pixels differ (allowed: %2 %), %3 % of the tile at %4, %5 (allowed: %6 %)")
      .arg(100 * difference.share, 0, 'f', 2)
      .arg(100 * rule.share)
      .arg(100 * difference.tile_share, 0, 'f', 1)
      .arg(difference.tile.left())
      .arg(difference.tile.top())
      .arg(100 * rule.tile_share);
}

// The same for the baseline of a name, in `folder`; the text says where the picture was written, and the difference.
inline QString compare_image(const QImage& image, const QString& name,
                             const QDir& folder = QDir(QStringLiteral(HEADLIGHT_TEST_DATA "/images"))) {
  const QString baseline_path = folder.filePath(name + ".png");
  const QImage baseline(baseline_path);
  if (qEnvironmentVariableIntValue("HEADLIGHT_UPDATE_IMAGES") == 1) {
    // What has not changed is not written: another machine may pack the same pixels in another way.
    if (!baseline.isNull() && image_difference(image, baseline, {.channel = 0}).share == 0) return {};
    return folder.mkpath(".") && image.save(baseline_path) ? QString() : "cannot write " + baseline_path;
  }
  const QString problem = baseline.isNull() ? "there is no baseline " + baseline_path : image_problem(image, baseline);
  if (problem.isEmpty()) return {};
  const QDir written(QCoreApplication::applicationDirPath() + "/images");
  const QString path = written.filePath(name + ".png"), difference_path = written.filePath(name + ".difference.png");
  if (!written.mkpath(".") || !image.save(path)) return problem + "; cannot write " + path;
  if (baseline.isNull()) return problem + "; the picture is " + path;
  if (!marked_difference(image, baseline).save(difference_path)) return problem + "; cannot write " + difference_path;
  return problem + ": see " + path + " and " + difference_path;
}

inline QString compare_image(QWidget& widget, const QString& name) {
  return compare_image(widget.grab().toImage(), name);
}

// Shows a widget at a size and waits until it is painted.
inline void show_at(QWidget& widget, QSize size) {
  widget.resize(size);
  widget.show();
  QVERIFY(QTest::qWaitForWindowExposed(&widget));
  QCoreApplication::processEvents();
}

}  // namespace headlight

#define COMPARE_IMAGE(picture, name)                                  \
  do {                                                                \
    const QString problem_ = headlight::compare_image(picture, name); \
    QVERIFY2(problem_.isEmpty(), qPrintable(problem_));               \
  } while (false)
