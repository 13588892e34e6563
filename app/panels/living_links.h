// What is chosen in the living map, in *Where it comes from* and in the inspector is one thing.
#pragma once

#include "widgets/views/inspector/inspector_view.h"

namespace headlight {

class LivingView;
class OriginsView;
class Selection;
class WindowPanels;
struct LivingMap;
struct LivingShare;

// A share and the products behind its terms, for the inspector: the first is the share.
std::vector<InspectorView::MadeNumber> share_numbers(const LivingMap& map, const LivingShare& share,
                                                     const QString& title, const QString& help);

void link_living_map(LivingView* living, OriginsView* origins, Selection* selection, InspectorView* inspector,
                     WindowPanels* panels);

}  // namespace headlight
