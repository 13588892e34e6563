#include "widgets/views/kv_cache/kv_cache_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>

#include "model/decode/run.h"
#include "widgets/base/controls.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr const char* kWindowChoice = "window";

AttentionChooser::Maps maps_of_own_text(const AnalysedRun& run) {
  AttentionChooser::Maps maps;
  for (const AttentionMap& map : run.maps())
    if (map.kind == AttentionMap::Kind::decoder_self) maps.push_back(&map);
  return maps;
}

}  // namespace

KvCacheView::KvCacheView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  make_bar();
  build(canvas_ = new KvCacheCanvas(this), {720, 460});
  set_table(&table_);
  connect(chooser_, &AttentionChooser::changed, this, &KvCacheView::show_cache);
  connect(moment_, &QSlider::valueChanged, this, [this](int moment) {
    canvas_->set_moment(moment);
    select();
  });
  connect(window_, &QSlider::valueChanged, this, [this](int tokens) {
    window_wanted_ = tokens;
    canvas_->set_window(tokens);
    show_bar();
    show_table();
  });
  connect(canvas_, &KvCacheCanvas::moved, this, &KvCacheView::select);
  connect(canvas_, &KvCacheCanvas::opened, this, &KvCacheView::open);
  connect(canvas_, &KvCacheCanvas::layer_chosen, this, &KvCacheView::choose_layer);
  connect(canvas_, &KvCacheCanvas::other_head, this, &KvCacheView::go_to_other_head);
  connect(canvas_, &KvCacheCanvas::hovered_row, this, [this](int row) {
    if (cache_) MapCursor(*cache_->map).hover({-1, row}, selection_);
  });
  connect(selection_, &Selection::changed, this, &KvCacheView::follow_selection);
  show_texts();
}

void KvCacheView::make_bar() {
  QHBoxLayout* row = bar_row();
  chooser_ = new AttentionChooser(
      {.maps = maps_of_own_text, .first = AttentionMap::Kind::decoder_self, .kinds = false, .words = false}, selection_,
      row);
  row->addWidget(moment_ = new QSlider(Qt::Horizontal, bar()), 2);
  row->addWidget(window_name_ = new QLabel(bar()));
  row->addWidget(window_ = new QSlider(Qt::Horizontal, bar()), 1);
  for (QSlider* slider : {moment_, window_}) slider->setMinimumWidth(60);
  window_name_->setTextFormat(Qt::PlainText);
}

bool KvCacheView::offers(const AnalysedRun& run) {
  return cache_shape(*run.result()).has_value() && !maps_of_own_text(run).empty();
}

void KvCacheView::refresh() {
  chooser_->set_run(run());
  show_cache();
  follow_selection();
}

void KvCacheView::show_cache() {
  cache_ = nullptr;
  const std::shared_ptr<const AttentionMap> map = run() ? chooser_->map() : nullptr;
  const auto shape = map ? cache_shape(*result()) : std::nullopt;
  if (shape && map->row_count() > 0)
    cache_ = std::make_shared<const KvCacheRun>(KvCacheRun{*shape, map, cross_of(*map),
                                                           std::make_shared<const CacheRows>(*result(), *shape),
                                                           result()->model->number_type});
  canvas_->set_run(cache_, chooser_->head());
  show_bar();
  canvas_->set_window(cache_ ? window_->value() : 0);
  show_texts();
  show_table();
}

// The attention of that layer to the source; null: it reads none.
std::shared_ptr<const AttentionMap> KvCacheView::cross_of(const AttentionMap& map) const {
  for (const AttentionMap& each : run()->maps())
    if (each.kind == AttentionMap::Kind::cross && each.layer == map.layer)
      return std::make_shared<const AttentionMap>(each);
  return nullptr;
}

void KvCacheView::show_bar() {
  bar()->setVisible(cache_ != nullptr);
  if (!cache_) return;
  const QSignalBlocker quiet(moment_), quiet_too(window_);
  moment_->setRange(0, cache_->moments() - 1);
  moment_->setValue(canvas_->moment());
  const int tokens = std::max(1, static_cast<int>(cache_->map->column_count()));
  window_->setRange(1, tokens);
  window_->setValue(window_wanted_ > 0 ? window_wanted_ : (tokens + 1) / 2);
  window_name_->setText(tr("window %1").arg(window_->value()));
  keep_room(window_name_);
}

void KvCacheView::show_texts() {
  describe(moment_, tr("How many tokens have been read"),
           tr("The cache at that moment: each token that is read adds a row to every layer. Arrow keys go there too."));
  describe(window_, tr("Window to compare with, in tokens"),
           tr("What the cache would take if every layer looked only at so many of the last tokens. The model itself "
              "stays as it is."));
  show_message(cache_ ? QString()
                      : reason(tr("Type a source to see what the model keeps of what it reads."),
                               tr("This model keeps no keys and values: only a Transformer that writes has such a "
                                  "cache.")));
}

