package dev.tidemark.embedded.internal.read;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.spi.scan.ScanPortion;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The scans of one transaction. While the program goes through a portion of a long scan, another
 * thread reads the next one.
 */
public final class ReadAhead {
  /** After a portion of so many bytes, a read of the next one is likely. */
  private static final int LONG_PORTION_BYTES = 64 << 10;

  private final PinnedVersion pinned;
  private final AtomicReference<@Nullable Next> next = new AtomicReference<>();

  /** The portion of a scan that goes on at {@code begin}, or at {@code end} in reverse. */
  private record Next(
      Key begin, Key end, int rows, int bytes, boolean reverse, FutureTask<ScanPortion> reading) {
    boolean answers(Key from, Key to, int rowsMax, int bytesMax, boolean backward) {
      return rows <= rowsMax
          && bytes <= bytesMax
          && reverse == backward
          && begin.equals(from)
          && end.equals(to);
    }
  }

  public ReadAhead(PinnedVersion pinned) {
    this.pinned = pinned;
  }

  /** A portion of the rows from {@code begin} (included) to {@code end} (excluded). */
  public ScanPortion scan(Key begin, Key end, int rows, int bytes, boolean reverse) {
    FutureTask<ScanPortion> ahead = take(begin, end, rows, bytes, reverse);
    ScanPortion portion = ahead == null ? read(begin, end, rows, bytes, reverse) : await(ahead);
    if (portion.more() && portion.rows().size() < rows && bytes >= LONG_PORTION_BYTES) {
      Key last = portion.rows().getLast().key();
      readOn(
          reverse ? begin : last.next(),
          reverse ? last : end,
          rows - portion.rows().size(),
          bytes,
          reverse);
    }
    return portion;
  }

  /** What was read ahead for this very portion, to be used once; null if nothing was. */
  private @Nullable FutureTask<ScanPortion> take(
      Key begin, Key end, int rows, int bytes, boolean reverse) {
    Next ahead = next.get();
    return ahead != null
            && ahead.answers(begin, end, rows, bytes, reverse)
            && next.compareAndSet(ahead, null)
        ? ahead.reading()
        : null;
  }

  private void readOn(Key begin, Key end, int rows, int bytes, boolean reverse) {
    FutureTask<ScanPortion> reading =
        new FutureTask<>(() -> read(begin, end, rows, bytes, reverse));
    next.set(new Next(begin, end, rows, bytes, reverse, reading));
    Thread.startVirtualThread(reading);
  }

  private ScanPortion read(Key begin, Key end, int rows, int bytes, boolean reverse) {
    return pinned.scan(begin.unsafeBytes(), end.unsafeBytes(), rows, bytes, reverse);
  }

  private static ScanPortion await(FutureTask<ScanPortion> reading) {
    reading.run(); // On this thread, if the other one has not begun yet.
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return reading.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failure.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
