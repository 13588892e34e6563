// The attention heads of a model: thumbnails of all, with what each of them does, and one of them large.
#pragma once

#include "widgets/base/selection.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/matrix/folded_map.h"
#include "widgets/matrix/row_picture.h"
#include "widgets/views/heads/heads_grid.h"
#include "widgets/views/heads/heads_shown.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace headlight {

class AttentionChooser;
class HeadBench;
class HeadsPages;
class Heatmap;
class MapCursor;
class WeightDrag;

// In a window with room for both, the head that tells most stands large beside all of them from the start; in the free
// corner of its picture, where its tokens look only at those before them.
// A menu (right click, or the menu key) switches heads off and on.
class HeadsView : public ViewPanel, public Captioned, public RowPicture {
  Q_OBJECT
 public:
  explicit HeadsView(const ViewContext& context, QWidget* parent = nullptr);

  // Whether there are heads, or layers, to tell apart.
  static bool offers(const AnalysedRun& run);
  // Which attention is shown, of those that the model has.
  void set_kind(AttentionMap::Kind kind);
  AttentionMap::Kind kind() const;
  // Shows one head large; map -1: all of them.
  void open(HeadChoice choice);
  HeadChoice opened() const { return opened_; }
  // Each column of padding, or all of them as one with their sum, which a click takes apart.
  void set_show_padding(bool show);
  // Of the large head, rows of later output steps are left empty (stepping); -1: none are.
  void set_visible_rows(int steps);
  // Until they are chosen, large maps have colours of their own: their weights are small, because there are many.
  void set_colours(MapColours colours);

  // Pictures of the weights, or of other numbers; or one number of each head.
  void set_what(HeadsShown what);
  HeadsShown what() const { return what_; }
  // All heads by how much they look from one token at another.
  void rank(const HeadPair& pair);
  HeadsMeasures* measures() const { return measures_; }
  HeadBench* bench() const { return bench_; }

  bool is_empty() const { return model_.maps().empty(); }
  HeadsGrid* grid() const { return grid_; }
  bool is_seen_in(const QWidget* in) const override { return isVisible() && window() == in; }
  const AttentionMap* map_shown() override;  // the large one; null: there is none
  Heatmap* heatmap() override { return heatmap_; }
  int folded() const override { return shown_.blanks; }
  const HeadsModel& model() const { return model_; }
  QString note() const;  // what the picture leaves out
  ColourKey colour_key() const override;
  QString caption() const override;
  QString what_to_do(bool changing) const override;
  ShownAttention attention() const override;

 signals:
  void stateShown();  // other heads, or all of them: the line below the picture says so

 protected:
  void refresh() override;
  void retranslate() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;
  Figure picture() override;  // all heads, or the large one
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool beside() const;  // there is room for one large head and all of them
  void open_telling();
  HeadChoice choice_of(const std::optional<HeadPlace>& head) const;  // map -1: it is none of these
  void give_head();
  bool take_head();                                                  // of the other views: whether it is another one
  void arrange();
  void build_bar();
  void show_maps();
  void show_texts();
  void show_state();
  void show_large();
  void show_colours(MapColours colours);
  WeightDrag* drag_ = nullptr;
  std::optional<HeadChoice> wanted_;  // of a session, until there are heads
  const AttentionMap& large_map() const { return nth(model_.maps(), opened_.map); }
  MapCursor cursor() const;  // in the large map
  void build_shown();
  void show_choices();
  bool shows_number() const { return is_number(what_) && !is_empty() && has_bench(); }
  bool has_bench() const;
  std::vector<AttentionMap> other_numbers(const std::vector<AttentionMap>& maps);  // empty: the weights themselves
  void show_measured();
  std::string about() const;  // of what is shown, as Figure has it
  void measured_changed();
  void open_menu(HeadChoice choice, const QPoint& global_position, int row = -1, int column = -1);
  void open_group_menu(int group, const QPoint& global_position);
  void follow_selection();

  MapColours colours_ = MapColours::whole;
  bool colours_chosen_ = false, show_padding_ = false;
  FoldedMap shown_;  // of the large head
  int visible_steps_ = -1;
  bool whole_ = true;  // what was arranged: all of the large head is seen
  HeadsModel model_;
  HeadChoice opened_;
  std::optional<HeadPlace> taken_;  // of the other views
  AttentionChooser* chooser_ = nullptr;
  QPushButton* back_ = nullptr;
  QLabel* title_ = nullptr;
  QComboBox* colours_box_ = nullptr;
  HeadsGrid* grid_ = nullptr;
  Heatmap* heatmap_ = nullptr;
  HeadsPages* pages_ = nullptr;
  HeadBench* bench_;
  HeadsMeasures* measures_ = nullptr;
  QComboBox* what_box_ = nullptr;
  HeadsShown what_ = HeadsShown::weights;
  HeadPair pair_;
  QString waiting_;      // what is said of the numbers in the maps, or why there are none
  bool other_ = false;   // the maps hold other numbers than weights
  bool closed_ = false;  // a person went back to all heads
};

}  // namespace headlight
