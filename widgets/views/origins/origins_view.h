// Where an output comes from: how sure the model was, which word brought how much of it and by which way, what else it
// might have been, where it goes, and what happens when the strongest way is cut.
#pragma once

#include <QWidget>
#include <optional>

#include "model/analysis/living/map.h"
#include "widgets/canvas/living_maker.h"
#include "widgets/canvas/result_view.h"
#include "widgets/tables/table.h"
#include "widgets/views/origins/origins_list.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace headlight {

class OriginsView : public QWidget, public ResultView {
  Q_OBJECT
 public:
  explicit OriginsView(const ViewContext& context, QWidget* parent = nullptr);
  ~OriginsView() override;

  static bool offers(const AnalysedRun& run);
  LivingChoice choice() const { return coming_.value_or(choice_); }
  void set_choice(LivingChoice choice);  // lane -1: none
  // The same, of this map: until it is the one that is shown here, the choice waits for it.
  void follow(LivingChoice choice, const std::shared_ptr<const LivingMap>& map);
  // What the cut is about: a ribbon, a head, what a step writes. Nothing: the strongest ribbon.
  void set_ribbon(const std::optional<LivingShare>& share);
  // Makes the cut, as an edit of the document; or takes it back.
  void cut();

  const OriginsList* list() const { return list_; }
  QString question() const;
  QString sentence() const;
  QString cut_words() const;
  QPushButton* cut_button() const { return cut_; }
  // What it might have been, the written one first; each a button.
  std::vector<QPushButton*> candidates() const;
  // The output before (-1) or after (1) the one that is shown.
  void go_to_output(int by);
  QSize sizeHint() const override { return {376, 560}; }

 signals:
  void laneWanted(int lane);
  void laneHovered(int lane);
  void outputWanted(int lane);
  void choiceWanted(const headlight::LivingChoice& choice);

 protected:
  void refresh() override;
  Figure drawn() override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Cut {
    std::shared_ptr<const LivingMap> before;
    LivingChoice choice;
    LivingShare share;
    QString words;
    std::vector<Intervention> edits;
  };
  void build();
  void take_map();
  void follow_selection();
  void show_choice();
  void show_rows();
  void show_cut();
  void show_texts();
  void style_texts();
  void show_sentence(bool of_another);
  void show_candidates();
  void show_next();
  void fit_margins();
  void fill_table();
  QString word(int lane) const;     // 'box'
  QString written(int lane) const;  // what it gives
  QString row(int lane) const;      // what stands at its row of the map
  QString way_of(int lane) const;
  QString share_words(const LivingShare& share) const;
  std::optional<LivingShare> strongest() const;
  std::optional<LivingShare> to_be_cut() const;
  bool is_cut() const;

  LivingMaker maker_;
  Selection* selection_;
  ViewRequests* requests_;
  std::shared_ptr<const LivingMap> map_;
  std::shared_ptr<const LivingFlow> flow_;
  LivingChoice choice_;
  std::optional<LivingChoice> coming_;  // of a map that is not shown here yet
  std::optional<LivingShare> ribbon_;
  std::optional<Cut> made_;
  std::optional<Candidate> guess_;  // of a word that was given: what would have come
  std::vector<LivingOrigin> origins_;
  std::vector<QString> words_, places_;  // by lane
  std::vector<bool> special_;
  ColumnTable table_;

  QScrollArea* scroll_;
  QWidget *page_, *hairline_;
  QLabel *empty_, *question_, *number_, *sure_, *sentence_, *else_title_, *goes_title_, *cut_title_, *what_, *true_,
      *warning_, *sum_;
  QPushButton *goes_, *cut_;
  QToolButton *before_, *after_;
  QWidget* else_;
  std::vector<TokenId> offered_;  // by button of else_
  OriginsList* list_;
};

}  // namespace headlight
