// The choice of an attention map in the bar of a view: boxes for its kind, layer and head, and whether pieces of words
// are put together.
//
// What a person chose is kept over runs and models, and is the chosen head of all views (Selection::head). Where a
// model lacks it, the nearest that there is is shown: the kind that the view begins with, the mean of the layers where
// that is offered, else the last layer.
#pragma once

#include <QObject>
#include <QVariantMap>
#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "widgets/base/selection.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;

namespace headlight {

class AnalysedRun;

class AttentionChooser : public QObject {
  Q_OBJECT
 public:
  using Kind = AttentionMap::Kind;  // a summary counts as cross, with layer -1
  using Maps = std::vector<const AttentionMap*>;

  enum class Heads {
    none,
    one,
    or_mean  // until one is chosen, their mean
  };
  struct Offers {
    Maps (*maps)(const AnalysedRun& run);  // which can be chosen, in the order of AnalysedRun::maps()
    Kind first = Kind::cross;              // that is shown until another is chosen
    bool kinds = true, layers = true;
    Heads heads = Heads::one;
    bool words = true;
  };
  static Maps all_but_summaries(const AnalysedRun& run);

  // Adds its boxes to the layout, which has a widget for its parent.
  AttentionChooser(const Offers& offers, Selection* selection, QHBoxLayout* bar);
  QCheckBox* words_box() const { return words_box_; }  // for the view to place; null: not offered

  void set_run(std::shared_ptr<const AnalysedRun> run);  // null: none
  // As if a person had chosen; does not emit.
  void choose(Kind kind, std::optional<Index> layer, Index head);
  // Goes to the map and head of the selected number, where it is a weight of one of them; does not emit.
  bool follow(const SelectionState& state);
  QVariantMap choices() const;  // what a person chose; empty: nothing
  void set_choices(const QVariantMap& choices);
  void retranslate();

  // What is shown; null: there is none. Between words where they are chosen.
  const std::shared_ptr<const AttentionMap>& map() const { return map_; }
  std::vector<AttentionMap> maps_of_kind() const;  // every layer
  Kind kind() const { return kind_; }
  Index layer() const { return layer_; }
  Index head() const { return head_; }
  bool offers_choice() const;  // there is more than one to choose from

 signals:
  void changed();  // by a person

 private:
  QComboBox* add_box(QHBoxLayout* bar, bool offered, int letters, void (AttentionChooser::*set)(Index));
  void share();      // what is chosen here, with the other views
  bool take_head();  // that of the other views, where it is among these; whether another one is shown now
  void set_kind(Index kind) { wanted_kind_ = static_cast<Kind>(kind); }
  void set_layer(Index layer) { wanted_layer_ = layer; }
  void set_head(Index head) { wanted_head_ = head; }
  void find();
  void show_choices();
  std::shared_ptr<const AttentionMap> in_words(const AttentionMap& map) const;

  Offers offers_;
  Selection* selection_;
  std::shared_ptr<const AnalysedRun> run_;
  Maps maps_;
  const AttentionMap* chosen_ = nullptr;  // of maps_
  std::shared_ptr<const AttentionMap> map_;
  std::optional<Kind> wanted_kind_;
  std::optional<Index> wanted_layer_, wanted_head_;
  std::optional<HeadPlace> taken_;  // of the other views
  Kind kind_;
  Index layer_ = -1, head_ = 0;
  QComboBox *kind_box_, *layer_box_, *head_box_;  // null: not offered
  QCheckBox* words_box_ = nullptr;
};

}  // namespace headlight
