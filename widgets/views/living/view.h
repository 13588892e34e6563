// The living map: the whole model as one picture. Text stands from top to bottom, depth runs from left to right. How
// wide something is, is what a state is made of; how dark, how much of the chosen output came this way. Both are shares
// that add up.
//
// A click on a word at the right chooses that output, one on a lane or a ribbon goes there. Until somebody chooses or
// lets go of one, the view shows the most telling output; that is known here alone, and no choice of the person.
//
// It waits for nobody: workers make the map of a long text (LivingMaker), the ground (LivingGround) and the pictures of
// heads (LivingDetails). Until the new is there the old stays; files get the newest run. What opens inside of a state
// when one comes near is a LivingCard (inside.h). MapPanel has this view and the diagram of boxes (MapView), for models
// that have no such picture. app/panels/living_links.h connects it with other views; whatever selects a weight of the
// trace lights its ribbon (view_links.cpp, model/analysis/living/weights.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "model/analysis/attention_maps.h"
#include "model/analysis/living/difference.h"
#include "model/analysis/living/marks.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/living_maker.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/tables/table.h"
#include "widgets/text/token_text.h"
#include "widgets/views/living/details.h"
#include "widgets/views/living/inside.h"
#include "widgets/views/living/scene/ground.h"

namespace headlight {

class ZoomControl;

// What lies under a point, or what the keyboard is at.
struct LivingSpot {
  enum class What { none, lane, ribbon, written, next, head, number };
  What what = What::none;
  int lane = -1;     // lane, next
  int station = -1;  // lane: the state behind it; -1: its beginning
  int part = -1;     // ribbon, written, head
  Index row = 0, column = -1, head = -1;
  LivingNumber number{};  // number: of the card of `station` and `row`
  bool operator==(const LivingSpot&) const = default;
  LivingShare share() const { return {station, part, row, column, head}; }
};

// A word of a thin lane: how much it matters (2 and more: it is chosen, or under the mouse), where its lane is seen,
// and where the word stands.
struct LivingWord {
  int lane;
  double weight, y, at;
};

class LivingView : public PlaceCanvas<LivingSpot, CanvasView> {
  Q_OBJECT
 public:
  explicit LivingView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result);  // whether there is such a picture: cheap
  const std::shared_ptr<const LivingMap>& map() const { return map_; }
  const LivingScene& scene() const { return scene_; }
  const LivingFlow* flow() const { return scene_.flow.get(); }
  LivingChoice choice() const { return choice_; }
  bool says_lens() const { return !lens_.empty(); }  // what each depth would say stands under the chosen lane
  LivingLevel level() const { return level_; }
  LivingSpot cursor() const { return cursor_; }
  LivingSpot pointed() const { return hovered(); }  // at, with the mouse
  const std::vector<LivingShare>& strongest() const { return scene_.current; }
  // Lane -1: none.
  void choose(LivingChoice choice);
  void set_cursor(const LivingSpot& spot);
  void set_plain_weights(bool plain);
  bool plain_weights() const { return plain_; }
  void set_heads_shown(bool shown);
  // While somebody steps through the run: outputs behind this entry of the trace are not written yet; -1: all are.
  void set_computed(int entry);
  // What differs from another run of the model is marked; null: nothing is compared.
  void set_compared(std::shared_ptr<const AnalysedRun> with);
  const LivingDifference& difference() const { return difference_; }
  // A head that another view shows; nothing where the map has no such one.
  void show_head(AttentionMap::Kind kind, Index layer, Index head);
  // Goes up the strongest ribbon that comes in at the cursor, or (false) down the one that leaves; whether there is
  // one.
  bool follow(bool in);
  // The edits that take away what the cursor is at; empty where nothing can be cut.
  std::vector<Intervention> cut() const;
  // An output that what the cursor is at goes into: its lane's own, else the first one; -1: there is none.
  int output_behind() const;
  // The ribbon, head or written part that the cursor is at.
  std::optional<LivingShare> chosen_share() const;
  void go_to_lane(int lane);
  void move_by(QPointF pixels) { pan(pixels); }
  void light_lane(int lane);  // as if the mouse were over it; -1: no more
  void go_to_level(LivingLevel level);
  const std::vector<LivingCard>& cards() const;        // that are seen; none from afar
  LivingPlace place_of(const LivingSpot& spot) const;  // of a number, in the trace; entry -1: of none
  // What was drawn last is the newest run, and no stretched picture of before.
  bool is_sharp() const { return ground_.is_sharp() && !maker_.is_busy(); }
  qint64 cached_bytes() const { return ground_.bytes() + details_.bytes(); }

