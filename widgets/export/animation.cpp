// GIF files and numbered pictures.
#include "widgets/export/animation.h"

#include <gif_lib.h>

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "model/io/file.h"
#include "widgets/export/export.h"
#include "widgets/export/export_words.h"
#include "widgets/export/few_colours.h"

namespace headlight {

class AnimationWriter::Sink {
 public:
  virtual ~Sink() = default;
  virtual void add(const QImage& frame, int milliseconds) = 0;
  virtual void finish() = 0;
};

namespace {

[[noreturn]] void cannot_write(const QString& path, const QString& why) {
  throw FileError(ExportWords::tr("%1: cannot be written (%2)").arg(path, why).toStdString());
}

const QRegularExpression& number_place() {
  static const QRegularExpression place(QStringLiteral("%0?([1-9]?)d"));
  return place;
}

// Where two pictures of the same size differ; empty: nowhere.
QRect difference(const QImage& a, const QImage& b) {
  int top = a.height(), bottom = -1, left = a.width(), right = -1;
  for (int y = 0; y < a.height(); ++y) {
    const auto* p = reinterpret_cast<const QRgb*>(a.constScanLine(y));
    const auto* q = reinterpret_cast<const QRgb*>(b.constScanLine(y));
    const auto [first, other] = std::mismatch(p, p + a.width(), q);
    if (first == p + a.width()) continue;
    top = std::min(top, y);
    bottom = y;
    left = std::min(left, static_cast<int>(first - p));
    for (int x = a.width() - 1; x > right; --x)
      if (p[x] != q[x]) right = x;
  }
  return {QPoint(left, top), QPoint(right, bottom)};
}

class GifSink : public AnimationWriter::Sink {
 public:
  explicit GifSink(const QString& path) : path_(path), file_(path.toStdString()) {
    int problem = 0;
    gif_ = EGifOpen(this, &GifSink::write, &problem);
    if (!gif_) cannot_write(path, QString::fromUtf8(GifErrorString(problem)));
    EGifSetGifVersion(gif_, true);
  }
  ~GifSink() override {
    if (gif_) EGifCloseFile(gif_, nullptr);
  }

  void add(const QImage& frame, int milliseconds) override {
    QRect changed = frame.rect();
    if (before_.isNull()) {
      begin(frame.size());
    } else {
      changed = difference(before_, frame);
      if (changed.isEmpty()) changed = QRect(0, 0, 1, 1);  // a frame is never without pixels
    }
    put(frame.copy(changed), changed.topLeft(), milliseconds);
    before_ = frame;
  }

  void finish() override {
    check(EGifCloseFile(std::exchange(gif_, nullptr), nullptr));
    file_.commit();
  }

 private:
  // No exception may pass through a library in C: it is kept until the library has returned.
  static int write(GifFileType* gif, const GifByteType* bytes, int count) {
    auto* sink = static_cast<GifSink*>(gif->UserData);
    try {
      sink->file_.write(bytes, static_cast<std::size_t>(count));
      return count;
    } catch (...) {
      sink->problem_ = std::current_exception();
      return 0;
    }
  }
  void check(int status) {
    if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    if (status != GIF_OK)
      cannot_write(path_, ExportWords::tr("not enough memory"));  // nothing else is left that can go wrong
  }

  void begin(QSize size) {
    check(EGifPutScreenDesc(gif_, size.width(), size.height(), 8, 0, nullptr));
    const GifByteType for_ever[] = {1, 0, 0};
    check(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(gif_, 3, for_ever));
    check(EGifPutExtensionTrailer(gif_));
  }

  void put(const QImage& part, QPoint corner, int milliseconds) {
    const GraphicsControlBlock control = {DISPOSE_DO_NOT, false, std::clamp(milliseconds / 10, 2, 65535),
                                          NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, 4, bytes));
    FewColours picture = few_colours(part);
    const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map(
        GifMakeMapObject(1 << GifBitSize(static_cast<int>(picture.colours.size())), nullptr), GifFreeMapObject);
    if (!map) cannot_write(path_, ExportWords::tr("not enough memory"));
    for (std::size_t i = 0; i < picture.colours.size(); ++i) {
      const QRgb colour = picture.colours[i];
      map->Colors[i] = {static_cast<GifByteType>(qRed(colour)), static_cast<GifByteType>(qGreen(colour)),
                        static_cast<GifByteType>(qBlue(colour))};
    }
    check(EGifPutImageDesc(gif_, corner.x(), corner.y(), picture.width, picture.height, false, map.get()));
    for (int y = 0; y < picture.height; ++y)
      check(EGifPutLine(gif_, picture.pixels.data() + static_cast<std::ptrdiff_t>(y) * picture.width, picture.width));
  }

