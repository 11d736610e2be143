package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** What the suites of pools share: nodes with short times, and handlers that are watched. */
public abstract class PoolConformance extends PulseConformance {
  /** The name of the pool of each test. */
  protected static final String POOL = "mailers";

  /** How long a node is believed to be alive where a test waits for the end of that. */
  protected static final Duration TTL = Duration.ofMillis(1_500);

  /** The same for all other tests: no machine stands still for so long. */
  protected static final Duration LEASE = Duration.ofSeconds(10);

  private Duration lease = LEASE;

  private final List<PoolException> errors = new CopyOnWriteArrayList<>();

  /** For subclasses. */
  protected PoolConformance() {}

  /**
   * A pulse whose way to the store can be cut, like that of a process that hangs or has lost its
   * network.
   *
   * @param pulse the pulse; closed by the test
   * @param cut cuts the way; calls then fail
   * @param restore ends that
   */
  public record CutPulse(Pulse pulse, Runnable cut, Runnable restore) implements AutoCloseable {
    @Override
    public void close() {
      restore.run();
      pulse.close();
    }
  }

  /** Gives the nodes of this test that are opened from now on another lease. */
  protected final void leaseIs(Duration time) {
    lease = time;
  }

  /** The options of the nodes of these tests. */
  protected final UnaryOperator<PoolOptions> quick() {
    return options ->
        options
            .withWorkerTtl(lease)
            .withRestartGrace(Duration.ofMillis(200))
            .withDrainTime(PATIENCE)
            .withOnError(errors::add);
  }

  /** Joins the pool with a node in a process of its own. */
  protected final PoolNode node() {
    return node(another());
  }

  /** Joins the pool with a node of {@code pulse}. */
  protected final PoolNode node(Pulse pulse) {
    return pulse.pool(POOL, quick());
  }

  /** Joins the pool only to give it work. */
  protected final PoolClient client() {
    return pulse().poolClient(POOL, quick());
  }

  /** What was told to {@code onError}. */
  protected final List<PoolException> errors() {
    return errors;
  }

  /** Keys of {@code prefix} and the numbers below {@code count}. */
  protected static Set<String> keys(String prefix, int count) {
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      keys.add(prefix + i);
    }
    return keys;
  }

  /** Dispatches a job for each key, with the key as its payload. */
  protected static void dispatchAll(PoolClient client, Set<String> keys) {
    keys.forEach(key -> client.dispatch(key, bytes(key)));
  }

  /** Waits until exactly {@code keys} run, each in one of {@code handlers}. */
  protected static void eventuallyRun(Set<String> keys, RecordingHandler... handlers) {
    eventually(
        () -> "running are " + running(handlers) + ", expected " + keys,
        () -> running(handlers).equals(List.copyOf(new TreeSet<>(keys))));
  }

  private static List<String> running(RecordingHandler... handlers) {
    return List.of(handlers).stream()
        .flatMap(handler -> handler.running().stream())
        .sorted()
        .toList();
  }

  /** Fails if a handler was called as none may be. */
  protected static void assertNoMistakes(RecordingHandler... handlers) {
    for (RecordingHandler handler : handlers) {
      assertThat(handler.mistakes()).isEmpty();
    }
  }
}
