// Image tests: one line each. Baselines are tests/data/images/NAME.png.
//
// A missing baseline fails, and the picture lies in the build folder (images/NAME.png) for a look; with
// HEADLIGHT_UPDATE_IMAGES=1 it becomes the baseline. A difference writes NAME.png and NAME.difference.png there.
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QTest>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"

namespace headlight {

struct ImageTolerance {
  int channel = 40;  // a pixel differs when a channel differs by more: fonts are drawn a little differently elsewhere
  double share = 0.02;  // of the pixels may differ
};

// The share of pixels that differ; 1 for images of different sizes.
inline double image_difference(const QImage& a, const QImage& b, int channel, QImage* picture = nullptr) {
  if (a.size() != b.size() || a.isNull()) return 1;
  const QImage x = a.convertToFormat(QImage::Format_RGB32), y = b.convertToFormat(QImage::Format_RGB32);
  if (picture) *picture = QImage(x.size(), QImage::Format_RGB32);
  qint64 different = 0;
  for (int row = 0; row < x.height(); ++row) {
    const auto* p = reinterpret_cast<const QRgb*>(x.constScanLine(row));
    const auto* q = reinterpret_cast<const QRgb*>(y.constScanLine(row));
    for (int column = 0; column < x.width(); ++column) {
      const int largest =
          std::max({std::abs(qRed(p[column]) - qRed(q[column])), std::abs(qGreen(p[column]) - qGreen(q[column])),
                    std::abs(qBlue(p[column]) - qBlue(q[column]))});
      different += largest > channel ? 1 : 0;
      if (picture) picture->setPixel(column, row, largest > channel ? 0xffff0000 : qRgb(largest, largest, largest));
    }
  }
  return static_cast<double>(different) / (static_cast<double>(x.width()) * x.height());
}

// An empty text when the picture is as the baseline, else what to do.
inline QString compare_image(const QImage& image, const QString& name, const ImageTolerance& tolerance = {}) {
  const QDir baselines(QStringLiteral(HEADLIGHT_TEST_DATA "/images"));
  const QString baseline_path = baselines.filePath(name + ".png");
  QDir written(QCoreApplication::applicationDirPath() + "/images");
  written.mkpath(".");
  const QString path = written.filePath(name + ".png");
  if (qEnvironmentVariableIntValue("HEADLIGHT_UPDATE_IMAGES") == 1) {
    baselines.mkpath(".");
    return image.save(baseline_path) ? QString() : "cannot write " + baseline_path;
  }
  const QImage baseline(baseline_path);
  if (baseline.isNull()) {
    image.save(path);
    return "no baseline " + baseline_path + "; the picture is " + path;
  }
  QImage difference;
  const double share = image_difference(image, baseline, tolerance.channel, &difference);
  if (share <= tolerance.share) return {};
  image.save(path);
  difference.save(written.filePath(name + ".difference.png"));
  return QStringLiteral("%1 % of the pixels differ (%2 x %3, baseline %4 x %5): see %6")
      .arg(100 * share, 0, 'f', 2)
      .arg(image.width())
      .arg(image.height())
      .arg(baseline.width())
      .arg(baseline.height())
      .arg(path);
}

inline QString compare_image(QWidget& widget, const QString& name, const ImageTolerance& tolerance = {}) {
  return compare_image(widget.grab().toImage(), name, tolerance);
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
