package dev.tidemark.changes.internal.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.ScriptedSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class OutletsTest {
  private final ScriptedSource source = new ScriptedSource(1, 1);
  private final Gate gate = new Gate();
  private final List<Runnable> workers = new ArrayList<>();
  private final List<DataChange> handled = new CopyOnWriteArrayList<>();
  private final PartitionRow partition =
      PartitionRow.created(1, "p0", List.of(), ScriptedSource.position(1), Instant.EPOCH);
  private final AckDeque deque =
      new AckDeque(
          ResumePoint.at(ScriptedSource.position(1)), source::compare, new Budget(1_000_000));

  private Outlet outlet(OrderMode mode, Call call) {
    return Outlets.of(
        mode,
        workers::add,
        call,
        gate,
        failure -> {
          throw new AssertionError(failure);
        },
        source::compare,
        1,
        4,
        new ReentrantLock());
  }

  private PendingDelivery read() {
    source.commit(0);
    DataChange change = source.committed().getLast();
    Entry entry = deque.append(new Entry(change, 10, false));
    return new PendingDelivery(change, partition, deque, entry, failure -> {});
  }

  @Test
  void asManyWorkersStartAfterAPauseAsWithoutIt() {
    Outlet outlet = outlet(OrderMode.UNORDERED, deliveries -> {});
    gate.pause();
    outlet.add(List.of(read(), read(), read()));
    outlet.add(List.of(read()));
    outlet.add(List.of(read()));
    assertThat(workers).isEmpty();
    gate.resume();
    outlet.wake();
    assertThat(workers).hasSize(4);
  }

  @Test
  void partitionThatComesBackWaitsForTheCallThatIsUnderWay() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Outlet outlet =
        outlet(
            OrderMode.PARTITION,
            deliveries -> {
              begun.countDown();
              goOn.await();
              deliveries.forEach(each -> handled.add(each.change()));
            });
    outlet.add(List.of(read()));
    Thread worker = Thread.ofVirtual().start(workers.removeFirst());
    begun.await();
    outlet.forget("p0");
    outlet.add(List.of(read()));
    assertThat(workers).as("calls beside the one that is under way").isEmpty();
    goOn.countDown();
    worker.join();
    assertThat(handled).hasSize(2);
    outlet.forget("p0");
    outlet.add(List.of(read()));
    assertThat(workers).hasSize(1);
  }
}
