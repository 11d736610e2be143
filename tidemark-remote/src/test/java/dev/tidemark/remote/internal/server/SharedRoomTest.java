package dev.tidemark.remote.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SharedRoomTest {
  /** Half of it for all, and 25 for each. */
  private final SharedRoom room = new SharedRoom(200, 4);

  private final AtomicLong greedy = new AtomicLong();
  private final AtomicLong modest = new AtomicLong();
  private final SharedRoom.Part greedyPart = room.new Part(greedy::get);
  private final SharedRoom.Part modestPart = room.new Part(modest::get);

  @Test
  void oneMayTakeTheHalfForAllAndOthersKeepTheirShare() {
    greedy.set(99);
    assertThat(greedyPart.countAndHasRoom(99)).isTrue();
    greedy.set(100);
    assertThat(greedyPart.countAndHasRoom(100)).isFalse();
    modest.set(24);
    assertThat(modestPart.countAndHasRoom(24)).isTrue();
    modest.set(25);
    assertThat(modestPart.countAndHasRoom(25)).isFalse();
    assertThat(room.held()).isEqualTo(125);
  }

  @Test
  void whoHoldsNothingHasRoomHoweverManyThereAre() {
    SharedRoom small = new SharedRoom(10, 1_000);
    SharedRoom.Part full = small.new Part(() -> 1_000);
    SharedRoom.Part empty = small.new Part(() -> 0);
    assertThat(full.countAndHasRoom(1_000)).isFalse();
    assertThat(empty.countAndHasRoom(0)).isTrue();
  }

  @Test
  void roomIsThereAgainWhenTheOthersHoldLess() {
    greedy.set(100);
    greedyPart.count();
    modest.set(30);
    assertThat(modestPart.countAndHasRoom(30)).isFalse();
    greedy.set(0);
    greedyPart.count();
    assertThat(modestPart.countAndHasRoom(30)).isTrue();
    assertThat(room.held()).isEqualTo(30);
  }

  @Test
  void nothingIsCountedTwiceOrForgottenWhenManyCountAtOnce() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < 20_000; n++) {
                      greedy.addAndGet(7);
                      greedyPart.count();
                      greedy.addAndGet(-7);
                      greedyPart.count();
                    }
                    greedy.addAndGet(3);
                    greedyPart.count();
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(room.held()).isEqualTo(8 * 3);
  }
}
