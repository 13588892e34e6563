// What the page of our sentences is made of; for its own files alone.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QString>

#include "app/lab/data/forget_box.h"
#include "app/lab/data/incoming_sentences.h"
#include "app/lab/data/needed_panel.h"
#include "app/lab/data/sentences_page.h"
#include "app/lab/data/sentences_table.h"
#include "app/lab/data/word_bank_panel.h"

namespace headlight {

struct SentencesPage::Parts {
  QLabel *title = nullptr, *summary = nullptr, *said = nullptr, *probe = nullptr, *names = nullptr, *keys = nullptr,
         *train_why = nullptr;
  QPushButton *open = nullptr, *paste = nullptr, *save = nullptr, *add = nullptr, *keep_out = nullptr, *train = nullptr;
  QLineEdit *source = nullptr, *target = nullptr;
  SentencesTable* table = nullptr;
  WordBankPanel* bank = nullptr;
  NeededPanel* needed = nullptr;
  ForgetBox* forget = nullptr;
  IncomingSentences* incoming = nullptr;
  QString bank_file;       // empty: one that is built in
  bool restoring = false;  // what was kept is still being read: it is not to be written over
};

}  // namespace headlight