  void zoom(double factor, QPointF point) override { zoom_along(factor, point, LivingCamera::Along::both); }
  void zoom_along(double factor, QPointF point, LivingCamera::Along along);
  void show_all() override;
  QString place_tooltip(const LivingSpot& spot) const override { return words(spot); }
  // What a place is, in a sentence with its numbers.
  QString words(const LivingSpot& spot) const;
  LivingSpot spot_at(QPointF point) const { return place_at(point); }

  QSize sizeHint() const override { return {900, 560}; }
  QSize minimumSizeHint() const override { return {260, 180}; }

 signals:
  void choiceChanged(const headlight::LivingChoice& choice);
  void outputChosen();  // by a person
  void spotChosen();    // the cursor is somewhere else
  void cutWanted();     // of what the cursor is at
  // A ribbon or what a step writes, with the question that its share answers and a sentence; and: it is to be seen.
  void shareChosen(const headlight::LivingShare& share, const QString& title, const QString& help);
  void shareOpened();
  void headChosen(headlight::AttentionMap::Kind kind, headlight::Index layer, headlight::Index head);
  // The head that looks most along the ribbon that was chosen: its weight is selected next.
  void weightChosen(headlight::AttentionMap::Kind kind, headlight::Index layer, headlight::Index head);

 protected:
  void refresh() override;
  Figure drawn() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString empty_text() const override;
  void forget() override;
  QString name() const override;
  QString description() const override;
  LivingSpot place_at(QPointF point) const override;
  void hover_changed() override;
  void press_place(const LivingSpot& spot) override;
  void open_place(const LivingSpot& spot) override;
  Qt::CursorShape pointer(const LivingSpot& spot) const override;
  void press(QPointF point, Qt::KeyboardModifiers modifiers) override;
  void drag(QPointF point) override;
  void release(QPointF point) override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;
  bool menu(std::optional<QPointF> point, const QPoint& global) override;
  bool focusNextPrevChild(bool next) override;
  bool press_key(const QKeyEvent& event) override;
  void wheelEvent(QWheelEvent* event) override;
  QPointF zoom_centre() const override;
  void pan(QPointF pixels) override;

 private:
  // The map and what is chosen (view.cpp)
  void take_map(std::shared_ptr<const LivingMap> map, std::shared_ptr<const LivingStack> stack = nullptr,
                std::optional<LivingMarks> marks = {});
  void take_flow();
  bool is_there(const LivingSpot& spot) const;  // in this map, of what was chosen in another one
  void keep_pitch(double pitch);
  void content_changed();  // something else than the camera
  int first_output() const;
  bool is_written(const LivingLane& lane) const;
  int telling_output() const;
  void choose_unasked();
  void set_camera(const LivingCamera& camera);
  LivingMetrics metrics(QSizeF view) const;
  void lay_scene(QSizeF view);
  void place_zoom();
  void update_table();
  std::optional<LivingSpot> ribbon_at(QPointF page, int lane) const;
  std::vector<LivingShare> ribbons_of(int station, int lane) const;  // that arrive at a state, the strongest first

  // One choice in all views (view_links.cpp)
  void select(const SelectionState& state);
  void follow_selection();
  void light_selection();
  void choose_weight(const LivingSpot& spot);
  LivingSpot spot_of(const LivingShare& share) const;
  LivingSpot spot_in_trace(int entry, Index cell) const;  // none: it is nothing of the map

  // Painting (view_paint.cpp)
  bool dims() const;  // only what is under the mouse keeps its colour
  std::vector<QRectF> written_places() const;
  void paint_ribbon_words(QPainter& painter) const;
  void paint_footer(QPainter& painter, bool marks) const;
  QString definitions(double room) const;
  bool rings_ribbon() const;  // the ribbon of the cursor has a place on the page

  // Beside another run (view_compared.cpp)
  void find_difference();
  void paint_difference(QPainter& painter) const;
  void mark_output(QPainter& painter, int lane, QPointF place) const;
  QString difference_words(const LivingSpot& spot) const;

  // Words beside the lanes (view_names.cpp)
  void paint_lane_words(QPainter& painter, bool marks) const;
  void paint_name(QPainter& painter, int lane, double y, bool marks) const;
  double brought(int lane) const;
  QString brought_words(int lane) const;
  double seen_at(const LivingRow& row) const;
  void paint_few_words(QPainter& painter) const;
  bool names_few_lanes() const;
  double frame_height(const LivingRow& row) const;
  std::vector<LivingWord> next_words() const;
  void paint_few_next(QPainter& painter, const std::vector<LivingWord>& words, bool marks) const;
  // `placed`: where there is no line for each lane.
  void paint_next(QPainter& painter, int lane, bool marks, const LivingWord* placed = nullptr) const;
  void paint_lens(QPainter& painter) const;

