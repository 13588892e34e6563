#include "app/lab/line/training_film.h"

#include <QComboBox>
#include <QFormLayout>
#include <QImage>
#include <QProgressDialog>
#include <QSpinBox>
#include <QTimer>
#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "app/file_dialogs.h"
#include "model/recording/story.h"
#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/export/animation.h"

namespace headlight {

namespace {

constexpr int kLastMs = 2500;  // the last frame at least, before it begins again

}  // namespace

std::vector<FilmFrame> film_frames(const Recording& recording, int probe, const FilmSettings& settings) {
  std::set<int> marked;
  if (probe >= 0 && probe < static_cast<int>(recording.probes.size()))
    for (const Mark& mark : marks(recording, probe)) marked.insert(mark.moment);
  const int last = recording.count() - 1;
  std::vector<FilmFrame> frames;
  for (int moment = 0; moment <= last; ++moment) {
    const bool mark = marked.contains(moment);
    if (settings.marks_only && !mark && moment != 0 && moment != last) continue;
    frames.push_back({moment, mark || settings.marks_only ? settings.mark_ms : settings.moment_ms});
  }
  if (!frames.empty()) frames.back().milliseconds = std::max(kLastMs, frames.back().milliseconds);
  return frames;
}

TrainingFilm::TrainingFilm(const LabShown* shown, FilmPainter paint, const QString& path, const FilmSettings& settings,
                           QObject* parent)
    : QObject(parent),
      shown_(shown),
      paint_(std::move(paint)),
      settings_(settings),
      writer_(std::make_shared<AnimationWriter>(path)),
      writing_([this](const QString& problem, bool) { end(problem); }) {
  if (shown->empty()) return;
  run_ = shown->runs()[0];
  frames_ = film_frames(*run_, shown->probe(), settings_);
}

TrainingFilm::~TrainingFilm() = default;

void TrainingFilm::start() { QTimer::singleShot(0, this, &TrainingFilm::next_frame); }

void TrainingFilm::cancel() {
  if (writer_) end({});
}

// Where the moment of a frame is now: a training that runs has more of them, or gave some up for want of memory.
std::optional<int> TrainingFilm::moment_now(const FilmFrame& frame) const {
  if (!shown_ || shown_->empty() || shown_->runs()[0]->moments.front() != run_->moments.front()) return std::nullopt;
  return moment_at(*shown_->runs()[0], run_->at(frame.moment).read);
}

void TrainingFilm::next_frame() {
  if (!writer_) return;
  const bool over = next_ == frames_.size();
  QImage image;
  if (!over) {
    const auto moment = moment_now(frames_[next_]);
    if (!moment) return end(tr("What was drawn is not there any more."));
    image = QImage(settings_.size, QImage::Format_RGB32);
    image.fill(theme().background());
    QPainter painter(&image);
    paint_(painter, *moment, settings_.size);
  }
  const int milliseconds = over ? 0 : frames_[next_].milliseconds;
  writing_.start([this, writer = writer_, image, over, milliseconds](const CancelToken&) -> BackgroundThread::Delivery {
    if (over)
      writer->finish();
    else
      writer->add(image, milliseconds);
    return [this, over] {
      if (over) return end({});
      ++next_;
      emit progress(static_cast<int>(next_), static_cast<int>(frames_.size()));
      next_frame();
    };
  });
}

void TrainingFilm::end(const QString& problem) {
  if (!writer_) return;
  writing_.stop();
  writer_.reset();
  emit finished(problem);
}

// --- the dialog

namespace {

struct FilmChoice {
  QComboBox *moments, *size;
  QSpinBox *moment_ms, *mark_ms;
};

QSpinBox* milliseconds_field(QWidget* parent, int value, const QString& name, const QString& help) {
  auto* field = new QSpinBox(parent);
  field->setRange(20, 10'000);
  field->setSingleStep(50);
  field->setSuffix(TrainingFilm::tr(" ms"));
  field->setValue(value);
  describe(field, name, help);
  return field;
}

FilmChoice film_fields(QWidget* box) {
  const FilmSettings usual;
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  FilmChoice made{};
  made.moments = new QComboBox(box);
  made.moments->addItems({TrainingFilm::tr("All moments"), TrainingFilm::tr("Marks only")});
  describe(
      made.moments, TrainingFilm::tr("Which moments"),
      TrainingFilm::tr("A picture for every moment, or only for the first, the last, and each from which on a word "
                       "of the output stays as it ends."));
  made.size = new QComboBox(box);
  for (const QSize size : {usual.size, QSize(1920, 1080), QSize(854, 480)})
    made.size->addItem(TrainingFilm::tr("%1 × %2 pixels").arg(size.width()).arg(size.height()), size);
  describe(made.size, TrainingFilm::tr("Size"), TrainingFilm::tr("Of each picture."));
  made.moment_ms = milliseconds_field(box, usual.moment_ms, TrainingFilm::tr("A moment is seen for"),
                                      TrainingFilm::tr("Of animated pictures: how long it takes to the next one."));
  made.mark_ms =
      milliseconds_field(box, usual.mark_ms, TrainingFilm::tr("A mark is seen for"),
                         TrainingFilm::tr("Of animated pictures: longer, so that what changed can be read."));
  form->addRow(TrainingFilm::tr("Which moments"), made.moments);
  form->addRow(TrainingFilm::tr("Size"), made.size);
  form->addRow(TrainingFilm::tr("A moment is seen for"), made.moment_ms);
  form->addRow(TrainingFilm::tr("A mark is seen for"), made.mark_ms);
  return made;
}

void make_film(QWidget* parent, TrainingFilm* film, const QString& path,
               const std::function<void(const QString&, const QString&)>& done) {
  auto* box = new QProgressDialog(TrainingFilm::tr("Drawing the moments of the training…"), TrainingFilm::tr("Stop"), 0,
                                  0, parent);
  box->setWindowTitle(TrainingFilm::tr("Export the training"));
  box->setWindowModality(Qt::NonModal);
  box->setAutoClose(false);
  box->setAutoReset(false);
  QObject::connect(film, &TrainingFilm::progress, box, [box](int frame, int of) {
    box->setMaximum(of);
    box->setValue(frame);
  });
  QObject::connect(box, &QProgressDialog::canceled, film, &TrainingFilm::cancel);
  QObject::connect(film, &TrainingFilm::finished, parent, [film, box, done, path](const QString& problem) {
    const bool cancelled = box->wasCanceled();
    box->deleteLater();
    film->deleteLater();
    done(problem, problem.isEmpty() && !cancelled ? path : QString());
  });
  box->show();
  film->start();
}

}  // namespace

void export_training(QWidget* parent, const LabShown* shown, const FilmPainter& paint,
                     const std::function<void(const QString& problem, const QString& path)>& done) {
  if (shown->empty()) return;
  QWidget options;
  const FilmChoice choice = film_fields(&options);
  const QString path = ask_where_to_write(parent,
                                          {"export",
                                           TrainingFilm::tr("Export the training as an animation"),
                                           QStringLiteral("training.gif"),
                                           {TrainingFilm::tr("Animated picture for slides and the web (*.gif)"),
                                            TrainingFilm::tr("Numbered pictures, one for each moment (*.png)")}},
                                          &options);
  if (path.isEmpty()) return done({}, {});
  const FilmSettings settings{choice.moments->currentIndex() == 1, choice.moment_ms->value(), choice.mark_ms->value(),
                              choice.size->currentData().toSize()};
  try {
    make_film(parent, new TrainingFilm(shown, paint, path, settings, parent), path, done);
  } catch (const std::exception& error) {
    done(QString::fromUtf8(error.what()), {});
  }
}

}  // namespace headlight
