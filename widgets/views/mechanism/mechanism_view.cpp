#include "widgets/views/mechanism/mechanism_view.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QTabWidget>

#include "widgets/base/tokens.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

MechanismView::MechanismView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent),
      tabs_(new QTabWidget(this)),
      settings_(new MechanismSettings(context.requests)),
      heads_(new MechanismHeads(context)),
      mask_(new MechanismMask(context)) {
  bar()->hide();
  tabs_->setDocumentMode(true);
  // The word of the first one stands at the margin.
  auto* before = new QWidget(tabs_);
  auto* room = new QHBoxLayout(before);
  room->setContentsMargins(space::kMargin - space::kSmall, 1, 0, 0);
  tabs_->setCornerWidget(before, Qt::TopLeftCorner);
  for (QWidget* page : std::initializer_list<QWidget*>{settings_, heads_, mask_}) {
    page->setAutoFillBackground(true);
    page->setBackgroundRole(page == settings_ ? QPalette::Window : QPalette::Base);  // pictures stand on paper
    tabs_->addTab(page, QString());
  }
  build(tabs_, {260, 380});
  connect(tabs_, &QTabWidget::currentChanged, this, [this] { show_page(); });
  show_texts();
  refresh();
}

bool MechanismView::offers(const AnalysedRun& run) {
  return has_switches(*run.result()->model) || MechanismMask::offers(*run.result());
}

void MechanismView::refresh() {
  taken_page_ = nullptr;
  const bool any = run() && result()->model->model && offers(*run());
  show_texts();
  if (!any) return set_table(nullptr);
  tabs_->setTabVisible(0, has_switches(*result()->model));
  tabs_->setTabVisible(1, MechanismHeads::offers(*result()));
  tabs_->setTabVisible(2, MechanismMask::offers(*result()));
  show_page();
}

// Only the page that is seen is prepared.
void MechanismView::show_page() {
  const QWidget* page = tabs_->currentWidget();
  if (page == taken_page_ || !run() || !result()->model->model) return;
  taken_page_ = page;
  if (page == settings_) settings_->set_model(result()->model);
  if (page == heads_) heads_->set_run(run());
  if (page == mask_) mask_->set_run(run());
  set_table(page == settings_ ? static_cast<QAbstractItemModel*>(settings_->table_model())
            : page == heads_  ? heads_->grid()->table_model()
                              : mask_->grid()->table_model());
}

void MechanismView::show_page(Page page) { tabs_->setCurrentIndex(static_cast<int>(page)); }

void MechanismView::show_texts() {
  const auto tab = [this](int at, const QString& text, const QString& help) {
    tabs_->setTabText(at, text);
    tabs_->setTabToolTip(at, help);
  };
  tab(0, tr("Settings"), tr("Score, reach, temperature and what else the mechanism is made of"));
  tab(1, tr("Heads"), tr("Switch attention heads off and on"));
  tab(2, tr("Mask"), tr("Which token may look at which"));
  tabs_->setAccessibleName(tr("Mechanism of the model"));
  const bool any = run() && result()->model->model && offers(*run());
  show_message(any     ? QString()
               : run() ? tr("This model has no attention and no other part that could be changed after training.")
                       : tr("Choose a model and type a source to change how it works."));
}

Figure MechanismView::picture() {
  const QString title = tabs_->tabText(tabs_->currentIndex());
  if (tabs_->currentWidget() == settings_) {
    QWidget* page = settings_->widget();
    return {page->size(), [page](QPainter& painter) { page->render(&painter); }, title, nullptr};
  }
  Figure figure = figure_of(tabs_->currentWidget() == heads_ ? heads_->grid() : mask_->grid());
  figure.title = title;
  return figure;
}

}  // namespace headlight
