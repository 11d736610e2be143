package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.redis.internal.RedisBackend;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A server that has lost its last writes, as one that takes over from a primary can, and has got
 * others since then.
 */
class RedisRollbackTest extends PulseConformance {
  private static final Tuple TABLE = Tuple.of("jobs");
  private static final Tuple KEY = TABLE.append("a");

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  private static String command(String words) {
    return SERVER.server().command(words.split(" ", -1));
  }

  @Test
  void copyOfAMapIsRightThoughTheRevisionIsTheSame() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "lost", PATIENCE);
    command("HSET map:m:content a kept");
    command("CLIENT KILL TYPE pubsub");

    eventually(
        () -> "the copy is " + map.snapshot(), () -> map.snapshot().equals(Map.of("a", "kept")));
  }

  @Test
  void copyOfAMapIsRightAfterTheMapHasGoneWhileItCouldNotBeRead() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "1", PATIENCE);
    command("CONFIG RESETSTAT");
    command("SET map:m:content text");
    eventually(
        "the copy cannot be compared",
        () -> command("INFO errorstats").contains("errorstat_WRONGTYPE"));
    command("DEL map:m:content");

    eventually(() -> "the copy is " + map.snapshot(), () -> map.snapshot().isEmpty());
  }

  @Test
  void rowOfAPoolIsNotTakenForTheOneThatWasLost() {
    try (RedisBackend backend = RedisBackend.connect(RedisOptions.at(SERVER.uri()), TIME);
        RedisBackend other = RedisBackend.connect(RedisOptions.at(SERVER.uri()), TIME)) {
      RowStore store = backend.pool("workers");
      set(store, "before");
      copyRows("", "-saved");
      set(store, "lost");
      copyRows("-saved", "");
      set(other.pool("workers"), "kept");

      assertThat(get(store)).contains("kept");
    }
  }

  @Test
  void rangeOfAPoolIsNotTakenForTheOneThatWasLost() {
    try (RedisBackend backend = RedisBackend.connect(RedisOptions.at(SERVER.uri()), TIME)) {
      RowStore store = backend.pool("workers");
      set(store, "before");
      copyRows("", "-saved");
      set(store, "lost");
      assertThat(scan(store)).containsExactly("lost");
      copyRows("-saved", "");

      assertThat(scan(store)).containsExactly("before");
    }
  }

  private static List<String> scan(RowStore store) {
    return store.read(
        rows -> rows.scan(TABLE, 10).stream().map(row -> RedisNames.text(row.value())).toList());
  }

  private static void copyRows(String from, String to) {
    for (String key : List.of("rows", "keys", "revision")) {
      String name = RedisNames.pool("workers") + key;
      assertThat(command("COPY " + name + from + " " + name + to + " REPLACE")).isEqualTo(":1");
    }
  }

  private static void set(RowStore store, String value) {
    store.transact(
        rows -> {
          rows.set(KEY, bytes(value));
          return 0;
        });
  }

  private static Optional<String> get(RowStore store) {
    return store.read(rows -> rows.get(KEY)).map(RedisNames::text);
  }
}
