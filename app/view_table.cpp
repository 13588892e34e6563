#include "app/view_table.h"

#include <QCoreApplication>
#include <array>

#include "widgets/views/alignment_view.h"
#include "widgets/views/heads_view.h"
#include "widgets/views/output_view.h"
#include "widgets/views/positions_view.h"
#include "widgets/views/ribbons_view.h"

namespace headlight {

namespace {

template <class View>
MadeView make(const ViewContext& context, QWidget* parent) {
  View* view = nullptr;
  if constexpr (std::is_constructible_v<View, const ViewContext&, QWidget*>)
    view = new View(context, parent);
  else if constexpr (std::is_constructible_v<View, Selection*, QWidget*>)
    view = new View(context.selection, parent);
  else
    view = new View(parent);
  return {view, [view](const std::shared_ptr<const Result>& result) { view->set_result(result); },
          [view](const QString& path) { view->export_to(path); }};
}

using At = ViewRow::Place;

// In the order of the tabs.
constexpr std::array kViews = {
    ViewRow{"alignment", At::picture, QT_TRANSLATE_NOOP("Views", "Alignment"),
            QT_TRANSLATE_NOOP("Views", "Which tokens of the text the model looked at for each token that it wrote."),
            nullptr, make<AlignmentView>},
    ViewRow{"heads", At::picture, QT_TRANSLATE_NOOP("Views", "Heads"),
            QT_TRANSLATE_NOOP("Views",
                              "Every attention head of every layer as a small picture, with what it does: click one "
                              "to see it large."),
            HeadsView::offers, make<HeadsView>},
    ViewRow{"ribbons", At::picture, QT_TRANSLATE_NOOP("Views", "Ribbons"),
            QT_TRANSLATE_NOOP("Views",
                              "Attention as lines between two lists of tokens: point at a token to see what it "
                              "looks at."),
            RibbonsView::offers, make<RibbonsView>},
    ViewRow{"positions", At::picture, QT_TRANSLATE_NOOP("Views", "Positions"),
            QT_TRANSLATE_NOOP("Views", "The numbers that tell the model where a token stands."), PositionsView::offers,
            make<PositionsView>},
    ViewRow{"outputs", At::bottom, QT_TRANSLATE_NOOP("Views", "Output"),
            QT_TRANSLATE_NOOP("Views", "What the model wrote, with the most probable tokens of each step."), nullptr,
            make<OutputView>},
};

constexpr std::array kNumbers = {
    ViewRow{"steps", At::bottom, QT_TRANSLATE_NOOP("Views", "Computation"),
            QT_TRANSLATE_NOOP("Views", "The run as single operations: step forward and back, or play it."), nullptr,
            nullptr},
    ViewRow{"values", At::bottom, QT_TRANSLATE_NOOP("Views", "All values"),
            QT_TRANSLATE_NOOP("Views", "Every value of the run in the order of computation, with search."), nullptr,
            nullptr},
    ViewRow{"inspector", At::side, QT_TRANSLATE_NOOP("Views", "Inspector"),
            QT_TRANSLATE_NOOP("Views", "The arithmetic behind the selected number."), nullptr, nullptr},
    ViewRow{"differences", At::side, QT_TRANSLATE_NOOP("Views", "What differs"),
            QT_TRANSLATE_NOOP("Views", "What you changed in this run, and ways to take it back."), nullptr, nullptr},
};

}  // namespace

std::span<const ViewRow> view_table() { return kViews; }
std::span<const ViewRow> number_panels() { return kNumbers; }

QString translated_view_text(const char* source) { return QCoreApplication::translate("Views", source); }

}  // namespace headlight
