package dev.tidemark.loader.internal.engine;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.loader.LoadResult.Ending;
import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageInfo;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.SourceException;
import dev.tidemark.loader.internal.engine.Counters.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes messages from the source while there is room and time. */
final class Puller {
  private final Parts parts;
  private final Ledger ledger;
  private final RunClock clock;
  private final Settler settler;
  private final boolean untilEmpty;
  private final boolean endless;

  private int emptyInARow;
  private int failuresInARow;

  Puller(Parts parts, Ledger ledger, RunClock clock, Settler settler, RunMode mode) {
    this.parts = parts;
    this.ledger = ledger;
    this.clock = clock;
    this.settler = settler;
    this.untilEmpty = mode == RunMode.UNTIL_EMPTY;
    this.endless = mode == RunMode.FOR_EVER;
  }

  /** Pulls until the source is empty, time is up, or the run ends. */
  void run() throws InterruptedException {
    boolean begun = false;
    for (int room = ledger.awaitRoom(clock); room > 0; room = ledger.awaitRoom(clock)) {
      try {
        begun &= !ledger.takeRewind();
        if (!begun) {
          begin();
          begun = true;
        }
        if (!pull(room)) {
          return;
        }
        failuresInARow = 0;
      } catch (SourceException failure) {
        failed(failure);
      } catch (InterruptedOperationException interrupt) {
        throw interrupted(interrupt);
      }
    }
  }

  private static InterruptedException interrupted(InterruptedOperationException from) {
    InterruptedException interrupt = new InterruptedException(from.getMessage());
    interrupt.initCause(from);
    return interrupt;
  }

  private void begin() {
    parts.source().begin(parts.source().inOrder() ? position() : Optional.empty());
  }

  private Optional<String> position() {
    try {
      return parts.warehouse().position(parts.source().name());
    } catch (RuntimeException failure) {
      throw SourceException.passing("The warehouse does not tell the position", failure);
    }
  }

  /** One pull; false if it was the last one. */
  private boolean pull(int room) {
    Duration wait = clock.pullWait(parts.options().pullWait());
    if (wait.isZero()) {
      return false;
    }
    boolean idle = ledger.isIdle();
    long begin = clock.time().nanos();
    ledger.pullBegins(begin);
    List<Message> messages = parts.source().pull(room, wait);
    if (messages.isEmpty()) {
      ledger.nothingCame();
      return !isEmpty(idle);
    }
    emptyInARow = 0;
    parts.counters().add(Count.PULLED, messages.size());
    takeIn(messages, begin);
    return true;
  }

  /**
   * Maps messages in this thread, while the previous batch is merged, because all others wait for
   * the merger. The ledger has them before that, so that their leases are renewed however long a
   * mapping takes.
   */
  private void takeIn(List<Message> messages, long asked) {
    long now = clock.time().nanos();
    long bytes = 0;
    List<Delivery> deliveries = new ArrayList<>(messages.size());
    for (Message message : messages) {
      Delivery delivery = new Delivery(parts.ids().next(), message, now);
      bytes += delivery.bytes();
      deliveries.add(delivery);
    }
    parts.counters().add(Count.BYTES, bytes);
    Trace.arrived(parts.source().name(), deliveries);
    if (!ledger.arrived(deliveries, now - asked)) {
      settler.refuse(messages);
      Trace.became(MessageInfo.State.NACKED, deliveries);
      return;
    }
    deliveries.forEach(this::map);
    if (!ledger.queue(deliveries, bytes)) {
      settler.nack(deliveries, MessageInfo.State.BUFFERED, ledger.isOutOfTime());
    }
  }

  private void map(Delivery delivery) {
    try {
      Mapping.Result result = parts.mapping().map(delivery.message());
      delivery.mapped(
          result,
          result instanceof Mapping.Result.Mapped(Row row)
              ? RowKey.of(row, parts.mapping().table())
              : null);
    } catch (RuntimeException failure) {
      delivery.mapped(new Mapping.Result.Rejected(failure.toString()), null);
    }
  }

  /** Whether the run is done. What was in flight during a pull may have been given back since. */
  private boolean isEmpty(boolean idleBefore) {
    emptyInARow++;
    boolean empty = untilEmpty && idleBefore && emptyInARow >= parts.options().emptyPulls();
    if (empty) {
      ledger.end(new Ending.SourceEmpty());
    }
    return empty;
  }

  private void failed(SourceException failure) throws InterruptedException {
    parts.counters().add(Count.PULL_FAILURES, 1);
    failuresInARow++;
    boolean givenUp = !endless && failuresInARow >= parts.options().retries().attemptsMax();
    if (!failure.retryable() || givenUp) {
      ledger.end(new Ending.SourceFailed(String.valueOf(failure.getMessage())));
      return;
    }
    ledger.nothingCame();
    clock.time().sleep(Pauses.after(parts.options().retries(), failuresInARow, parts.ids().next()));
  }
}
