// Lists of texts off the GUI thread: reading a file of them, and letting a model read all of them, text by text. What
// was done when it is stopped has been told.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/latest.h"
#include "model/analysis/bench/listed_number.h"
#include "model/analysis/bench/listed_patterns.h"
#include "model/io/text_list.h"

namespace headlight {

class ListedRuns : public QObject {
  Q_OBJECT
 public:
  explicit ListedRuns(QObject* parent = nullptr);

  // opened() or failed() follows.
  void open(const QString& path);
  // part() several times a second, then finished(), or refused(). It takes the cores that nobody else wants. What is
  // measured are the patterns of all heads, or that number.
  void run(std::shared_ptr<const ModelBundle> model, std::shared_ptr<const std::vector<ListedText>> texts,
           std::optional<ListedNumber> asked = std::nullopt);
  void stop() { runs_.stop(); }

 signals:
  void opened(const QString& name, const std::vector<headlight::ListedText>& texts);
  void failed(const QString& problem);  // of a file
  void part(const headlight::ListedPart& part);
  void finished(double seconds);
  void refused(const QString& problem);  // of a run

 private:
  struct Opened {
    QString name;
    std::shared_ptr<const std::vector<ListedText>> texts;
  };
  Latest<Opened> files_;
  Latest<double> runs_;
};

}  // namespace headlight