  // Above them (view_titles.cpp)
  void paint_titles(QPainter& painter) const;
  void paint_mlp_title(QPainter& painter, const QRectF& rect, double room, const QString& name, QString wrote) const;
  void write_whole(QPainter& painter, const QRectF& rect, const QString& text) const;
  QString title(const LivingTitle& title, QString* second) const;
  bool has_narrow_layers(LivingTitle::What kind) const;

  // Pictures of heads and states (view_pictures.cpp)
  void paint_pictures(QPainter& painter, bool marks) const;
  void paint_head_captions(QPainter& painter, std::span<const LivingPicture> heads, bool wait) const;

  // Cards (view_inside.cpp)
  void paint_inside(QPainter& painter, bool marks) const;
  void paint_marks(QPainter& painter) const;                     // what the person changed
  std::optional<QPointF> state_end(int station, int row) const;  // on the page, where its mark stands
  void paint_card(QPainter& painter, const LivingCard& card, bool marks) const;
  void paint_card_names(QPainter& painter, const LivingCard& card, const LivingValues& value) const;
  void paint_numbers(QPainter& painter, const LivingCard& card, int index) const;
  void fade_rows(QPainter& painter, const LivingCard& card, const LivingValues& value, const QRectF& all) const;
  void paint_share_bar(QPainter& painter, const LivingCard& card) const;
  const QImage& card_picture(const LivingCard& card, int index, QSize points) const;
  const LivingCard* card_of(int station, Index row) const;  // null: it is not seen
  LivingSizes sizes_now() const;
  QString share_piece_words(const LivingSharePiece& piece) const;
  QString symbol_words(const std::string& symbol) const;
  QString number_words(const LivingSpot& spot) const;
  bool is_edited(const LivingPlace& place) const;
  std::optional<LivingSpot> spot_inside(QPointF page) const;
  void press_number(const LivingSpot& spot);
  bool go_inside(int right, int down);
  bool enter_card();
  void reveal_page(const QRectF& page);
  LivingCard card_in_question() const;
  void show_card();
  void go_to_cells();

  // Words (view_words.cpp)
  QFont name_font(double pitch) const;
  QString share_title(const LivingShare& share) const;  // the question that it answers
  QString lane_name(int lane) const;   // what stands at its row: 'box', and which one where there are several
  QString token_name(int lane) const;  // what it was given, where its row is called by what it wrote
  int folded_padding() const;          // lanes that stand in one; 0: none
  QString row_name(int lane, double room) const;  // as it stands in front of its row, which may be that of all padding
  QString station_name(int station) const;
  QString state_words(int station, int lane) const;
  QString expert_words(int station, int lane) const;
  QString own_words(const LivingSpot& spot) const;
  void make_words();
  bool gives_outputs() const;  // else the states of its words are all that it has to give

  std::shared_ptr<const LivingMap> map_;
  LivingScene scene_;
  ZoomControl* const zoom_;
  LivingCamera camera_;
  LivingLevel level_ = LivingLevel::lanes;
  LivingChoice choice_;
  bool unasked_ = false;  // nobody has chosen an output of this text, nor let go of one: choice_ is the view's own
  std::vector<LivingLens> lens_;
  std::vector<int> percent_;  // of the choice, by lane: what its own word brought; all together 100
  LivingSpot cursor_;
  bool plain_ = false, heads_ = true, letters_ = false;  // letters_: tokens are single characters
  std::vector<TokenText> names_, written_;               // by lane
  std::vector<double> sure_;                             // of what is written; NaN: it is not known
  std::vector<QString> numbered_, bare_;                 // their names; bare_: words without quotes
  double names_width_ = 0, next_width_ = 0;
  double padding_width_ = 0;  // of its whole name
  ColumnTable table_;
  std::optional<QPointF> pressed_;
  bool dragged_ = false;
  SelectionState lit_;      // the newest one that the cursor was compared with
  bool selecting_ = false;  // the selection changes by what a person does here

  int written_steps_ = -1;  // of the output, while somebody steps; -1: all
  LivingMarks marks_;
  std::shared_ptr<const AnalysedRun> compared_;
  LivingDifference difference_;
  LivingMaker comparer_;
  quint64 content_ = 0;
  LivingMaker maker_;
  mutable LivingGround ground_;
  mutable LivingDetails details_;
  mutable LivingInsides insides_;
  mutable std::vector<LivingCard> cards_;
  mutable std::optional<LivingTile> cards_of_;
  mutable std::map<std::tuple<int, int, int, int, int>, QImage> card_pictures_;  // station, row, value, points
};

}  // namespace headlight
