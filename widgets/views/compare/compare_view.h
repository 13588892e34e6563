// Two runs side by side: the newest one (B) beside a reference (A), and on wish their difference, cell by cell. The
// reference is the run before, the model as it was trained, a variant that was kept, another text, or another model.
// Until somebody chooses, it is what tells most: of a run with changes the run before, else another model that was
// trained on the same task, else another text.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <vector>

#include "model/analysis/bench/text_differences.h"
#include "model/models/description.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/compare/compare_subject.h"
#include "widgets/views/compare/compare_variant.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace headlight {

class ComparePictures;
class CompareTokens;
class HeadList;
class WordPairsPicture;
struct CompareTitle;

class CompareView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  enum class Reference { before, trained, variant, text, model, without };  // without: its adapter
  static constexpr std::size_t kMostVariants = 12;

  explicit CompareView(const ViewContext& context, QWidget* parent = nullptr);

  void set_models(std::vector<ModelDescription> models);
  // What a person opened; the models that ran here are known without.
  void add_opened(const std::vector<ModelDescription>& models);
  // The answers to runsWanted().
  void set_run(int index, std::shared_ptr<const Result> result);
  void set_run_failed(int index, const QString& message);

  void set_reference(Reference reference);
  Reference reference() const { return shown_; }
  void set_reference_text(const QString& text);
  void set_reference_model(const QString& folder);
  // The newest run is kept, and becomes the reference; of more than kMostVariants the oldest goes.
  void keep(const QString& name);
  void forget(int variant);
  void set_variants(std::vector<CompareVariant> variants);
  const std::vector<CompareVariant>& variants() const { return variants_; }
  void set_reference_variant(int variant);
  void set_difference_shown(bool shown);
  void set_subject(const CompareSubject& subject);
  const CompareSubject& subject() const { return subject_; }
  ColourKey colour_key() const override;
  ShownAttention attention() const override;
  // How long nobody typed before the newest run, for another run to count as the one before.
  void set_pause(int milliseconds) { pause_ = milliseconds; }

  // What is shown; null: nothing to compare yet.
  std::shared_ptr<const Result> shown_reference() const;
  std::shared_ptr<const Result> shown_result() const;
  const Difference& difference_shown() const { return difference_; }
  std::shared_ptr<const AnalysedRun> reference_run() const { return a_; }
  void follow() { bring_up_to_date(); }  // also while it is not seen
  HeadList* heads() const { return heads_; }
  void set_heads_shown(bool shown);
  // The list of heads over the list of texts, of two models; of this text alone.
  void set_over_texts(bool over);
  BenchJob* texts_job() { return &texts_job_; }
  ComparePictures* pictures() const { return pictures_; }
  CompareTokens* tokens() const { return tokens_; }
  WordPairsPicture* words() const { return words_; }
  QString status() const;  // what changed, or why nothing can be compared

 signals:
  // The run to compare with; none: what was asked for is not wanted any more.
  void runsWanted(const std::vector<headlight::Request>& requests);
  void keepWanted();       // a name is to be asked for
  void openWanted();       // another model than those of the list
  void variantsChanged();  // by the person
  void pairChanged();      // another reference_run(), or it is not seen any more

 protected:
  void run_arrived() override;
  void refresh() override { find_reference(); }
  void retranslate() override;
  Figure picture() override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_bar();
  void connect_parts();
  void show_texts();
  void show_models();
  void mark_comparable();
  void show_choices();
  void show_heads();
  void show_heads_over_texts();
  void measure_over_texts();
  bool offers_texts() const;
  std::string about() const;
  void take_head();
  void show_references();
  void point_at_reference();
  void point_at_choice();
  Reference telling_reference();
  bool can_compare(const ModelBundle& other) const;  // with the newest run: it answers the same questions
  int other_model() const;                           // such a one; -1: there is none
  const ModelDescription* listed(int at) const;      // of model_box_; null: none
  CompareTitle title_of(const Result& result, const QString& name, bool after) const;
  void find_reference();
  void ask(Request request);
  void compare_with(std::shared_ptr<const AnalysedRun> reference);
  void nothing(const QString& why);
  void show_pair();
  bool show_words();  // whether words of embeddings are what is shown
  void rank();
  void fit();
  void show_table();
  QString reference_title() const;

  std::shared_ptr<const AnalysedRun> newest_, before_;
  std::vector<CompareVariant> variants_;
  std::vector<std::shared_ptr<const AnalysedRun>> kept_;  // runs of them; null: not computed yet
  std::shared_ptr<const ModelBundle> without_;            // the newest model without its adapter
  int variant_ = -1;
  int model_shown_ = -1;                      // in model_box_
  std::shared_ptr<const AnalysedRun> a_, b_;  // shown
  std::shared_ptr<const AnalysedRun> answer_;
  std::optional<Request> asked_;  // answer_ is its result, or on its way
  QElapsedTimer since_;           // the newest result
  int pause_ = 1000;
  std::optional<Reference> chosen_;  // by somebody
  Reference shown_ = Reference::before;
  CompareSubject subject_, shown_subject_;  // chosen; shown where not both runs have that
  bool subject_chosen_ = false;             // by somebody
  Difference difference_;
  std::vector<ModelDescription> models_, opened_;  // bundled; of the person, by folder
  std::vector<CompareSubject> choices_;
  QTimer ranking_;
  // Both models over the texts of the window.
  struct OverTextsKey {
    std::shared_ptr<const ModelBundle> a, b;
    std::shared_ptr<const std::vector<ListedText>> texts;
    bool operator==(const OverTextsKey&) const = default;
  };
  HeadBench* bench_;  // null: there is no window
  BenchJob texts_job_;
  OverTextsKey over_of_;
  std::shared_ptr<const HeadDifferences> over_;

  QLabel *reference_label_ = nullptr, *subject_label_ = nullptr, *note_ = nullptr;
  QComboBox *reference_box_ = nullptr, *model_box_ = nullptr, *subject_box_ = nullptr;
  QLineEdit* text_ = nullptr;
  QPushButton *keep_ = nullptr, *difference_button_ = nullptr, *heads_button_ = nullptr, *texts_button_ = nullptr;
  QToolButton* forget_ = nullptr;
  HeadList* heads_ = nullptr;  // those that look differently most, first
  QWidget* content_ = nullptr;
  CompareTokens* tokens_ = nullptr;
  ComparePictures* pictures_ = nullptr;
  WordPairsPicture* words_ = nullptr;  // in their place, of embeddings
  QBoxLayout* bar_ = nullptr;
  ColumnTable table_;  // every cell of A, of B, and their difference
};

}  // namespace headlight
