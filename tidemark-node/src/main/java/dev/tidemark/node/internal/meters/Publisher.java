package dev.tidemark.node.internal.meters;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.EventStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Publishes what the meters measure, as unreliable as such devices are: some readings come twice,
 * some late, and some messages are broken.
 */
final class Publisher implements Runnable {
  private static final int METERS_PER_COMMIT = 50;
  private static final int LATE_MAX = 5;

  private final Database database;
  private final EventStream stream;
  private final int meters;
  private final Duration pause;
  private final SplittableRandom random = new SplittableRandom();
  private volatile boolean stopped;

  Publisher(Database database, EventStream stream, int meters, Duration pause) {
    this.database = database;
    this.stream = stream;
    this.meters = meters;
    this.pause = pause;
  }

  /** Ends {@link #run} after the reading that is being published. */
  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        for (int from = 0; from < meters && !stopped; from += METERS_PER_COMMIT) {
          int first = from;
          database.run(tx -> publish(tx, first, Math.min(meters, first + METERS_PER_COMMIT)));
        }
        Thread.sleep(pause);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void publish(Transaction tx, int from, int to) {
    for (int meter = from; meter < to; meter++) {
      Published before = Published.of(tx, meter);
      List<Long> late = new ArrayList<>(before.late());
      if (random.nextInt(100) == 0 && late.size() < LATE_MAX) {
        late.add(before.next());
      } else {
        send(tx, meter, before.next());
      }
      if (!before.late().isEmpty() && random.nextInt(20) == 0) {
        send(tx, meter, late.removeFirst());
      }
      if (random.nextInt(500) == 0) {
        stream.add(tx, "reading", "", ("point_id=" + meter + "&power=n/a").getBytes(UTF_8));
      }
      new Published(before.next() + 1, late).write(tx, meter);
    }
  }

  private void send(Transaction tx, int meter, long number) {
    Message message =
        new Message(meter, LoadCurve.timestamp(number), LoadCurve.power(meter, number));
    int times = random.nextInt(50) == 0 ? 2 : 1;
    for (int i = 0; i < times; i++) {
      stream.add(tx, "reading", "", message.toBytes());
    }
  }
}