void KvCacheView::retranslate() {
  chooser_->retranslate();
  show_texts();
  show_bar();
  show_table();
}

QVariantMap KvCacheView::own_choices() const {
  return window_wanted_ > 0 ? QVariantMap{{kWindowChoice, window_wanted_}} : QVariantMap();
}

void KvCacheView::set_own_choices(const QVariantMap& choices) {
  window_wanted_ = std::clamp(choices.value(kWindowChoice).toInt(), 0, 1'000'000);
  show_again();
}

void KvCacheView::select() {
  if (!cache_) return;
  show_bar();
  selection_->set(MapCursor(*cache_->map).selection_at({canvas_->moment(), -1}));
}

// The weight of the row that is read most: of one head, since no number of the run is a mean.
void KvCacheView::open() {
  if (!cache_) return;
  const int moment = canvas_->moment(), most = cache_->most_read(moment, chooser_->head());
  const Index head = std::max<Index>(0, chooser_->head());
  if (most < 0 || cache_->map->is_merged() || !cache_->map->has(moment, most)) return;
  emit requests_->open(cache_->map->entry(moment), cache_->map->cell(head, moment, most));
}

void KvCacheView::choose_layer(int layer) {
  chooser_->choose(AttentionMap::Kind::decoder_self, layer, chooser_->head());
  show_cache();
}

void KvCacheView::go_to_other_head(int by) {
  const Index heads = cache_->map->heads, head = std::max<Index>(0, chooser_->head());
  chooser_->choose(AttentionMap::Kind::decoder_self, chooser_->layer(), (head + by + heads) % heads);
  show_cache();
}

void KvCacheView::follow_selection() {
  if (!cache_ || !is_fresh()) return;
  const MapCursor cursor(*cache_->map);
  const SelectionState& state = selection_->state();
  int moment = cursor.find(state).row;
  if (moment < 0 && state.source_token) moment = cursor.row_of_token(*state.source_token);
  if (moment < 0) return;
  canvas_->set_moment(moment);
  show_bar();
}

void KvCacheView::show_table() {
  if (!cache_) return table_.clear();
  const auto bytes = [cache = cache_](const CacheShape& shape, Index number_bytes) {
    return [cache, shape, number_bytes](int moment) {
      return QVariant(cache_bytes(shape, cache->read(moment), number_bytes));
    };
  };
  const CacheShape& shape = cache_->shape;
  const std::vector<AxisLabel> labels = column_labels(*cache_->map);
  const auto token = [labels](int row) { return row < 0 ? QVariant() : QVariant(nth(labels, row).words()); };
  const Index own = cache_->bytes();
  std::vector<ColumnTable::Column> columns = {
      {tr("tokens read"), [cache = cache_](int moment) { return QVariant(static_cast<int>(cache->read(moment))); }},
      {tr("new row"), [cache = cache_, token](int moment) { return token(cache->own_row(moment)); }},
      {own == kFloat32Bytes ? tr("bytes, float32") : tr("bytes, %1").arg(from_utf8(cache_->number_type)),
       bytes(shape, own)}};
  if (own == kFloat32Bytes) columns.push_back({tr("bytes, float16"), bytes(shape, kFloat16Bytes)});
  columns.push_back({tr("bytes, 8 bits"), bytes(shape, kEightBits)});
  for (Index layer = 0; layer < shape.layers(); ++layer) {
    columns.push_back({tr("rows in %1").arg(layer_name(layer)), [cache = cache_, layer](int moment) {
                         return QVariant(
                             static_cast<int>(rows_kept(nth(cache->shape.windows, layer), cache->read(moment))));
                       }});
    columns.push_back({tr("bytes in %1").arg(layer_name(layer)), [cache = cache_, layer, own](int moment) {
                         return QVariant(layer_bytes(cache->shape, layer, cache->read(moment), own));
                       }});
  }
  for (const Index count : key_heads_to_compare(shape))
    if (count != shape.key_value_heads || shape.latent > 0)
      columns.push_back({tr("bytes with %1 key-value heads").arg(count), bytes(shape.with_key_heads(count), own)});
  if (shape.has_window()) columns.push_back({tr("bytes without windows"), bytes(shape.with_window(0), own)});
  columns.push_back(
      {tr("bytes with a window of %1").arg(window_->value()), bytes(shape.with_window(window_->value()), own)});
  columns.push_back({tr("reads most"), [cache = cache_, token, head = chooser_->head()](int moment) {
                       return token(cache->most_read(moment, head));
                     }});
  table_.set(cache_->moments(), std::move(columns));
}

}  // namespace headlight
