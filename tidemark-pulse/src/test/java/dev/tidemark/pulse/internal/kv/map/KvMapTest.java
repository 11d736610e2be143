package dev.tidemark.pulse.internal.kv.map;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.ReplicatedMap.Change;
import dev.tidemark.pulse.ReplicatedMap.Kind;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What maps do on Tidemark's own store beside what they do on any: they join transactions. */
class KvMapTest {
  private static final Subspace SPACE = Subspace.of("pulse");
  private static final Duration WAIT = Duration.ofSeconds(10);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Test
  void writesInATransactionSeeEachOtherAndHappenTogether(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map = pulse.map("flags")) {
      map.setAndWait("old", "1", WAIT);
      db.run(
          tx -> {
            assertThat(map.set(tx, "a", "1")).isEmpty();
            assertThat(map.set(tx, "a", "2")).contains("1");
            assertThat(map.increment(tx, "count", 2)).isEqualTo(2);
            assertThat(map.increment(tx, "count", 3)).isEqualTo(5);
            assertThat(map.delete(tx, "old")).contains("1");
            assertThat(map.delete(tx, "old")).isEmpty();
            assertThat(map.get("a")).as("the copy knows nothing yet").isEmpty();
          });
      map.setAndWait("after", "x", WAIT);
      assertThat(map.snapshot()).isEqualTo(Map.of("a", "2", "count", "5", "after", "x"));
    }
  }

  @Test
  void transactionThatIsNotCommittedLeavesNothing(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map = pulse.map("flags")) {
      assertThatThrownBy(
              () ->
                  db.run(
                      tx -> {
                        map.set(tx, "a", "1");
                        throw new IllegalStateException("by intention");
                      }))
          .isInstanceOf(IllegalStateException.class);

      map.setAndWait("after", "x", WAIT);
      assertThat(map.snapshot()).isEqualTo(Map.of("after", "x"));
    }
  }

  @Test
  void keyThatATransactionSetsTwiceIsOneChange(Database db) throws Exception {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map = pulse.map("flags")) {
      map.setAndWait("b", "0", WAIT);
      List<Change<String, String>> heard = new CopyOnWriteArrayList<>();
      try (Subscription subscription = map.onEntry(heard::add)) {
        db.run(
            tx -> {
              map.set(tx, "b", "1");
              map.set(tx, "a", "1");
              map.set(tx, "b", "2");
              map.delete(tx, "a");
            });
        map.setAndWait("end", "x", WAIT);
        eventually("the last change", () -> heard.size() >= 3);
        assertThat(subscription.isEnded()).isFalse();
      }
      assertThat(heard)
          .containsExactly(
              new Change<>(Kind.DELETE, Optional.of("a"), Optional.empty()),
              new Change<>(Kind.CHANGE, Optional.of("b"), Optional.of("2")),
              new Change<>(Kind.CHANGE, Optional.of("end"), Optional.of("x")));
    }
  }

  @Test
  void writesOfDifferentKeysDoNotConflict(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map = pulse.map("flags")) {
      map.set("there", "1");
      try (var first = db.begin();
          var second = db.begin()) {
        map.set(first, "a", "1");
        map.set(second, "b", "2");
        first.commit();
        second.commit();
      }
      map.setAndWait("end", "x", WAIT);
      assertThat(map.keys()).containsExactlyInAnyOrder("there", "a", "b", "end");
    }
  }

  @Test
  void destroyLeavesNothingInTheStore(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map =
            pulse.map(
                "flags",
                Codec.TEXT,
                Codec.TEXT,
                options -> options.withSlidingTimeToLive(Duration.ofHours(1)))) {
      map.set("a", "1");
      map.reset();
      map.set("b", "1");
      map.destroy();

      List<KeyValue> left = db.read(tx -> tx.scan(SPACE.sub("m").prefixRange()).list());
      assertThat(left).isEmpty();
    }
  }

  @Test
  void mapOfANewerFormatIsRefused(Database db) {
    Subspace rows = SPACE.sub("m", "flags");
    db.run(tx -> tx.set(rows.pack("i"), Tuple.of(2, 5).pack()));
    try (Pulse pulse = Pulse.on(db, SPACE)) {
      assertThatThrownBy(() -> pulse.map("flags"))
          .isInstanceOf(PulseException.class)
          .hasMessageContaining("format 2");
    }
  }

  @Test
  void mapsOfDifferentNamesAreApart(Database db) {
    try (Pulse pulse = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> one = pulse.map("one");
        ReplicatedMap<String, String> two = pulse.map("two")) {
      one.setAndWait("key", "1", WAIT);
      two.setAndWait("key", "2", WAIT);
      one.destroy();

      assertThat(two.increment("key", 1)).isEqualTo(3);
    }
  }

  @Test
  void readersOfACopySeeAllWritesOfATransactionOrNone(Database db) {
    int keys = 300; // more than are read from the log at a time
    try (Pulse pulse = Pulse.on(db, SPACE);
        Pulse elsewhere = Pulse.on(db, SPACE);
        ReplicatedMap<String, String> map = pulse.map("flags");
        ReplicatedMap<String, String> copy = elsewhere.map("flags")) {
      AtomicBoolean done = new AtomicBoolean();
      Queue<String> mistakes = new ConcurrentLinkedQueue<>();
      Thread reader = Thread.ofPlatform().start(() -> watch(copy, done, mistakes));
      for (int round = 1; round <= 10; round++) {
        String value = "" + round;
        db.run(
            tx -> {
              for (int i = 0; i < keys; i++) {
                map.set(tx, "key-" + i, value);
              }
            });
      }
      eventually(
          "the last one arrives", () -> copy.get("key-299").filter("10"::equals).isPresent());
      done.set(true);
      joinOrFail(reader);

      assertThat(mistakes).isEmpty();
      assertThat(copy.snapshot().values()).hasSize(keys).containsOnly("10");
    }
  }

  private static void watch(
      ReplicatedMap<String, String> copy, AtomicBoolean done, Queue<String> mistakes) {
    while (!done.get()) {
      Set<String> values = Set.copyOf(copy.snapshot().values());
      int first = copy.get("key-7").map(Integer::valueOf).orElse(0);
      int second = copy.get("key-290").map(Integer::valueOf).orElse(0);
      if (values.size() > 1 || second < first) {
        mistakes.add("%s, then %d and %d".formatted(values, first, second));
      }
    }
  }

  private static void joinOrFail(Thread thread) {
    try {
      assertThat(thread.join(WAIT)).isTrue();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new AssertionError("The test was interrupted", interrupt);
    }
  }
}
