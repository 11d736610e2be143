package dev.tidemark.embedded.internal.storage;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.MemTableInfo;

/** Is called when RocksDB has begun another log, on the thread of the write that caused it. */
final class LogWatch extends AbstractEventListener {
  private final Runnable changed;

  LogWatch(Runnable changed) {
    super(EnabledEventCallback.ON_MEMTABLE_SEALED);
    this.changed = changed;
  }

  @Override
  public void onMemTableSealed(MemTableInfo sealed) {
    changed.run();
  }
}
