// The colour map of a heatmap.
#include "widgets/plot/heatmap_plot.h"

#include <qcustomplot.h>

#include <cmath>
#include <limits>

#include "widgets/base/theme.h"
#include "widgets/plot/heatmap_scene.h"

namespace headlight {
namespace {

// A layer's content that somebody else paints.
class Painted : public QCPLayerable {
 public:
  Painted(QCustomPlot* plot, const QString& layer, std::function<void(QPainter&)> paint)
      : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
  void draw(QCPPainter* painter) override { paint_(*painter); }

 private:
  std::function<void(QPainter&)> paint_;
};

class Plot : public QCustomPlot {
 public:
  Plot(QWidget* parent, HeatmapPlot::Hooks hooks) : QCustomPlot(parent), hooks_(std::move(hooks)) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    if (bufferDevicePixelRatio() != devicePixelRatioF()) {  // moved to another screen
      setBufferDevicePixelRatio(devicePixelRatioF());
      replot(rpQueuedRefresh);
    }
    hooks_.before_paint();
    QCustomPlot::paintEvent(event);
    hooks_.after_paint();
  }

 private:
  HeatmapPlot::Hooks hooks_;
};

}  // namespace

struct HeatmapPlot::Private {
  Plot* plot = nullptr;
  QCPColorMap* map = nullptr;
  QSize cells_of_point{1, 1};  // of the values in the map
};

HeatmapPlot::HeatmapPlot(QWidget* parent, Hooks hooks) : d_(std::make_unique<Private>()) {
  d_->plot = new Plot(parent, hooks);
  QCustomPlot& plot = *d_->plot;
  plot.setNoAntialiasingOnDrag(false);
  plot.axisRect()->setAutoMargins(QCP::msNone);
  plot.axisRect()->setupFullAxesBox(false);
  for (QCPAxis* axis : plot.axisRect()->axes()) axis->setVisible(false);
  plot.yAxis->setRangeReversed(true);
  d_->map = new QCPColorMap(plot.xAxis, plot.yAxis);
  d_->map->setInterpolate(false);
  d_->map->setAntialiased(false);
  new Painted(&plot, QStringLiteral("axes"), hooks.paint_frame);     // owned by the plot
  new Painted(&plot, QStringLiteral("overlay"), hooks.paint_marks);  // a layer with a buffer of its own
}

HeatmapPlot::~HeatmapPlot() = default;

QWidget* HeatmapPlot::widget() const { return d_->plot; }

void HeatmapPlot::set_values(const HeatmapScene& scene, const HeatmapLayout& layout) {
  const HeatmapScene::Reduced cells = scene.reduced(layout.cells_of_point(scene.points));
  d_->cells_of_point = cells.cells;
  // The map needs two cells each way to know how large a cell is; cells without a number stay empty.
  const int columns = std::max(2, cells.columns), rows = std::max(2, cells.rows);
  QCPColorMapData& data = *d_->map->data();
  if (data.keySize() != columns || data.valueSize() != rows) data.setSize(columns, rows);
  const double across = cells.cells.width(), down = cells.cells.height();
  data.setRange(QCPRange(0.5 * across, (columns - 0.5) * across), QCPRange(0.5 * down, (rows - 0.5) * down));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const bool there = row < cells.rows && column < cells.columns;
      data.setCell(column, row,
                   there ? static_cast<double>(
                               cells.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.columns) +
                                            static_cast<std::size_t>(column)])
                         : std::numeric_limits<double>::quiet_NaN());
    }
  }
  const auto limits = scene.limits();
  d_->map->setDataRange(QCPRange(limits.first, limits.second));
}

void HeatmapPlot::set_colours(const HeatmapScene& scene) {
  constexpr int kStops = 256;
  QMap<double, QColor> stops;
  for (int i = 0; i <= kStops; ++i) {
    const double share = static_cast<double>(i) / kStops;
    stops.insert(share, scene.colour(share, {0, 1}));
  }
  QCPColorGradient gradient;
  gradient.setLevelCount(kStops + 1);
  gradient.setColorStops(stops);
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  d_->map->setGradient(gradient);
  d_->plot->setBackground(QBrush(Theme::instance().background()));
}

void HeatmapPlot::set_geometry(const HeatmapLayout& layout) {
  QCustomPlot& plot = *d_->plot;
  const QRect cells = layout.cells.toRect();
  const QSize size = plot.size();
  // Vertical axes count from the last pixel inside their rectangle, which is one short of its edge. One more line, with
  // the range that belongs to it, puts every row exactly where the layout has it; the frame is painted over that line.
  plot.axisRect()->setMargins({cells.left(), cells.top(), size.width() - cells.left() - cells.width(),
                               size.height() - cells.top() - cells.height() - 1});
  plot.xAxis->setRange(layout.window.left, layout.window.right);
  const double line = layout.window.height() / std::max(1, cells.height());
  plot.yAxis->setRange(layout.window.top - line, layout.window.bottom);
  d_->map->setVisible(layout.rows > 0 && layout.columns > 0);
}

bool HeatmapPlot::fits(const HeatmapScene& scene, const HeatmapLayout& layout) const {
  return layout.cells_of_point(scene.points) == d_->cells_of_point;
}

void HeatmapPlot::draw(bool now) {
  d_->plot->replot(now ? QCustomPlot::rpImmediateRefresh : QCustomPlot::rpQueuedRefresh);
}

void HeatmapPlot::draw_marks(bool now) {
  d_->plot->layer(QStringLiteral("overlay"))->replot();
  if (now) d_->plot->repaint();
}

}  // namespace headlight
