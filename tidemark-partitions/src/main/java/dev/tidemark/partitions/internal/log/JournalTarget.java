package dev.tidemark.partitions.internal.log;

import java.io.InputStream;

/** What a partition is loaded into. */
public interface JournalTarget {
  /** Called first, if there is a checkpoint, with the answers that were remembered then. */
  void answers(InputStream in) throws Exception;

  /** Called then, once or twice, with a state. */
  void state(InputStream in) throws Exception;

  /** Called then for each entry of the log behind the checkpoint, in order. */
  void entry(long lsn, LogRecord record) throws Exception;

  /** Makes an empty target for a partition in a tenure. */
  @FunctionalInterface
  interface Factory {
    JournalTarget create(Tenure tenure);
  }
}
