// The list of texts: its runs in the background, the text that goes into the field, and the head that is chosen in all
// views.
#pragma once

namespace headlight {

class HeadBench;
class ListedRuns;
class RunController;
class Selection;
class TextsView;
class ViewRequests;

void link_text_list(TextsView* list, ListedRuns* listed, RunController* runs, Selection* selection, HeadBench* bench,
                    ViewRequests* requests);

}  // namespace headlight
