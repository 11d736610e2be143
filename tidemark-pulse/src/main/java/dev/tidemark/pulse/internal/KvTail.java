package dev.tidemark.pulse.internal;

import dev.tidemark.coordination.KeyWait;
import dev.tidemark.coordination.StoreClock;
import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import java.time.Duration;
import java.util.List;

/** Reads a stream of Tidemark's store and waits at its end. */
final class KvTail implements StreamStore.Tail {
  private final StoreClock clock;
  private final StreamSpace space;
  private final EventScan scan;
  private final EventTimes times;
  private final KeyWait wait;

  KvTail(Database database, StoreClock clock, StreamSpace space, EventScan scan, EventTimes times) {
    this.clock = clock;
    this.space = space;
    this.scan = scan;
    this.times = times;
    this.wait = new KeyWait(database, space.added());
  }

  @Override
  public List<Event> after(EventId position, int max, Duration block) {
    return times.date(
        wait.until(
            block,
            tx -> {
              StreamHead head = StreamHead.read(tx.snapshot(), space);
              return head.lives(clock::now) ? scan.after(tx, head, position, max) : List.of();
            }));
  }

  @Override
  public void close() {
    wait.close();
  }
}
