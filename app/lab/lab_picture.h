// The picture of the lab: what the model makes of the probe at the moment in front. Where it looks, as squares that
// stay where they are and change their colours; of models without attention how sure it is of each word; of those that
// go on writing, what they write.
//
// Arrow keys move from square to square; PageUp and PageDown are the handle's.
#pragma once

#include <QRegion>
#include <vector>

#include "app/lab/lab_grid.h"
#include "app/lab/lab_probe.h"
#include "model/recording/story.h"
#include "widgets/canvas/figure.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/tables/table.h"

namespace headlight {

// As the words of an output are written: struck what is not right, bold what is sure.
struct ProbeWord {
  QString text, name, right;  // right: what would be, where that is known
  double probability = 0;
  bool struck = false, bold = false;
  bool operator==(const ProbeWord&) const = default;
};
// So many rows of a map; those in front of what the model wrote were given to it.
std::vector<ProbeWord> probe_words(const Probe& probe, const ProbeRun& run, Index rows);
bool are_single_characters(const std::vector<std::string>& tokens);

class LabPicture : public PlaceCanvas<LabPlace> {
  Q_OBJECT
 public:
  enum class Content { nothing, attention, words, written };

  explicit LabPicture(LabShown* shown, int side = 0, QWidget* parent = nullptr);
  // What is asked, where that may be a typed text; without it the probe of the recording.
  void set_probe(LabProbe* probe);
  // Squares that differ from those of another picture.
  void set_outlined(const std::vector<ProbeDifference::Cell>& cells);

  Content content() const { return content_; }
  const LabGrid& grid() const { return grid_; }
  double value(int row, int column) const;  // NaN: nothing is written there at this moment
  using Word = ProbeWord;
  const std::vector<Word>& words() const { return words_; }
  LabPlace cursor() const { return cursor_; }
  Figure figure();
  void paint_in(QPainter& painter, QSizeF size);  // laid out for another room
  TableTwin* table() { return &twin_; }
  QString place_tooltip(const LabPlace& place) const override;
  int whole_height() const;  // with every row as low as can be read

  QSize sizeHint() const override { return {640, 360}; }
  QSize minimumSizeHint() const override { return {240, 120}; }

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void paintEvent(QPaintEvent* event) override;
  QRectF cursor_rect() const override { return grid_.rect(cursor_); }
  QString empty_text() const override;
  void forget() override;
  QString name() const override;
  QString description() const override;
  LabPlace place_at(QPointF point) const override { return grid_.at(point); }
  bool is_pressable(const LabPlace&) const override { return false; }
  void press_place(const LabPlace& place) override;
  bool go(int right, int down) override;
  bool press_key(const QKeyEvent& event) override;
  bool press_space() override { return false; }

 private:
  double least_row() const;
  void measure();      // another film: places and names
  void show_moment();  // the same with other numbers: paints what has changed
  void read_attention(const ProbeRun& run);
  void show_table();
  QString written(int start) const;
  bool seen(const QRectF& place) const;
  void paint_squares(QPainter& painter) const;
  void paint_name(QPainter& painter, int row) const;
  void paint_words(QPainter& painter) const;
  void paint_written(QPainter& painter) const;

  LabShown* shown_;
  const int side_;
  LabProbe* probe_;
  Content content_ = Content::nothing;
  LabGrid grid_;
  double names_ = 0;  // of the widest word of the whole film
  bool characters_ = false;
  std::vector<float> cells_;
  std::vector<Word> words_;
  std::vector<QString> columns_;
  std::vector<QString> written_;
  std::vector<ProbeDifference::Cell> outlined_;
  LabPlace cursor_;
  QRegion painted_;  // while it paints: what has changed; empty: everything
  MatrixModel matrix_;
  ColumnTable list_;
  TableTwin twin_;
};

}  // namespace headlight
