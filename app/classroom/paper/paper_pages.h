// Pages of a PDF that are drawn one after the other, and written when all are there.
#pragma once

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSize>
#include <QString>
#include <memory>

namespace headlight {

class PaperPages {
 public:
  PaperPages(const QString& title, QSize size);  // at 96 pixels an inch
  QPainter& painter() { return *painter_; }
  QSize size() const { return size_; }
  void turn() { writer_->newPage(); }
  void write(const QString& path);  // throws FileError

 private:
  QSize size_;
  QBuffer buffer_;
  std::unique_ptr<QPdfWriter> writer_;
  std::unique_ptr<QPainter> painter_;
};

}  // namespace headlight
