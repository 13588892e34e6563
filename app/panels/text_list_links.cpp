#include "app/panels/text_list_links.h"

#include <QString>
#include <vector>

#include "app/document/session.h"
#include "app/jobs/listed_runs.h"
#include "app/jobs/run_controller.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/views/texts/texts_view.h"

namespace headlight {

void link_text_list(TextsView* list, ListedRuns* listed, RunController* runs, Selection* selection, HeadBench* bench,
                    ViewRequests* requests) {
  QObject::connect(list, &TextsView::listChanged, bench, &HeadBench::set_texts);
  QObject::connect(list, &TextsView::runWanted, listed, [listed, runs](const auto& texts, const auto& asked) {
    if (runs->session().running()) listed->run(runs->session().running(), texts, asked);
  });
  QObject::connect(requests, &ViewRequests::overTexts, list, &TextsView::ask);
  QObject::connect(list, &TextsView::stopWanted, listed, &ListedRuns::stop);
  QObject::connect(listed, &ListedRuns::part, list, &TextsView::add_part);
  QObject::connect(listed, &ListedRuns::finished, list, &TextsView::set_finished);
  QObject::connect(listed, &ListedRuns::refused, list, &TextsView::set_failed);
  QObject::connect(listed, &ListedRuns::opened, list,
                   [list](const QString& name, const std::vector<ListedText>& texts) { list->set_texts(name, texts); });
  QObject::connect(listed, &ListedRuns::failed, list, &TextsView::set_failed);
  Session* session = &runs->session();
  QObject::connect(list, &TextsView::textWanted, session, [session](const QString& text, const QString& second) {
    session->set_source(text);
    if (!second.isEmpty() || !session->document().second.empty()) session->set_second(second);
  });
  // The list has heads of one kind, that of the head that is chosen.
  QObject::connect(list, &TextsView::headChosen, selection, [selection](Index layer, Index head) {
    if (const auto& chosen = selection->head()) selection->set_head(HeadPlace{chosen->kind, layer, head});
  });
  QObject::connect(selection, &Selection::headChanged, list, [list, selection] {
    if (const auto& head = selection->head()) list->set_head(head->kind, head->layer, head->head);
  });
}

}  // namespace headlight
