// Which head looks where: ribbons of one head from the chosen token to those it looks at, over the text or between two
// texts, and below them, on the same columns, a row for each head. No head has a colour of its own.
//
// A click on a word asks from there, a click on a row shows its ribbons, a click on a ribbon opens its weight. Left and
// right choose the token, up and down the head, Space turns the question round (who looks at it), or goes to the other
// text; Enter opens the largest weight.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/ribbons/ribbons_layout.h"

namespace headlight {

struct Candidate;

// A token that looks (query), or is looked at (key): a row or a column of the maps.
struct RibbonsToken {
  enum class Side { none, query, key };
  Side side = Side::none;
  int index = -1;
  bool operator==(const RibbonsToken&) const = default;
};

class RibbonsCanvas : public PlaceCanvas<RibbonsHit> {
  Q_OBJECT
 public:
  struct Head {
    int map = 0;  // of maps()
    Index head = 0;
    bool operator==(const Head&) const = default;
  };
  using Maps = std::vector<std::shared_ptr<const AttentionMap>>;
  // What a person changed: heads that are off, and the weights that are others, in the order of rows.
  struct Change {
    bool off = false;
    std::vector<std::pair<Index, Index>> weights;
  };

  explicit RibbonsCanvas(QWidget* parent = nullptr);

  // Maps between the same tokens, each head of which is a row. None: nothing is shown.
  void set_maps(Maps maps, Head chosen);
  void set_changes(std::vector<Change> changes);  // one for each of heads()
  const Maps& maps() const { return maps_; }
  const std::vector<Head>& heads() const { return heads_; }
  const Head& head() const { return head_; }
  RibbonsToken token() const { return token_; }
  void set_token(RibbonsToken token);          // the nearest that there is; does not emit
  void set_hovered_token(RibbonsToken token);  // marked from outside; does not emit
  // What the token stands for in the output, the most probable first, below these words; empty: nothing.
  void set_candidates(std::vector<Candidate> candidates, const QString& title);
  const RibbonsLayout& ribbons_layout() const { return layout_; }
  // The weight of head() that is chosen, as a cell of its map; does not emit.
  void set_chosen(MapCell cell);
  MapCell chosen() const { return chosen_; }
  // Which weight lies there: as a number of a row, or as a ribbon. Its head is none but head() where `any` is false; a
  // column of -1 stands for several.
  std::optional<MapCell> weight_at(QPointF point, bool any) const;
  double weight_of(const MapCell& cell) const;  // of head()
  bool is_masked(const Head& head, int column) const;
  // What the pointer is over a weight, and what its tooltip says beside the number.
  void set_drag(std::function<bool(const MapCell&)> can, std::function<QString(const MapCell&)> hint) {
    can_drag_ = std::move(can);
    hint_ = std::move(hint);
  }

  // What a head gives from the chosen token to a column of the lower line, or the other way round. NaN: there is none;
  // ∞: there is one, but it is no number.
  double weight(const Head& head, int column) const;
  // In words, by these weights: one that has at least .7, two that have at least .65 together, or spread out.
  QString picks(const Head& head) const;
  QString place_tooltip(const RibbonsHit& place) const override;
  int columns() const { return static_cast<int>(columns_.size()); }
  bool is_folded() const { return folded_ >= 0; }

 signals:
  void hovered_token(const headlight::RibbonsToken& token);
  void token_chosen(const headlight::RibbonsToken& token);
  void head_chosen(int map, headlight::Index head);
  void weight_chosen(int map, headlight::Index head, int row, int column);
  void menu_requested(int map, headlight::Index head, headlight::MapCell cell, const QPoint& global);

 protected:
  QSizeF arrange(QSizeF view) override;
  void keep() override { before_ = drawn(); }
  void paint_between(QPainter& painter, const Motion::Frame& frame) const override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  RibbonsHit place_at(QPointF point) const override;
  void press_place(const RibbonsHit& place) override;
  void hover_changed() override;
  Qt::CursorShape pointer(const RibbonsHit& place) const override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override { return go(0, by); }
  bool activate() override;
  bool menu(std::optional<QPointF> point, const QPoint& global) override;
  bool press_space() override;
  bool press_key(const QKeyEvent& event) override;

 private:
  using Side = RibbonsToken::Side;
  const AttentionMap& map() const { return *nth(maps_, head_.map); }
  bool is_self() const { return !maps_.empty() && map().is_self(); }
  void find_lines();
  int count(Side side) const;
  int row_of_column(int key) const;  // whose own token is there, of self-attention; -1: none
  int own_column() const;            // of the chosen token, in the upper line (the only one); -1: none
  RibbonsToken token_of(int column, bool other) const;
  const AxisLabel& label(const RibbonsToken& token) const;
  double single(const Head& head, int index) const;
  MapCell cell_of(int column) const;  // of the map; a column that stands for several: -1
  int row_of(const Head& head) const;
  void choose_head(const Head& head);
  int ribbon_at(QPointF point) const;  // the strongest of those that lie there; -1: none
  const Change& change(const Head& head) const;
  bool is_dropped(const Head& head, int column) const;  // by a window
  QString masked_words(const Head& head, int column) const {
    return is_dropped(head, column) ? tr("%1: outside the window of this layer, not kept.")
                                    : tr("%1: a mask hides it from there.");
  }
  QString title() const;
  QString question() const;
  // The ribbons of the chosen token, as they are drawn: from where, and to each column with its weight, 0 for none.
  struct Drawn {
    double from = 0;
    std::vector<QString> names;
    std::vector<double> to, weights;
  };
  Drawn drawn() const;
  void paint_ribbons(QPainter& painter, bool marks) const;
  void paint_shares(QPainter& painter, const std::vector<int>& strongest_first, int own) const;
  void paint_lines(QPainter& painter, bool marks) const;
  void paint_rows(QPainter& painter, bool marks) const;
  void paint_names(QPainter& painter, double left, bool marks) const;
  void paint_side(QPainter& painter) const;
  void paint_brackets(QPainter& painter, double left) const;

  Maps maps_;
  std::vector<Head> heads_;
  Head head_;
  std::vector<Change> changes_;
  MapCell chosen_;
  std::function<bool(const MapCell&)> can_drag_;
  std::function<QString(const MapCell&)> hint_;
  RibbonsToken token_, hovered_outside_;
  std::vector<AxisLabel> queries_, keys_, own_labels_,
      labels_;                             // own_labels_: of the upper line, labels_: of the lower
  std::vector<std::vector<int>> columns_;  // what each column of the lower line stands for
  int folded_ = -1;
  bool unfolded_ = false;
  std::vector<Candidate> candidates_;
  QString candidates_title_;
  ColumnHead own_head_, head_line_;
  RibbonsLayout layout_;
  Drawn before_;  // of the picture from which this one comes
};

}  // namespace headlight
