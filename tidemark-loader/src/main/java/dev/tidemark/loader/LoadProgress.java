package dev.tidemark.loader;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How far a load is, for whoever watches it: on a terminal a line in place, elsewhere a line every
 * ten seconds. Closing it removes the line from the terminal.
 */
public final class LoadProgress implements AutoCloseable {
  private static final Duration ON_TERMINAL = Duration.ofMillis(500);
  private static final Duration ELSEWHERE = Duration.ofSeconds(10);

  /** Goes to the begin of the line and clears it. */
  private static final String CLEARED = "\r\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private final Supplier<String> text;
  private final Duration every;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private LoadProgress(PrintStream out, boolean terminal, Supplier<String> text, Duration every) {
    this.out = out;
    this.terminal = terminal;
    this.text = text;
    this.every = every;
    this.thread = Thread.ofVirtual().name("load-progress").start(this::show);
  }

  /**
   * Begins to show {@code text} on {@code out}.
   *
   * @param terminal whether {@code out} is a terminal, whose line can be replaced
   */
  public static LoadProgress on(PrintStream out, boolean terminal, Supplier<String> text) {
    return on(out, terminal, text, terminal ? ON_TERMINAL : ELSEWHERE);
  }

  static LoadProgress on(PrintStream out, boolean terminal, Supplier<String> text, Duration every) {
    return new LoadProgress(out, terminal, text, every);
  }

  /** What {@code statistics} say in a line. */
  public static String text(LoaderStatistics statistics) {
    return "%,d pulled, %,d merged in %,d batches, %,d dead, %,d given back; %,d wait, %,d in flight"
        .formatted(
            statistics.pulled(),
            statistics.merged(),
            statistics.batches(),
            statistics.dead(),
            statistics.nacked(),
            statistics.buffered(),
            statistics.inFlight());
  }

  private void show() {
    try {
      while (!closed.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
        String line = text.get();
        if (terminal) {
          out.print(CLEARED + line);
        } else {
          out.println(line);
        }
        out.flush();
      }
    } catch (InterruptedException interrupt) {
      // Nobody is to see more.
    }
    if (terminal) {
      out.print(CLEARED);
      out.flush();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException interrupt) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
