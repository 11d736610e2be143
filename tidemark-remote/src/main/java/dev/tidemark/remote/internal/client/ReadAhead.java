package dev.tidemark.remote.internal.client;

import dev.tidemark.kv.spi.scan.ScanPortion;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The scan of a transaction that read last, which is likely to go on. Scans that take turns in one
 * transaction ask for each portion when they come to it.
 */
final class ReadAhead {
  private final RemoteReads reads;
  private final AtomicReference<@Nullable RowStream> latest = new AtomicReference<>();

  ReadAhead(RemoteReads reads) {
    this.reads = reads;
  }

  /** Reads of {@code wanted} up to about {@code bytes}. */
  ScanPortion scan(RowStream.Portion wanted, int bytes) {
    RowStream before = latest.getAndSet(null);
    RowStream rows =
        before != null && before.goesOnWith(wanted)
            ? before
            : new RowStream(reads, reads.known(), wanted, bytes);
    ScanPortion read = rows.take(bytes);
    if (read.more()) {
      latest.set(rows);
    }
    return read;
  }
}
