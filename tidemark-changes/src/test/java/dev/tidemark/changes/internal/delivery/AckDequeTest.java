package dev.tidemark.changes.internal.delivery;

import static dev.tidemark.changes.ScriptedSource.number;
import static dev.tidemark.changes.ScriptedSource.position;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.changes.internal.watermark.Frontier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
      entries.add(deque.append(new Entry(change, 10)));
    }
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
      entries.add(deque.append(new Entry(change, 10)));
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
