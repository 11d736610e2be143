package dev.tidemark.pulse.internal.kv.map;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.internal.kv.rows.Expiries;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapWrite;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KvMapFeedTest {
  private static final Subspace SPACE = Subspace.of("map");

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

  private final List<MapStore.Feed> feeds = new ArrayList<>();

  @AfterEach
  void closeFeeds() {
    feeds.forEach(MapStore.Feed::close);
  }

  private void follow(KvMapStore store, Consumer<MapStore.Update> listener) {
    feeds.add(store.follow(listener));
  }

  private KvMapStore store(Database db, MapOptions options) {
    return new KvMapStore(
        "flags", db, SPACE, options, now::get, new Expiries(db, Subspace.of("other"), now::get));
  }

  private static MapWrite.Set set(String key, String value) {
    return new MapWrite.Set(key, value.getBytes(StandardCharsets.UTF_8));
  }

  private static long logLength(Database db) {
    return db.read(tx -> tx.scan(SPACE.sub("c").range()).list()).size();
  }

  @Test
  void logStaysShortAndACopyBehindItLoadsTheMapAgain(Database db) throws Exception {
    KvMapStore store = store(db, MapOptions.DEFAULTS);
    List<MapStore.Update> heard = new CopyOnWriteArrayList<>();
    CountDownLatch goOn = new CountDownLatch(1);
    store.apply(set("first", "0"));
    follow(store, update -> {});
    follow(
        store(db, MapOptions.DEFAULTS),
        update -> {
          heard.add(update);
          if (heard.size() > 1) {
            await(goOn);
          }
        });
    for (int i = 0; i < 4_000; i++) {
      store.apply(set("key-" + i % 7, "value-" + i));
    }
    eventually("the log is cut", () -> logLength(db) <= 1_024 + 256);
    goOn.countDown();
    eventually("a second snapshot", () -> heard.stream().filter(this::isSnapshot).count() > 1);
    MapStore.Update.Snapshot again =
        (MapStore.Update.Snapshot) heard.stream().filter(this::isSnapshot).toList().get(1);
    assertThat(new String(again.entries().get("key-2"), StandardCharsets.UTF_8))
        .isEqualTo("value-3999");
    assertThat(again.lastReset()).isEqualTo(Key.EMPTY);
    assertThat(heard).as("not everything was heard one by one").hasSizeLessThan(2_000);
  }

  @Test
  void logOfLargeValuesIsCutByBytes(Database db) throws Exception {
    KvMapStore store = store(db, MapOptions.DEFAULTS);
    follow(store, update -> {});
    for (int i = 0; i < 200; i++) {
      store.apply(set("key", "v".repeat(80_000)));
    }
    eventually("the log is cut", () -> logLength(db) <= 63);
  }

  @Test
  void resetThatWasTrimmedAwayIsInTheSnapshot(Database db) throws Exception {
    KvMapStore store = store(db, MapOptions.DEFAULTS);
    store.apply(set("key", "1"));
    MapStore.Position reset = store.apply(new MapWrite.Reset(Map.of())).position().orElseThrow();
    List<MapStore.Update> heard = new CopyOnWriteArrayList<>();
    follow(store, heard::add);
    assertThat(((MapStore.Update.Snapshot) heard.getFirst()).lastReset())
        .isEqualTo(reset.revision());
  }

  @Test
  void expiredMapIsEmptyForCopiesAndWriters(Database db) throws Exception {
    MapOptions minute = MapOptions.DEFAULTS.withTimeToLive(Duration.ofMinutes(1));
    KvMapStore store = store(db, minute);
    List<MapStore.Update> heard = new CopyOnWriteArrayList<>();
    long first = store.apply(set("key", "1")).position().orElseThrow().incarnation();
    now.set(Instant.EPOCH.plusSeconds(61));
    follow(store, heard::add);
    assertThat(((MapStore.Update.Snapshot) heard.getFirst()).entries()).isEmpty();
    assertThat(heard.getFirst().position().incarnation()).isGreaterThan(first);

    MapStore.Outcome outcome = store.apply(set("other", "2"));

    assertThat(outcome.position().orElseThrow().incarnation()).isGreaterThan(first);
    eventually("the new life", () -> heard.size() == 2);
    assertThat(((MapStore.Update.Snapshot) heard.getLast()).entries()).containsOnlyKeys("other");
    assertThat(store.apply(new MapWrite.Delete("key")).changed()).isFalse();
  }

  @Test
  void closedFeedCallsNobody(Database db) {
    KvMapStore store = store(db, MapOptions.DEFAULTS);
    List<MapStore.Update> heard = new CopyOnWriteArrayList<>();
    MapStore.Feed feed = store.follow(heard::add);
    feed.close();
    feed.close();
    store.apply(set("key", "1"));

    assertThat(heard).hasSize(1);
  }

  private boolean isSnapshot(MapStore.Update update) {
    return update instanceof MapStore.Update.Snapshot;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
