package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.coordination.KeyWait;
import dev.tidemark.coordination.StoreClock;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.internal.kv.rows.StoredEvent;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import dev.tidemark.pulse.internal.spi.StreamStore;
import java.time.Duration;
import java.util.List;

/** Reads a stream of Tidemark's store and waits at its end. */
final class KvTail implements StreamStore.Tail {
  private final StoreClock clock;
  private final StreamSpace space;
  private final EventScan scan;
  private final EventTimes times;
  private final StreamTrimmer trimmer;
  private final KeyWait wait;

  KvTail(
      Database database,
      StoreClock clock,
      StreamSpace space,
      EventScan scan,
      EventTimes times,
      StreamTrimmer trimmer) {
    this.clock = clock;
    this.space = space;
    this.scan = scan;
    this.times = times;
    this.trimmer = trimmer;
    this.wait = new KeyWait(database, space.added());
  }

  @Override
  public List<Event> after(EventId position, int max, Duration block) {
    return times.date(
        trimmer.read(walks -> wait.until(block, tx -> look(tx, position, max, walks))));
  }

  private List<StoredEvent> look(Transaction tx, EventId position, int max, boolean walks) {
    StreamHead head = StreamHead.read(tx.snapshot(), space);
    return head.lives(clock::now) ? scan.after(tx, head, position, max, walks).events() : List.of();
  }

  @Override
  public void close() {
    wait.close();
  }
}
