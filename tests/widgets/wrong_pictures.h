// Pictures that a picture test must not take for the right one, made from the right one.
#pragma once

#include <QImage>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QWidget>
#include <utility>
#include <vector>

#include "model/core/random.h"

namespace headlight::wrong {

inline QImage blank(const QImage& picture) {
  QImage made(picture.size(), QImage::Format_RGB32);
  made.fill(picture.pixelColor(0, 0));
  return made;
}

// What leaves on one side is repeated on the other, so that only what is inside gives it away.
inline QImage shifted(const QImage& picture, QPoint by) {
  QImage made = picture.convertToFormat(QImage::Format_RGB32);
  QPainter(&made).drawImage(by, picture);
  return made;
}

// Less contrast: every colour a part of the way to the ground.
inline QImage faded(const QImage& picture, double part = 0.15) {
  QImage made = picture.convertToFormat(QImage::Format_RGB32);
  QPainter painter(&made);
  painter.setOpacity(part);
  painter.fillRect(made.rect(), picture.pixelColor(0, 0));
  return made;
}

// Every channel off by as much as is allowed, up or down, and a few pixels by anything.
inline QImage noisy(const QImage& picture, int channel, double share) {
  QImage made = picture.convertToFormat(QImage::Format_RGB32);
  Random random(1, Random::Stream::sample);
  const auto near = [&](int value) {
    return std::clamp(value + (random.uniform() < 0.5 ? -channel : channel), 0, 255);
  };
  for (int row = 0; row < made.height(); ++row)
    for (int column = 0; column < made.width(); ++column) {
      const QRgb old = made.pixel(column, row);
      const QRgb now =
          random.uniform() < share ? old ^ 0xffffff : qRgb(near(qRed(old)), near(qGreen(old)), near(qBlue(old)));
      made.setPixel(column, row, now);
    }
  return made;
}

// Draws on a picture of its own whatever is drawn on it, but for texts, if they are to be left out.
class ForwardingEngine : public QPaintEngine {
 public:
  ForwardingEngine(QImage* picture, bool texts) : QPaintEngine(AllFeatures), picture_(picture), texts_(texts) {}

  bool begin(QPaintDevice*) override { return painter_.begin(picture_); }
  bool end() override { return painter_.end(); }
  Type type() const override { return User; }
  void updateState(const QPaintEngineState& now) override {
    painter_.setPen(now.pen());
    painter_.setBrush(now.brush());
    painter_.setBrushOrigin(now.brushOrigin());
    painter_.setFont(now.font());
    painter_.setBackground(now.backgroundBrush());
    painter_.setBackgroundMode(now.backgroundMode());
    painter_.setOpacity(now.opacity());
    painter_.setRenderHints(painter_.renderHints(), false);
    painter_.setRenderHints(now.renderHints());
    painter_.setCompositionMode(now.compositionMode());
    // The clip of the widget is in pixels, that of its painting in its own units.
    painter_.resetTransform();
    const QRegion widget = systemClip();
    painter_.setClipping(false);
    if (!widget.isEmpty()) painter_.setClipRegion(widget);
    painter_.setTransform(now.transform());
    if (now.painter()->hasClipping()) painter_.setClipPath(now.painter()->clipPath(), Qt::IntersectClip);
  }
  void drawPath(const QPainterPath& path) override { painter_.drawPath(path); }
  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    if (mode == PolylineMode)
      painter_.drawPolyline(points, count);
    else
      painter_.drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
  }
  void drawPolygon(const QPoint* points, int count, PolygonDrawMode mode) override {
    QPaintEngine::drawPolygon(points, count, mode);
  }
  void drawLines(const QLineF* lines, int count) override { painter_.drawLines(lines, count); }
  void drawRects(const QRectF* rects, int count) override { painter_.drawRects(rects, count); }
  void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override {
    painter_.drawPixmap(to, pixmap, from);
  }
  void drawImage(const QRectF& to, const QImage& image, const QRectF& from, Qt::ImageConversionFlags flags) override {
    painter_.drawImage(to, image, from, flags);
  }
  void drawTiledPixmap(const QRectF& rect, const QPixmap& pixmap, const QPointF& offset) override {
    painter_.drawTiledPixmap(rect, pixmap, offset);
  }
  void drawTextItem(const QPointF& at, const QTextItem& text) override {
    if (texts_) painter_.drawTextItem(at, text);
  }

 private:
  QImage* picture_;
  bool texts_;
  QPainter painter_;
};

class ForwardingDevice : public QPaintDevice {
 public:
  ForwardingDevice(QImage* picture, bool texts) : picture_(picture), engine_(picture, texts) {}
  QPaintEngine* paintEngine() const override { return &engine_; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return picture_->width();
      case PdmHeight:
        return picture_->height();
      case PdmWidthMM:
        return picture_->widthMM();
      case PdmHeightMM:
        return picture_->heightMM();
      case PdmNumColors:
        return 0;
      case PdmDepth:
        return 32;
      case PdmDpiX:
      case PdmPhysicalDpiX:
        return picture_->logicalDpiX();
      case PdmDpiY:
      case PdmPhysicalDpiY:
        return picture_->logicalDpiY();
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
  }

 private:
  QImage* picture_;
  mutable ForwardingEngine engine_;
};

// A widget by way of the engine above, at one pixel for each unit.
inline QImage drawn(QWidget& widget, bool texts) {
  QImage made(widget.size(), QImage::Format_RGB32);
  made.fill(Qt::magenta);  // nothing of it must be left
  ForwardingDevice device(&made, texts);
  widget.render(&device);
  return made;
}

}  // namespace headlight::wrong
