// The sizes, letters and languages at which nothing in the window may be cut: rows of test data.
#pragma once

#include <QSize>
#include <QTest>

namespace headlight::testing {

inline constexpr QSize kClippingSizes[] = {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080), QSize(2560, 1440)};

// Columns "size", "type" and "language", over the first `sizes` of them.
inline void add_clipping_grid(int sizes = 3) {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<double>("type");
  QTest::addColumn<QString>("language");
  for (int i = 0; i < sizes; ++i)
    for (const double type : {1.0, 1.25, 1.5, 2.0})
      for (const char* language : {"en", "zh_CN"})
        QTest::addRow("%d x %d, %.0f %%, %s", kClippingSizes[i].width(), kClippingSizes[i].height(), 100 * type,
                      language)
            << kClippingSizes[i] << type << QString::fromLatin1(language);
}

}  // namespace headlight::testing
