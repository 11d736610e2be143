package dev.tidemark.pulse;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps what is logged to the documented logger until it is closed. */
final class KeptLog extends Handler implements AutoCloseable {
  static final String NAME = "dev.tidemark.pulse";

  private static final Logger LOGGER = Logger.getLogger(NAME);

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private KeptLog() {}

  static KeptLog open() {
    KeptLog kept = new KeptLog();
    LOGGER.addHandler(kept);
    return kept;
  }

  List<LogRecord> records() {
    return records;
  }

  @Override
  public void publish(LogRecord logged) {
    records.add(logged);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
  }
}
