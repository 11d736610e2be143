package dev.tidemark.changes.internal.delivery;

import static dev.tidemark.changes.ScriptedSource.number;
import static dev.tidemark.changes.ScriptedSource.position;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AckDequeTest {
  private final ScriptedSource source = new ScriptedSource(1, 4);
  private final Budget budget = new Budget(1_000);
  private final AckDeque deque = new AckDeque(ResumePoint.at(position(1)), source::compare, budget);
  private final List<Entry> entries = new ArrayList<>();

  /** Appends {@code count} changes, one a position from 2 on. */
  private void append(int count) {
    for (int i = 0; i < count; i++) {
      source.commit(0);
    }
    for (DataChange change : source.committed()) {
      entries.add(deque.append(new Entry(change, 10, false)));
    }
  }

  /** The change at another position. */
  private static DataChange moved(DataChange change, long position) {
    return new DataChange(
        position(position),
        change.commitTimestamp(),
        change.recordSequence(),
        change.serverTransactionId(),
        change.lastInTransactionInPartition(),
        change.table(),
        change.columnTypes(),
        change.mods(),
        change.modType(),
        change.captureType(),
        change.recordsInTransaction(),
        change.partitionsInTransaction(),
        change.transactionTag(),
        change.systemTransaction());
  }

  private void ack(int index) {
    deque.ack(List.of(entries.get(index)));
  }

  private long resume() {
    return number(deque.resume().position());
  }

  @Test
  void acknowledgementsInTheOrderThreeOneTwoMoveThePositionToNothingOneThree() {
    append(3);
    ack(2);
    assertThat(resume()).isEqualTo(1);
    ack(0);
    assertThat(resume()).isEqualTo(2);
    ack(1);
    assertThat(resume()).isEqualTo(4);
    assertThat(deque.isEmpty()).isTrue();
  }

  /** What is said of the order of positions saves comparisons, and changes nothing else. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void positionIsTheSameWhetherOrNotItIsKnownThatChangesAreLater(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AckDeque other = new AckDeque(ResumePoint.at(position(1)), source::compare, new Budget(1_000));
    List<Entry> others = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      source.commit(0);
    }
    long at = 1;
    for (DataChange committed : source.committed()) {
      boolean later = random.nextInt(3) > 0;
      at += later ? 1 : 0;
      DataChange change = moved(committed, at);
      entries.add(deque.append(new Entry(change, 1, later)));
      others.add(other.append(new Entry(change, 1, false)));
      if (random.nextInt(5) == 0) {
        Entry.Kind kind = random.nextBoolean() ? Entry.Kind.HEARTBEAT : Entry.Kind.CHILDREN;
        entries.add(deque.append(kind, change.position()));
        others.add(other.append(kind, change.position()));
      }
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, entries.size()).boxed().toList());
    Collections.shuffle(order, new Random(seed));
    for (int from = 0; from < order.size(); ) {
      List<Integer> some =
          order.subList(from, Math.min(order.size(), from + 1 + random.nextInt(40)));
      deque.ack(some.stream().map(entries::get).toList());
      other.ack(some.stream().map(others::get).toList());
      assertThat(deque.resume()).isEqualTo(other.resume());
      assertThat(deque.acked()).isEqualTo(other.acked());
      from += some.size();
    }
    assertThat(deque.isEmpty()).isTrue();
  }

  @Test
  void thousandChangesThatAreAcknowledgedAtOnceAreNotComparedOneByOne() {
    AtomicInteger compared = new AtomicInteger();
    AckDeque counted =
        new AckDeque(
            ResumePoint.at(position(1)),
            (one, two) -> {
              compared.incrementAndGet();
              return source.compare(one, two);
            },
            new Budget(100_000));
    for (int i = 0; i < 1_000; i++) {
      source.commit(0);
    }
    for (DataChange change : source.committed()) {
      entries.add(counted.append(new Entry(change, 1, true)));
    }
    counted.ack(entries);
    assertThat(number(counted.resume().position())).isEqualTo(1_001);
    assertThat(compared).hasValueLessThan(5);
  }

  @Test
  void changeThatIsNeverAcknowledgedKeepsThePosition() {
    append(100);
    for (int i = 0; i < 100; i++) {
      if (i != 1) {
        ack(i);
      }
    }
    assertThat(resume()).isEqualTo(2);
    assertThat(deque.inFlight()).isEqualTo(1);
    assertThat(budget.used()).isEqualTo(10);
  }

  @Test
  void heartbeatBehindAnUnacknowledgedChangeMovesThePositionOnlyAfterTheChange() {
    append(1);
    deque.ack(List.of(deque.append(Entry.Kind.HEARTBEAT, position(9))));
    assertThat(resume()).isEqualTo(1);
    ack(0);
    assertThat(resume()).isEqualTo(9);
    assertThat(deque.acked()).isEqualTo(Frontier.through(position(9)));
  }

  @Test
  void secondAcknowledgementAndOneAfterTheCloseHaveNoEffect() {
    append(2);
    ack(0);
    ack(0);
    assertThat(deque.inFlight()).isEqualTo(1);
    deque.close();
    ack(1);
    assertThat(resume()).isEqualTo(2);
    assertThat(budget.used()).isZero();
  }

  @Test
  void changesAtOnePositionAreNamedByTheBoundary() {
    source.commit(0, 1, 2);
    for (DataChange change : source.committed()) {
      entries.add(deque.append(new Entry(change, 10, false)));
    }
    ack(0);
    ack(2);
    assertThat(deque.resume().position()).isEqualTo(position(2));
    assertThat(deque.resume().boundary()).containsExactly("tx2/00000000/Item");
    assertThat(deque.resumeAfter(entries.get(1)).boundary()).hasSize(2);
  }

  @Test
  void overdueChangeIsReportedOnce() {
    append(2);
    assertThat(deque.deliver(entries.getFirst(), 100)).isTrue();
    assertThat(deque.overdue(100)).isEmpty();
    assertThat(deque.overdue(101)).containsExactly(entries.getFirst());
    assertThat(deque.overdue(500)).isEmpty();
  }

  @Test
  void heartbeatsBehindAnUnacknowledgedChangeDoNotGather() {
    append(1);
    for (int i = 10; i < 1_000; i++) {
      deque.appendHeartbeat(position(i));
    }
    assertThat(deque.size()).isEqualTo(2);
    assertThat(resume()).isEqualTo(1);
    ack(0);
    assertThat(deque.acked()).isEqualTo(Frontier.through(position(999)));
    assertThat(deque.size()).isZero();
  }

  @Test
  void whatIsReadAfterTheCloseTakesNothingOfTheBudget() {
    append(2);
    deque.close();
    deque.append(entries);
    assertThat(budget.used()).isZero();
  }

  @Test
  void changeThatTheProgramDidNotGetIsNotWithIt() {
    append(1);
    Entry entry = entries.getFirst();
    assertThat(deque.deliver(entry, 100)).isTrue();
    deque.withdraw(entry);
    assertThat(deque.delivered()).isZero();
    assertThat(deque.deliver(entry, 200)).isTrue();
    assertThat(deque.attempts(entry)).isEqualTo(1);
  }
}
