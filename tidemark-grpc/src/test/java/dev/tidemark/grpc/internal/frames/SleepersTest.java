package dev.tidemark.grpc.internal.frames;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SleepersTest {
  private final List<Thread> threads = new ArrayList<>();
  private final Sleepers sleepers = new Sleepers();
  private volatile boolean over;

  /** Starts threads that park until it is over, and waits until they do. */
  private void start(Thread.Builder kind, int count) throws InterruptedException {
    CountDownLatch started = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      threads.add(
          kind.start(
              () -> {
                started.countDown();
                while (!over) {
                  LockSupport.park(this);
                }
              }));
    }
    started.await();
  }

  private void joinAll() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void allAreWokenFewOrMany() throws InterruptedException {
    for (int count : new int[] {1, 3, 4, 100}) {
      over = false;
      threads.clear();
      Sleepers some = new Sleepers();
      start(Thread.ofVirtual(), count);
      start(Thread.ofPlatform(), count);
      over = true;
      threads.forEach(some::add);
      some.wake();
      joinAll();
    }
  }

  @Test
  void threadsOfTheMachineDoNotWaitForVirtualOnes() throws InterruptedException {
    start(Thread.ofPlatform(), 10);
    over = true;
    threads.forEach(sleepers::add);
    joinAll();
  }

  @Test
  void nobodyIsNoThread() {
    sleepers.add(null);
    sleepers.wake();
  }
}
