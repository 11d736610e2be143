package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Reader;
import dev.tidemark.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * What the suites of streams, sinks, maps and pools share: a {@link Pulse} for each test, others on
 * the same store that stand for other processes, and waiting for what happens in its own time.
 *
 * <p>A store passes the suites by a subclass of each that says how to open it.
 */
public abstract class PulseConformance {
  /** How long a test waits for something that has to happen. */
  protected static final Duration PATIENCE = Eventually.PATIENCE;

  /** The clock of the tests. */
  protected static final TimeSource TIME = TimeSource.system();

  private final List<Pulse> opened = new ArrayList<>();
  private @Nullable Pulse pulse;

  /** For subclasses. */
  protected PulseConformance() {}

  /**
   * Opens a pulse on the store of the running test. Each test has a store of its own, or an empty
   * one; all pulses that one test opens are on the same.
   */
  protected abstract Pulse open();

  /** Closes all pulses of the test. */
  @AfterEach
  final void closePulses() {
    opened.reversed().forEach(Pulse::close);
    opened.clear();
    pulse = null;
  }

  /** The pulse of the test, opened when it is first asked for. */
  protected final Pulse pulse() {
    synchronized (opened) {
      if (pulse == null) {
        pulse = another();
      }
      return pulse;
    }
  }

  /** Another pulse on the same store, like another process; closed after the test. */
  protected final Pulse another() {
    synchronized (opened) {
      Pulse fresh = open();
      opened.add(fresh);
      return fresh;
    }
  }

  /** The UTF-8 bytes of {@code text}. */
  protected static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The text with these UTF-8 bytes. */
  protected static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Waits until {@code condition} holds; fails, naming {@code what}, if it does not in time. */
  protected static void eventually(String what, BooleanSupplier condition) {
    eventually(() -> what, condition);
  }

  /** As {@link #eventually(String, BooleanSupplier)}, with a message made when it is needed. */
  protected static void eventually(Supplier<String> what, BooleanSupplier condition) {
    Eventually.eventually(what, condition);
  }

  /** The next events of {@code reader}, as soon as there are any. */
  protected static List<Event> next(Reader reader) {
    List<Event> events = new ArrayList<>();
    eventually("an event comes to the reader", () -> events.addAll(reader.read()));
    return events;
  }

  /** Lets {@code duration} pass, for what must not happen in that time. */
  protected static void pause(Duration duration) {
    Eventually.pause(duration);
  }

  /**
   * Runs {@code action} and fails if it takes longer than {@code atMost}, without the time in which
   * this process got no processor.
   */
  protected static <T> T within(Duration atMost, String what, Callable<T> action) throws Exception {
    Duration stalled = Stalls.total();
    long begin = TIME.nanos();
    T result = action.call();
    Duration took = Duration.ofNanos(TIME.nanos() - begin).minus(Stalls.total().minus(stalled));
    if (took.compareTo(atMost) > 0) {
      throw new AssertionError("%s took %s, more than %s".formatted(what, took, atMost));
    }
    return result;
  }
}
