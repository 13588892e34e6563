// What is measured of the heads of a run beyond its weights, for all views of a window: what they look at in numbers,
// what they bring, and what each of them is worth to one target. Computed in the background, when a view asks for it;
// the newest run wins.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QVariantMap>
#include <memory>

#include "model/analysis/bench/text_heads.h"
#include "model/core/work_queue.h"

namespace headlight {

class AnalysedRun;

// One job at a time off the thread of the interface. What it tells is done there, unless another one has begun.
class BenchJob : public QObject {
  Q_OBJECT
 public:
  using Done = std::function<void()>;
  // On the worker: it must not touch its owner there. May throw; `tell` says what there is so far.
  using Work = std::function<Done(const std::function<void(Done)>& tell, const CancelToken& cancel)>;

  explicit BenchJob(QObject* parent);
  ~BenchJob() override;
  void start(Work work);
  void stop();
  void finish();  // waits
  bool is_busy() const { return busy_; }

 signals:
  void failed(const QString& problem);
  void ended();

 private:
  void deliver(quint64 number, const Done& done, bool last);

  WorkQueue queue_;
  QTimer begin_;
  Work next_;
  void begin();
  quint64 newest_ = 0;
  CancelToken cancel_;
  bool busy_ = false;
};

class HeadBench : public QObject {
  Q_OBJECT
 public:
  // What an effect asks.
  struct Asked {
    std::optional<Target> target;  // none: what its kind of model has
    std::string second;            // the second text of a similarity
    HeadOff off = HeadOff::zero;
    std::string other;        // the text whose findings take the place
    bool over_texts = false;  // the mean over the list of texts, where there is one
    bool operator==(const Asked&) const;
  };
  struct Progress {
    int done = 0, of = 0;      // heads, or texts of a list
    double seconds_left = -1;  // -1: it is not known yet
  };

  explicit HeadBench(QObject* parent = nullptr);

  // Whether there is anything to measure: heads, of a model that computes.
  static bool offers(const AnalysedRun& run);
  // What is there of this run, and null until it is; asking begins it.
  std::shared_ptr<const TextHeads> heads(const std::shared_ptr<const AnalysedRun>& run);
  // Grows while it is measured.
  std::shared_ptr<const HeadEffects> effects(const std::shared_ptr<const AnalysedRun>& run);
  // The same without asking for it.
  std::shared_ptr<const HeadEffects> known_effects(const AnalysedRun& run) const;
  const Asked& asked() const { return asked_; }
  // The list of texts of the window, under its name; null: there is none.
  void set_texts(const QString& name, std::shared_ptr<const std::vector<ListedText>> texts);
  const QString& texts_name() const { return texts_name_; }
  const std::shared_ptr<const std::vector<ListedText>>& text_list() const { return texts_; }
  int texts() const { return texts_ ? static_cast<int>(texts_->size()) : 0; }
  bool is_over_texts() const { return asked_.over_texts && texts() > 0; }
  void ask(const Asked& asked);

  bool is_measuring() const { return effect_job_.is_busy(); }
  bool is_reading() const { return heads_job_.is_busy(); }
  Progress progress() const;
  void stop();    // of the effects: what there is stays
  void resume();  // begins them anew
  bool was_stopped() const { return stopped_; }
  const QString& problem() const { return problem_; }  // why there are no effects; empty: there is none
  void finish();                                       // waits for what was asked for

  std::string about(const AnalysedRun& run) const;  // of effects, as Figure has it
  QVariantMap choices() const;                      // what a person asked, for sessions
  void set_choices(const QVariantMap& choices);

 signals:
  void changed();  // anything of it

 private:
  void start_effects();

  // What they are made of: not of what a person changed in the run.
  struct Text {
    std::shared_ptr<const ModelBundle> model;
    std::string source, second, output;
    std::shared_ptr<const std::vector<ListedText>> list;  // null: of this text
    bool operator==(const Text&) const = default;
  };
  static Text text_of(const AnalysedRun& run, bool written);
  Text asked_text(const AnalysedRun& run) const;

  BenchJob heads_job_, effect_job_;
  Text heads_of_, effects_of_;
  std::shared_ptr<const Result> asked_of_;  // the run whose effects were asked for
  std::shared_ptr<const TextHeads> heads_;
  std::shared_ptr<const HeadEffects> effects_;
  QString texts_name_;
  std::shared_ptr<const std::vector<ListedText>> texts_;
  Asked asked_;
  bool stopped_ = false;
  QString problem_;
  QElapsedTimer began_;
};

}  // namespace headlight
