package dev.tidemark.bench.pulse;

import dev.tidemark.bench.measure.Contestant;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A stream to which a given number of events has been added, with a sink that keeps up. */
public final class StreamGrowth implements AutoCloseable {
  private static final int LENGTH_MAX = 1_000;
  private static final int FILL_EVENTS = 500;
  private static final int EVENTS = 100;
  private static final byte[] PAYLOAD = new byte[64];

  private final EmbeddedDatabase database;
  private final Pulse pulse;
  private final EventStream stream;
  private final Sink sink;

  /**
   * A stream in a store in {@code directory} after {@code events} events.
   *
   * @param bounded whether it keeps a thousand, or all
   */
  public StreamGrowth(Path directory, boolean bounded, int events) {
    this.database = EmbeddedDatabase.open(directory);
    this.pulse = Pulse.on(database);
    this.stream =
        pulse.stream("grown", o -> bounded ? o.withLengthMax(LENGTH_MAX) : o.keepingAll());
    this.sink =
        stream.sink("all", o -> o.withBatchMax(FILL_EVENTS).withBlock(Duration.ofMillis(100)));
    for (int done = 0; done < events; done += FILL_EVENTS) {
      pass(FILL_EVENTS);
    }
  }

  /** Adds events, a hundred in a commit, takes them from the sink and acknowledges them. */
  public Contestant passes() {
    return Contestant.loop(() -> pass(EVENTS));
  }

  private void pass(int events) {
    database.run(
        tx -> {
          for (int i = 0; i < events; i++) {
            stream.add(tx, "grown", "", PAYLOAD);
          }
        });
    for (int left = events; left > 0; ) {
      List<Event> batch = sink.read();
      sink.ackAll(batch);
      left -= batch.size();
    }
  }

  @Override
  public void close() {
    try (database;
        pulse) {
      sink.close();
    }
  }
}
