package dev.tidemark.node.internal.meters;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what the meters measure, as unreliable as such devices are: some readings come twice,
 * some late, and some messages are broken. It waits while the layers behind it are far behind.
 */
final class Publisher implements Runnable {
  private static final int METERS_PER_COMMIT = 100;
  private static final int LATE_MAX = 5;
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final double SECOND = 1e9;

  private final Database database;
  private final EventStream stream;
  private final int meters;
  private final int rate;
  private final BooleanSupplier behind;
  private final SplittableRandom random = new SplittableRandom();
  private final Map<Long, Published> ledger;
  private final AtomicLong count;
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;

  /**
   * A publisher of {@code rate} readings a second at most.
   *
   * @param behind whether to wait for those who read
   */
  Publisher(Database database, EventStream stream, int meters, int rate, BooleanSupplier behind) {
    this.database = database;
    this.stream = stream;
    this.meters = meters;
    this.rate = rate;
    this.behind = behind;
    this.ledger = new TreeMap<>(database.read(Published::all));
    this.count = new AtomicLong(ledger.values().stream().mapToLong(Published::count).sum());
  }

  /** Ends {@link #run} after the readings that are being published. */
  void stop() {
    stopped = true;
  }

  /** How many readings were published, in all runs. */
  long count() {
    return count.get();
  }

  @Override
  public void run() {
    try {
      long due = System.nanoTime();
      for (int from = 0;
          !stopped;
          from = from + METERS_PER_COMMIT < meters ? from + METERS_PER_COMMIT : 0) {
        int to = Math.min(meters, from + METERS_PER_COMMIT);
        publish(from, to);
        due =
            Math.max(
                due + Math.round((to - from) * SECOND / rate), System.nanoTime() - PAUSE.toNanos());
        while (!stopped && (System.nanoTime() < due || behind.getAsBoolean())) {
          Thread.sleep(PAUSE);
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error failed) {
      failure = failed;
    }
  }

  /**
   * Ends a run whose publishing has failed.
   *
   * @throws MeterDemoException if it has
   */
  void check() {
    Throwable failed = failure;
    if (failed != null) {
      throw new MeterDemoException(
          "No more readings can be published: " + failed.getMessage(), failed);
    }
  }

  /** What one commit publishes: the transaction may run several times, chance only once. */
  private static final class Round {
    private final Map<Long, Published> ledger = new TreeMap<>();
    private final List<byte[]> events = new ArrayList<>();
    private int again;
    private int broken;
    private int late;
  }

  private void publish(int from, int to) {
    Round round = new Round();
    for (long meter = from; meter < to; meter++) {
      add(round, meter, ledger.getOrDefault(meter, Published.NOTHING));
    }
    database.run(tx -> write(tx, round));
    ledger.putAll(round.ledger);
    count.addAndGet(round.events.size() - round.again - round.broken);
  }

  private void write(Transaction tx, Round round) {
    round.events.forEach(event -> stream.add(tx, "reading", "", event));
    round.ledger.forEach((meter, published) -> published.write(tx, meter));
    Tally.SENT_AGAIN.add(tx, round.again);
    Tally.SENT_BROKEN.add(tx, round.broken);
    Tally.SENT_LATE.add(tx, round.late);
  }

  private void add(Round round, long meter, Published before) {
    List<Long> late = new ArrayList<>(before.late());
    if (random.nextInt(100) == 0 && late.size() < LATE_MAX) {
      late.add(before.next());
    } else {
      send(round, meter, before.next());
    }
    if (!before.late().isEmpty() && random.nextInt(20) == 0) {
      send(round, meter, late.removeFirst());
      round.late++;
    }
    if (random.nextInt(500) == 0) {
      round.events.add(("point_id=" + meter + "&power=n/a").getBytes(UTF_8));
      round.broken++;
    }
    round.ledger.put(meter, new Published(before.next() + 1, late));
  }

  private void send(Round round, long meter, long number) {
    Message message =
        new Message(meter, LoadCurve.timestamp(number), LoadCurve.power(meter, number));
    round.events.add(message.toBytes());
    if (random.nextInt(50) == 0) {
      round.events.add(message.toBytes());
      round.again++;
    }
  }
}
