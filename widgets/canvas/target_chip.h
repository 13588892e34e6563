// What every analysis of a window asks of a run, as a button with a menu: the difference of two tokens, one of them, or
// something of the embedding.
#pragma once

#include <QToolButton>
#include <memory>

#include "model/analysis/bench/target.h"

namespace headlight {

class AnalysedRun;
class HeadBench;
struct ModelBundle;

// "‘tom’ − ‘peter’", "like itself"; of none: what the kind of model has.
QString asked_name(const std::optional<Target>& target, const ModelBundle& model, bool embeds);

class TargetChip : public QToolButton {
  Q_OBJECT
 public:
  explicit TargetChip(HeadBench* bench, QWidget* parent = nullptr);
  void set_run(std::shared_ptr<const AnalysedRun> run);
  void retranslate();

 private:
  void show_target();
  void fill_menu();
  void add_texts(QMenu* menu);
  void add(QMenu* menu, const QString& text, const std::optional<Target>& target, const QString& help = {});

  HeadBench* bench_;
  std::shared_ptr<const AnalysedRun> run_;
};

}  // namespace headlight
