package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Codec;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.ReplicatedMap.Change;
import dev.tidemark.pulse.ReplicatedMap.Kind;
import dev.tidemark.pulse.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How copies of a map hear of writes: handlers, missed changes and expiry, on any store. */
public abstract class MapNewsConformance extends MapSuite {
  /** For subclasses. */
  protected MapNewsConformance() {}

  /**
   * Runs {@code writes} in such a way that copies that are open now do not get them from the feed,
   * because their connection is cut or the log they missed was trimmed. By default it just runs
   * them.
   */
  protected void unheard(Runnable writes) {
    writes.run();
  }

  private static Change<String, String> changed(String key, String value) {
    return new Change<>(Kind.CHANGE, Optional.of(key), Optional.of(value));
  }

  private static Change<String, String> deleted(String key) {
    return new Change<>(Kind.DELETE, Optional.of(key), Optional.empty());
  }

  private static Change<String, String> reset() {
    return new Change<>(Kind.RESET, Optional.empty(), Optional.empty());
  }

  @Test
  void handlerHearsOfChangesDeletesAndResets() {
    ReplicatedMap<String, String> map = map();
    ReplicatedMap<String, String> other = elsewhere();
    List<Kind> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription = map.onChange(heard::add)) {
      other.set("key", "value");
      eventually("a change", () -> heard.contains(Kind.CHANGE));
      other.delete("key");
      eventually("a delete", () -> heard.contains(Kind.DELETE));
      other.reset();
      eventually("a reset", () -> heard.contains(Kind.RESET));
      assertThat(subscription.isEnded()).isFalse();
    }
    int before = heard.size();
    map.setAndWait("key", "later", WAIT);
    assertThat(heard).as("after the end").hasSize(before);
  }

  @Test
  void resetIsNotHiddenByAnEarlierChange() throws Exception {
    ReplicatedMap<String, String> map = map();
    List<Kind> heard = new CopyOnWriteArrayList<>();
    CountDownLatch goOn = new CountDownLatch(1);
    try (Subscription subscription =
        map.onChange(
            kind -> {
              heard.add(kind);
              await(goOn);
            })) {
      for (int i = 0; i < 50; i++) {
        map.set("key-" + i, "value");
      }
      map.reset();
      map.setAndWait("last", "value", WAIT);
      goOn.countDown();
      eventually("a reset", () -> heard.contains(Kind.RESET));
      assertThat(heard).as("fifty changes come as few").hasSizeLessThan(10);
      assertThat(subscription.failure()).isEmpty();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void handlerThatLeavesItsThreadInterruptedHearsOfWhatFollows() {
    ReplicatedMap<String, String> map = map();
    List<Change<String, String>> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription =
        map.onEntry(
            change -> {
              heard.add(change);
              Thread.currentThread().interrupt();
            })) {
      for (int i = 0; i < 3; i++) {
        String value = "value-" + i;
        map.set("key", value);
        eventually(value, () -> heard.contains(changed("key", value)));
      }
      assertThat(subscription.isEnded()).isFalse();
    }
  }

  @Test
  void entryHandlerGetsEveryChangeInOrder() {
    ReplicatedMap<String, String> map = map();
    map.setAndWait("before", "x", WAIT);
    ReplicatedMap<String, String> other = elsewhere();
    List<Change<String, String>> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription = map.onEntry(heard::add)) {
      for (int i = 0; i < 20; i++) {
        other.set("key", "value-" + i);
      }
      other.delete("key");
      other.reset();
      other.set("end", "x");
      eventually("the last change", () -> heard.contains(changed("end", "x")));
      assertThat(subscription.isEnded()).isFalse();
    }
    assertThat(heard).hasSize(23).startsWith(changed("key", "value-0"), changed("key", "value-1"));
    assertThat(heard).endsWith(deleted("key"), reset(), changed("end", "x"));
  }

  @Test
  void equalValueIsAnnouncedAndAWriteWithoutEffectIsNot() {
    ReplicatedMap<String, String> map = map();
    map.set("key", "value");
    map.append("list", List.of("a"));
    map.setAndWait("before", "x", WAIT);
    ReplicatedMap<String, String> other = elsewhere();
    List<Change<String, String>> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription = map.onEntry(heard::add)) {
      assertThat(other.set("key", "value")).contains("value");
      assertThat(other.setIfAbsent("key", "another")).isFalse();
      assertThat(other.testAndSet("key", "wrong", "another").done()).isFalse();
      assertThat(other.testAndDelete("key", "wrong").done()).isFalse();
      assertThat(other.delete("absent")).isEmpty();
      assertThat(other.append("list", List.of())).containsExactly("a");
      assertThat(other.appendUnique("list", List.of("a"))).containsExactly("a");
      assertThat(other.removeValues("list", List.of("b")).removedAny()).isFalse();
      assertThat(other.testAndReset(Map.of("key", "wrong"))).isFalse();
      other.set("end", "x");
      eventually("the last change", () -> heard.contains(changed("end", "x")));
      assertThat(subscription.isEnded()).isFalse();
    }
    assertThat(heard).containsExactly(changed("key", "value"), changed("end", "x"));
  }

  @Test
  void handlerThatThrowsEndsItsSubscriptionOnly() {
    ReplicatedMap<String, String> map = map();
    List<Kind> heard = new CopyOnWriteArrayList<>();
    IllegalStateException failure = new IllegalStateException("by intention");
    try (Subscription healthy = map.onChange(heard::add);
        Subscription failing =
            map.onEntry(
                change -> {
                  throw failure;
                })) {
      map.set("key", "value");
      eventually("the end", failing::isEnded);
      assertThat(failing.failure()).containsSame(failure);
      map.delete("key");
      eventually("a delete", () -> heard.contains(Kind.DELETE));
      assertThat(healthy.isEnded()).isFalse();
    }
  }

  @Test
  void stalledHandlerKeepsNobodyWaiting() throws Exception {
    ReplicatedMap<String, String> map = map();
    CountDownLatch never = new CountDownLatch(1);
    Subscription stalled = map.onEntry(change -> await(never));
    for (int i = 0; i < 20; i++) {
      map.setAndWait("key", "value-" + i, WAIT);
    }
    within(
        Duration.ofSeconds(5),
        "closing",
        () -> {
          map.close();
          return true;
        });
    assertThat(stalled.isEnded()).isTrue();
  }

  @Test
  void closeEndsSubscriptions() {
    ReplicatedMap<String, String> map = map();
    Subscription kinds = map.onChange(kind -> {});
    Subscription entries = map.onEntry(change -> {});

    map.close();

    assertThat(kinds.isEnded()).isTrue();
    assertThat(entries.isEnded()).isTrue();
    assertThat(kinds.failure()).isEmpty();
  }

  @Test
  void copyThatMissedWritesIsRightAgainWithoutAnotherWrite() {
    ReplicatedMap<String, String> map = map();
    map.setAndWait("stays", "1", WAIT);
    map.setAndWait("goes", "1", WAIT);
    List<Change<String, String>> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription = map.onEntry(heard::add)) {
      unheard(
          () -> {
            ReplicatedMap<String, String> other = elsewhere();
            other.set("changes", "1");
            other.set("changes", "2");
            other.delete("goes");
          });
      eventuallyHas(map, Map.of("stays", "1", "changes", "2"));
      eventually(
          () -> "the changes: " + heard,
          () -> heard.contains(changed("changes", "2")) && heard.contains(deleted("goes")));
      assertThat(heard).doesNotContain(reset(), changed("stays", "1"));
      assertThat(subscription.isEnded()).isFalse();
    }
  }

  @Test
  void resetThatWasMissedIsStillAnnounced() {
    ReplicatedMap<String, String> map = map();
    map.setAndWait("old", "1", WAIT);
    List<Kind> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription = map.onChange(heard::add)) {
      unheard(
          () -> {
            ReplicatedMap<String, String> other = elsewhere();
            other.reset();
            other.set("old", "1");
          });
      eventually("a reset", () -> heard.contains(Kind.RESET));
      eventuallyHas(map, Map.of("old", "1"));
      assertThat(subscription.isEnded()).isFalse();
    }
  }

  @Test
  void destroyThatWasMissedIsSeenAsAReset() {
    ReplicatedMap<String, String> map = map();
    map.setAndWait("old", "1", WAIT);
    List<Kind> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription = map.onChange(heard::add)) {
      unheard(
          () -> {
            ReplicatedMap<String, String> other = elsewhere();
            other.destroy();
            other.set("new", "2");
          });
      eventuallyHas(map, Map.of("new", "2"));
      eventually("a reset", () -> heard.contains(Kind.RESET));
      assertThat(subscription.isEnded()).isFalse();
    }
  }

  @Test
  void absoluteTimeToLiveIsNotExtendedByWrites() {
    ReplicatedMap<String, String> map =
        pulse()
            .map(
                "sessions",
                Codec.TEXT,
                Codec.TEXT,
                options -> options.withTimeToLive(Duration.ofMillis(900)));
    ReplicatedMap<String, String> other = another().map("sessions");
    List<Kind> heard = new CopyOnWriteArrayList<>();
    try (Subscription subscription = other.onChange(heard::add)) {
      map.setAndWait("a", "1", WAIT);
      pause(Duration.ofMillis(500));
      map.set("b", "2");
      pause(Duration.ofMillis(500));
      eventuallyHas(map, Map.of());
      eventuallyHas(other, Map.of());
      eventually("a reset", () -> heard.contains(Kind.RESET));
      assertThat(subscription.isEnded()).isFalse();
    }
    assertThat(map.set("a", "3")).as("before the first write of the new life").isEmpty();
    eventuallyHas(other, Map.of("a", "3"));
  }

  @Test
  void slidingTimeToLiveIsExtendedByWrites() {
    ReplicatedMap<String, String> map =
        pulse()
            .map(
                "sessions",
                Codec.TEXT,
                Codec.TEXT,
                options -> options.withSlidingTimeToLive(Duration.ofSeconds(4)));
    map.setAndWait("a", "1", WAIT);
    for (int i = 0; i < 6; i++) {
      pause(Duration.ofMillis(750));
      assertThat(map.set("b", "2"))
          .as("write " + i)
          .isEqualTo(i == 0 ? Optional.empty() : Optional.of("2"));
    }
    assertThat(map.get("a")).as("4.5 seconds after it was set").contains("1");
    eventuallyHas(map, Map.of());
  }
}
