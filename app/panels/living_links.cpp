#include "app/panels/living_links.h"

#include <QCoreApplication>

#include "app/stage/window_panels.h"
#include "model/analysis/living/arithmetic.h"
#include "widgets/base/selection.h"
#include "widgets/views/living/view.h"
#include "widgets/views/origins/origins_view.h"

namespace headlight {

namespace {

struct LinkWords {
  Q_DECLARE_TR_FUNCTIONS(LivingLinks)
};

}  // namespace

std::vector<InspectorView::MadeNumber> share_numbers(const LivingMap& map, const LivingShare& share,
                                                     const QString& title, const QString& help) {
  LivingArithmetic made = living_arithmetic(map, share);
  Tensor number({1});
  number[0] = static_cast<Scalar>(made.share.value);
  std::vector<InspectorView::MadeNumber> numbers;
  numbers.push_back({{number, 0}, title, help, made.share});
  for (std::size_t i = 0; i < made.behind.size(); ++i) {
    if (!made.behind[i]) continue;
    const QString name = QString::fromStdString(made.share.terms[i].label);
    numbers.push_back(
        {made.share.terms[i].cells.front(), name,
         LinkWords::tr("What this part has in common with the state: number by number, multiplied and added."),
         explain_product(map, *made.behind[i])});
  }
  return numbers;
}

void link_living_map(LivingView* living, OriginsView* origins, Selection* selection, InspectorView* inspector,
                     WindowPanels* panels) {
  QObject::connect(living, &LivingView::choiceChanged, origins,
                   [living, origins](const LivingChoice& choice) { origins->follow(choice, living->map()); });
  QObject::connect(living, &LivingView::spotChosen, origins,
                   [living, origins] { origins->set_ribbon(living->chosen_share()); });
  // On a stage the picture stays: there a panel would take its place.
  const auto show_origins = [panels] {
    if (!panels->is_on_stage()) panels->raise(QStringLiteral("origins"));
  };
  QObject::connect(living, &LivingView::outputChosen, panels, show_origins);
  // What it truly changed of an output stands beside the share, in the panel.
  QObject::connect(living, &LivingView::cutWanted, panels, [living, origins, show_origins] {
    const auto share = living->chosen_share();
    // What is asked about is chosen now, also where it was only shown.
    const LivingChoice shown = living->choice();
    living->choose(shown.lane < 0 ? LivingChoice{living->output_behind(), -1} : shown);
    show_origins();
    origins->set_choice(living->choice());
    origins->set_ribbon(share);
    origins->cut();
  });
  QObject::connect(living, &LivingView::shareChosen, inspector,
                   [living, inspector](const LivingShare& share, const QString& title, const QString& help) {
                     inspector->open_made(share_numbers(*living->map(), share, title, help));
                   });
  QObject::connect(living, &LivingView::shareOpened, panels, [panels] {
    if (!panels->is_on_stage()) panels->raise(QStringLiteral("inspector"));
  });
  const auto choose_head = [selection](AttentionMap::Kind kind, Index layer, Index head) {
    selection->set_head(HeadPlace{kind, layer, head});
  };
  QObject::connect(living, &LivingView::headChosen, selection, choose_head);
  QObject::connect(living, &LivingView::weightChosen, selection, choose_head);
  QObject::connect(selection, &Selection::headChanged, living, [living, selection] {
    if (const auto& head = selection->head()) living->show_head(head->kind, head->layer, head->head);
  });
  QObject::connect(origins, &OriginsView::outputWanted, living, [living](int lane) { living->choose({lane, -1}); });
  QObject::connect(origins, &OriginsView::choiceWanted, living, &LivingView::choose);
  QObject::connect(origins, &OriginsView::laneWanted, living, &LivingView::go_to_lane);
  QObject::connect(origins, &OriginsView::laneHovered, living, &LivingView::light_lane);
}

}  // namespace headlight
