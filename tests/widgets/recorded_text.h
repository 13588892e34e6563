// Every text that something paints, with its font and its place, and the boxes of its shapes: what a picture cannot be
// asked.
#pragma once

#include <QFont>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QTransform>
#include <vector>

#include "widgets/canvas/figure.h"

namespace headlight {

struct RecordedText {
  QString text;
  double capital = 0;  // height of a capital as it is painted
  QRectF place;        // on the device; of its letters
};

class TextRecorder : public QPaintDevice {
 public:
  explicit TextRecorder(QSize size) : size_(size), engine_(this) {}
  QPaintEngine* paintEngine() const override { return &engine_; }
  const std::vector<RecordedText>& texts() const { return engine_.texts; }
  const std::vector<QRectF>& shapes() const { return engine_.shapes; }  // boxes of all that is filled or drawn

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 96;
      case PdmDepth:
        return 32;
      case PdmNumColors:
        return 1 << 24;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return 0;
    }
  }

 private:
  struct Engine : QPaintEngine {
    explicit Engine(TextRecorder* device) : QPaintEngine(AllFeatures), of(device) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& now) override {
      if (now.state() & DirtyTransform) transform = now.transform();
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPath(const QPainterPath& path) override { keep(path.boundingRect()); }
    void drawRects(const QRectF* rects, int count) override {
      for (int i = 0; i < count; ++i) keep(rects[i]);
    }
    void drawRects(const QRect* rects, int count) override {
      for (int i = 0; i < count; ++i) keep(rects[i]);
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode) override {
      QPolygonF polygon;
      for (int i = 0; i < count; ++i) polygon << points[i];
      keep(polygon.boundingRect());
    }
    void keep(const QRectF& shape) { shapes.push_back(transform.mapRect(shape)); }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
      const double scale = std::sqrt(std::abs(transform.determinant()));
      texts.push_back(
          {item.text(), scale * QFontMetricsF(item.font()).capHeight(),
           transform.mapRect(QRectF(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent()))});
    }
    Type type() const override { return User; }
    TextRecorder* of;
    QTransform transform;
    std::vector<RecordedText> texts;
    std::vector<QRectF> shapes;
  };
  QSize size_;
  mutable Engine engine_;
};

// What a widget and everything in it writes.
inline std::vector<RecordedText> texts_of(QWidget* widget) {
  TextRecorder recorder(widget->size());
  QPainter painter(&recorder);
  widget->render(&painter);
  painter.end();
  return recorder.texts();
}

// Of a picture as it is exported.
inline std::vector<RecordedText> texts_of(const Figure& figure) {
  TextRecorder recorder(figure.size);
  QPainter painter(&recorder);
  figure.paint(painter);
  painter.end();
  return recorder.texts();
}

}  // namespace headlight