  QString path_;
  FileWriter file_;
  GifFileType* gif_ = nullptr;
  std::exception_ptr problem_;
  QImage before_;
};

class PngSink : public AnimationWriter::Sink {
 public:
  explicit PngSink(const QString& path)
      : target_(QFileInfo(path)), pattern_(target_.fileName()), folder_(target_.absolutePath().toStdString()) {
    if (!pattern_.contains(number_place())) pattern_.insert(pattern_.size() - 4, QStringLiteral("-%04d"));
  }

  void add(const QImage& frame, int) override {
    const auto place = number_place().match(pattern_);
    const QString number = QString::number(names_.size() + 1).rightJustified(place.captured(1).toInt(), '0');
    names_.push_back(QString(pattern_).replace(place.capturedStart(), place.capturedLength(), number).toStdString());
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !frame.save(&buffer, "PNG"))
      cannot_write(target_.filePath(), ExportWords::tr("not enough memory"));
    write_file_atomically(folder_.path() / names_.back(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  }

  void finish() override {
    each_target(&PngSink::check_replaceable);
    each_target(&PngSink::put_in_place);
  }

 private:
  using Path = std::filesystem::path;
  void each_target(void (PngSink::*what)(const Path&) const) const {
    for (const std::string& name : names_) {
      const Path target = target_.absolutePath().toStdString() / Path(name);
      in_plain_words(QString::fromStdString(target.string()), [&] { (this->*what)(target); });
    }
  }
  // A rename would also replace a link, a pipe or a device.
  void check_replaceable(const Path& target) const {
    std::error_code error;
    const auto type = std::filesystem::symlink_status(target, error).type();
    if (type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular)
      throw WriteError(target, "it is not a regular file");
  }
  void put_in_place(const Path& target) const {
    std::error_code error;
    std::filesystem::rename(folder_.path() / target.filename(), target, error);
    if (error) throw WriteError(target, plain_reason(error.value()));
  }

  QFileInfo target_;
  QString pattern_;
  StagingFolder folder_;  // beside the target, so that the files only have to be renamed
  std::vector<std::string> names_;
};

std::unique_ptr<AnimationWriter::Sink> sink_for(const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending == "gif") return std::make_unique<GifSink>(path);
  if (ending == "png") return std::make_unique<PngSink>(path);
  throw FileError(ExportWords::tr("%1: the ending says what to write; use .gif, or .png for numbered pictures")
                      .arg(path)
                      .toStdString());
}

}  // namespace

AnimationWriter::AnimationWriter(const QString& path) : path_(path) {
  in_plain_words(path, [&] { sink_ = sink_for(path); });
}

AnimationWriter::~AnimationWriter() = default;

bool AnimationWriter::means_animation(const QString& path) {
  const QFileInfo file(path);
  const QString ending = file.suffix().toLower();
  return ending == "gif" || (ending == "png" && file.fileName().contains(number_place()));
}

void AnimationWriter::add(const QImage& frame, int milliseconds) {
  if (frames_ == 0) size_ = frame.size();
  // GIF keeps sizes in 16 bits.
  if (size_.isEmpty() || std::max(size_.width(), size_.height()) > 65535)
    cannot_write(path_, ExportWords::tr("the pictures have %1 × %2 pixels").arg(size_.width()).arg(size_.height()));
  const QImage flat = frame.convertToFormat(QImage::Format_RGB32);
  in_plain_words(path_,
                 [&] { sink_->add(flat.size() == size_ ? flat : flat.copy(QRect(QPoint(), size_)), milliseconds); });
  ++frames_;
}

void AnimationWriter::finish() {
  if (frames_ == 0) cannot_write(path_, ExportWords::tr("there is nothing to show"));
  in_plain_words(path_, [&] { sink_->finish(); });
}

}  // namespace headlight
