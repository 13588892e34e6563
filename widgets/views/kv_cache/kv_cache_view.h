// The KV cache of a decoder, as an object that grows by a row with each token: how large it is, what of it the chosen
// head reads, and what fewer key-value heads or a window would save.
//
// The canvas (kv_cache_canvas.h) has the keys; the bar chooses layer, head, moment and the window to compare with.
#pragma once

#include <memory>

#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/kv_cache/kv_cache_canvas.h"

class QLabel;
class QSlider;

namespace headlight {

class KvCacheView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  explicit KvCacheView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);

  KvCacheCanvas* canvas() const { return canvas_; }
  QSlider* moment_slider() const { return moment_; }
  QSlider* window_slider() const { return window_; }
  ColourKey colour_key() const override {
    return cache_ ? ColourKey{ColourKey::Kind::signs, canvas_->largest()} : ColourKey{};
  }

 protected:
  void refresh() override;
  void retranslate() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;

 private:
  void make_bar();
  void show_cache();
  std::shared_ptr<const AttentionMap> cross_of(const AttentionMap& map) const;
  void show_bar();
  void show_texts();
  void show_table();
  void select();
  void open();
  void choose_layer(int layer);
  void go_to_other_head(int by);
  void follow_selection();

  std::shared_ptr<const KvCacheRun> cache_;
  int window_wanted_ = 0;  // 0: half of the text
  ColumnTable table_;      // a line for each moment
  KvCacheCanvas* canvas_ = nullptr;
  AttentionChooser* chooser_ = nullptr;
  QSlider *moment_ = nullptr, *window_ = nullptr;
  QLabel* window_name_ = nullptr;
};

}  // namespace headlight
