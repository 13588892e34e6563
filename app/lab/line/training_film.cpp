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

QSpinBox* milliseconds_field(QWidget* parent, int* value, const QString& name, const QString& help) {
  auto* field = new QSpinBox(parent);
  field->setRange(20, 10'000);
  field->setSingleStep(50);
  field->setSuffix(TrainingFilm::tr(" ms"));
  field->setValue(*value);
  QObject::connect(field, &QSpinBox::valueChanged, field, [value](int now) { *value = now; });
  describe(field, name, help);
  return field;
}

// The fields go with the dialog; what they say stands in `chosen`.
QWidget* film_fields(const std::shared_ptr<FilmSettings>& chosen) {
  auto* box = new QWidget;
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  auto* moments = new QComboBox(box);
  moments->addItems({TrainingFilm::tr("All moments"), TrainingFilm::tr("Marks only")});
  describe(
      moments, TrainingFilm::tr("Which moments"),
      TrainingFilm::tr("A picture for every moment, or only for the first, the last, and each from which on a word "
                       "of the output stays as it ends."));
  auto* size = new QComboBox(box);
  for (const QSize each : {chosen->size, QSize(1920, 1080), QSize(854, 480)})
    size->addItem(TrainingFilm::tr("%1 × %2 pixels").arg(each.width()).arg(each.height()), each);
  describe(size, TrainingFilm::tr("Size"), TrainingFilm::tr("Of each picture."));
  QObject::connect(moments, &QComboBox::currentIndexChanged, box, [chosen](int at) { chosen->marks_only = at == 1; });
  QObject::connect(size, &QComboBox::currentIndexChanged, box,
                   [chosen, size] { chosen->size = size->currentData().toSize(); });
  auto* moment = milliseconds_field(box, &chosen->moment_ms, TrainingFilm::tr("A moment is seen for"),
                                    TrainingFilm::tr("Of animated pictures: how long it takes to the next one."));
  auto* mark = milliseconds_field(box, &chosen->mark_ms, TrainingFilm::tr("A mark is seen for"),
                                  TrainingFilm::tr("Of animated pictures: longer, so that what changed can be read."));
  form->addRow(TrainingFilm::tr("Which moments"), moments);
  form->addRow(TrainingFilm::tr("Size"), size);
  form->addRow(TrainingFilm::tr("A moment is seen for"), moment);
  form->addRow(TrainingFilm::tr("A mark is seen for"), mark);
  return box;
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
  const auto chosen = std::make_shared<FilmSettings>();
  const auto make = [=, shown = QPointer(shown)](const QString& path) {
    if (!shown || shown->empty()) return;
    try {
      make_film(parent, new TrainingFilm(shown, paint, path, *chosen, parent), path, done);
    } catch (const std::exception& error) {
      done(QString::fromUtf8(error.what()), {});
    }
  };
  ask_where_to_write(parent,
                     {"export",
                      TrainingFilm::tr("Export the training as an animation"),
                      QStringLiteral("training.gif"),
                      {TrainingFilm::tr("Animated picture for slides and the web (*.gif)"),
                       TrainingFilm::tr("Numbered pictures, one for each moment (*.png)")}},
                     make, film_fields(chosen));
}

}  // namespace headlight
