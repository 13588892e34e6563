#include "app/classroom/paper/paper_pages.h"

#include <QCoreApplication>
#include <QPageSize>

#include "widgets/export/export.h"

namespace headlight {

PaperPages::PaperPages(const QString& title, QSize size) : size_(size) {
  buffer_.open(QIODevice::WriteOnly);
  writer_ = std::make_unique<QPdfWriter>(&buffer_);  // embeds the glyphs that are used
  writer_->setTitle(title);
  writer_->setCreator(QCoreApplication::applicationName());
  writer_->setResolution(96);
  writer_->setPageSize(QPageSize(QSizeF(size) * 72 / 96, QPageSize::Point, QString(), QPageSize::ExactMatch));
  writer_->setPageMargins(QMarginsF());
  painter_ = std::make_unique<QPainter>(writer_.get());
  painter_->setRenderHint(QPainter::Antialiasing);
}

void PaperPages::write(const QString& path) {
  painter_->end();
  export_bytes(path, buffer_.data());
}

}  // namespace headlight
