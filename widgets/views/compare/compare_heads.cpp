// The list of heads of the compare view: by how differently they look in this text, or over the list of texts.
#include <QPushButton>
#include <algorithm>
#include <functional>
#include <numeric>

#include "model/core/json_library.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/head_list.h"
#include "widgets/text/number_words.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compare/word_pairs_picture.h"

namespace headlight {

void CompareView::set_heads_shown(bool shown) { heads_button_->setChecked(shown); }
void CompareView::set_over_texts(bool over) { texts_button_->setChecked(over); }

// Of two models: one text differs from another in itself.
bool CompareView::offers_texts() const {
  if (!bench_ || !bench_->text_list() || !a_ || !b_) return false;
  const ModelBundle &a = *a_->result()->model, &b = *b_->result()->model;
  return &a != &b && a.model && b.model && !a.stored && !b.stored;
}

void CompareView::measure_over_texts() {
  const OverTextsKey key{a_->result()->model, b_->result()->model, bench_->text_list()};
  if (key == over_of_) return;
  over_of_ = key;
  over_ = nullptr;
  texts_job_.start([this, key](const auto& tell, const CancelToken& cancel) -> BenchJob::Done {
    const TextReader first(key.a), second(key.b);
    differences_over_texts(
        first, second, *key.texts,
        [&](const HeadDifferences& found) {
          tell([this, known = std::make_shared<const HeadDifferences>(found)] {
            over_ = known;
            show_heads();
          });
        },
        cancel);
    return {};
  });
}

// The farthest apart first: mean ± deviation.
void CompareView::show_heads_over_texts() {
  measure_over_texts();
  std::vector<std::size_t> order(over_ ? over_->heads.size() : 0);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return over_->mean[i]; });
  std::vector<HeadListRow> rows;
  for (const std::size_t i : order) {
    const HeadPlace& head = over_->heads[i];
    const CompareSubject subject{CompareSubject::Kind::head, head.kind, head.layer, head.head, {}};
    rows.push_back({head,
                    subject_name(subject),
                    plain_number(over_->mean[i], 3),
                    QStringLiteral("± ") + plain_number(over_->sd[i], 3),
                    {},
                    over_->mean[i]});
  }
  const Index done = over_ ? over_->texts + over_->left_out : 0;
  heads_->set_rows(std::move(rows), {tr("head"), tr("bits"), tr("%1 of %2 texts").arg(done).arg(bench_->texts()), {}},
                   tr("Heads by how differently they look in both models, over %1 texts").arg(done));
}

// Where the two runs look differently, in bits from 0 (alike) to 1 (nothing shared).
void CompareView::show_heads() {
  const bool any = difference_.heads.size() > 1;
  heads_button_->setVisible(any);
  heads_->setVisible(any && heads_button_->isChecked() && words_->isHidden());
  const bool texts = offers_texts();
  texts_button_->setVisible(!heads_->isHidden() && texts);
  if (!texts || !texts_button_->isChecked() || heads_->isHidden()) {
    texts_job_.stop();
    if (!over_ || over_->texts + over_->left_out < over_->of_texts) over_of_ = {};
  } else {
    show_heads_over_texts();
    return heads_->set_chosen(selection_->head());
  }
  std::vector<HeadListRow> rows;
  for (const HeadChange& head : difference_.heads) {
    const CompareSubject subject{CompareSubject::Kind::head, head.kind, head.layer, head.head, {}};
    rows.push_back(
        {{head.kind, head.layer, head.head}, subject_name(subject), plain_number(head.bits, 3), {}, {}, head.bits});
  }
  heads_->set_rows(std::move(rows), {tr("head"), tr("bits")}, tr("Heads by how differently they look in the two runs"));
  heads_->set_chosen(selection_->head());
}

std::string CompareView::about() const {
  Json about{{"method", words_->isHidden() ? "difference" : "similarity"}};
  about["compared_with"] = {{"model", a_->result()->model->name}, {"text", a_->result()->source}};
  return about.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headlight
