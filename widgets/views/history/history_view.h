// One history: the same text through every model that can read it, in the order in which the ideas were published. A
// card for each: where it looks, what it writes, and where it differs from what most of them write.
//
// A click or Enter opens the model of a card.
#pragma once

#include <QPixmap>
#include <memory>
#include <vector>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/matrix/heatmap_scene.h"
#include "widgets/views/history/history_cards.h"
#include "widgets/views/history/history_layout.h"

namespace headlight {

class HistoryView : public PlaceCanvas<HistoryPlace, CanvasView> {
  Q_OBJECT
 public:
  explicit HistoryView(const ViewContext& context, QWidget* parent = nullptr);

  void set_models(std::vector<ModelDescription> models);
  // The answers to runsWanted().
  void set_run(int index, std::shared_ptr<const Result> result);
  void set_run_failed(int index, const QString& message);

  const std::vector<HistoryCard>& cards() const { return cards_; }
  const HistoryLayout& history_layout() const { return layout_; }
  int cursor() const { return cursor_; }
  void set_cursor(int card);
  QString place_tooltip(const HistoryPlace& place) const override;

  QSize sizeHint() const override { return {640, 360}; }

 signals:
  // The other models, in this order; none when the view is hidden. Their traces hold attention only.
  void runsWanted(const std::vector<headlight::Request>& requests);
  void modelWanted(const QString& folder);

 protected:
  void refresh() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString empty_text() const override;
  void forget() override;
  QString name() const override;
  QString description() const override { return cards_.empty() ? empty_text() : place_tooltip({cursor_}); }
  HistoryPlace place_at(QPointF point) const override { return {layout_.card_at(point)}; }
  void press_place(const HistoryPlace& place) override;
  Qt::CursorShape pointer(const HistoryPlace& place) const override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;
  void hideEvent(QHideEvent* event) override;

 private:
  // What a card shows of its run.
  struct Shown {
    std::shared_ptr<const Result> result;
    QString problem;
    HeatmapScene map;  // empty: no attention
    bool of_itself = false;
    std::vector<PlacePair> output;  // against what most wrote
    std::size_t differences = 0;
    QPixmap picture;  // of the map, in the points of this screen
  };
  void show_run(std::size_t card, std::shared_ptr<const AnalysedRun> run);
  void show_table();
  void compare_outputs();
  void open(int card);
  bool is_stale(const Shown& shown) const;
  void write_title(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
                   const QColor& colour) const;
  QString title(const HistoryCard& card) const;
  QString paper(const HistoryCard& card) const;
  QString verdict(int card) const;  // agrees with how many
  QString note(int card) const;
  QString map_text(const Shown& shown) const;  // in place of the map
  void paint_card(QPainter& painter, int card) const;
  void paint_in_strip(QPainter& painter, int card, bool marks) const;
  void paint_tiles(QPainter& painter, const Shown& shown, const QRectF& rect) const;
  void paint_map(QPainter& painter, const Shown& shown, const QRectF& rect) const;
  void paint_output(QPainter& painter, const Shown& shown, const QRectF& rect) const;

  ColumnTable table_;  // a line for each model
  std::vector<ModelDescription> models_;
  std::vector<HistoryCard> cards_;
  mutable std::vector<Shown> shown_;      // of each card; their pictures are made when they are painted
  std::vector<std::size_t> card_of_run_;  // of those that were asked for
  std::vector<std::string> common_;
  bool comparable_ = false;  // several models were trained on the same task
  HistoryLayout layout_;
  int cursor_ = 0;
  mutable HeatmapPainter painter_;  // keeps shaped texts
};

}  // namespace headlight
