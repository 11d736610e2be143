package dev.tidemark.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.UsageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoutingTableTest {
  private static final Route LOW = route("p1", "kv", "", "g");
  private static final Route MIDDLE = route("p2", "kv", "g", "m");
  private static final Route HIGH = route("p3", "kv", "m", null);
  private static final RoutingTable TABLE = RoutingTable.of(7, List.of(HIGH, LOW, MIDDLE));

  @Test
  void routesAreSortedPerType() {
    RoutingTable table =
        RoutingTable.of(1, List.of(HIGH, route("c", "counter", "", null), LOW, MIDDLE));

    assertThat(table.routes("kv")).containsExactly(LOW, MIDDLE, HIGH);
    assertThat(table.types()).containsExactly("counter", "kv");
    assertThat(table.routes().getFirst().type()).isEqualTo("counter");
    assertThat(table.size()).isEqualTo(4);
  }

  @Test
  void aPartitionThatOccursTwiceIsRefused() {
    assertThatThrownBy(
            () ->
                RoutingTable.of(3, List.of(route("p", "kv", "", "g"), route("p", "kv", "g", null))))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("has partition p twice");
  }

  @Test
  void overlapsAreRefused() {
    assertThatThrownBy(
            () ->
                RoutingTable.of(3, List.of(route("a", "kv", "", "h"), route("b", "kv", "g", null))))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("the same keys");
  }

  @Test
  void gapsAreRefused() {
    assertThatThrownBy(() -> RoutingTable.of(3, List.of(LOW, HIGH))).hasMessageContaining("a gap");
    assertThatThrownBy(() -> RoutingTable.of(3, List.of(MIDDLE, HIGH)))
        .hasMessageContaining("no partition of kv before");
    assertThatThrownBy(() -> RoutingTable.of(3, List.of(LOW, MIDDLE)))
        .hasMessageContaining("no partition of kv after");
  }

  @Test
  void twoTypesMayHaveTheSameRanges() {
    RoutingTable table =
        RoutingTable.of(1, List.of(route("a", "kv", "", null), route("b", "counter", "", null)));

    assertThat(table.find("kv", Key.utf8("x")).orElseThrow().partition()).isEqualTo("a");
    assertThat(table.find("counter", Key.utf8("x")).orElseThrow().partition()).isEqualTo("b");
  }

  @Test
  void aStartIsIncludedAndAnEndIsNot() {
    assertThat(TABLE.find("kv", Key.EMPTY)).contains(LOW);
    assertThat(TABLE.find("kv", Key.utf8("f"))).contains(LOW);
    assertThat(TABLE.find("kv", Key.utf8("g"))).contains(MIDDLE);
    assertThat(TABLE.find("kv", Key.utf8("m"))).contains(HIGH);
    assertThat(TABLE.find("kv", Key.of((byte) 0xff, (byte) 0xff))).contains(HIGH);
    assertThat(TABLE.find("none", Key.utf8("g"))).isEmpty();
    assertThat(RoutingTable.EMPTY.find("kv", Key.EMPTY)).isEmpty();
  }

  @Test
  void partitionsAreFoundById() {
    assertThat(TABLE.partition("p2")).contains(MIDDLE);
    assertThat(TABLE.partition("p9")).isEmpty();
    assertThat(TABLE.before(MIDDLE)).contains(LOW);
    assertThat(TABLE.before(LOW)).isEmpty();
  }

  @Test
  void aRangeFindsItsPartitionsInOrder() {
    assertThat(TABLE.inRange("kv", range("a", "m"))).containsExactly(LOW, MIDDLE);
    assertThat(TABLE.inRange("kv", range("h", "i"))).containsExactly(MIDDLE);
    assertThat(TABLE.inRange("kv", range("g", "m"))).containsExactly(MIDDLE);
    assertThat(TABLE.inRange("kv", range("f", "n"))).containsExactly(LOW, MIDDLE, HIGH);
    assertThat(TABLE.inRange("kv", range("k", null))).containsExactly(MIDDLE, HIGH);
    assertThat(TABLE.inRange("kv", PartitionRange.ALL)).containsExactly(LOW, MIDDLE, HIGH);
    assertThat(TABLE.inRange("none", PartitionRange.ALL)).isEmpty();
  }

  @Test
  void everyKeyIsFoundWhereALinearSearchFindsIt() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      List<Route> routes = randomCover(random);
      RoutingTable table = RoutingTable.of(round, routes);
      for (int i = 0; i < 100; i++) {
        Key key = randomKey(random);
        Route expected =
            routes.stream().filter(r -> r.range().contains(key)).findFirst().orElseThrow();
        assertThat(table.find("kv", key)).as("seed %d", seed).contains(expected);
      }
      PartitionRange asked = PartitionRange.from(randomKey(random));
      assertThat(table.inRange("kv", asked))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(
              routes.stream().filter(r -> r.range().intersects(asked)).toList());
    }
  }

  @Test
  void aRangeWithoutKeysIsRefused() {
    assertThatThrownBy(() -> range("b", "b")).hasMessageContaining("holds no key");
    assertThat(range("b", "d").canSplitAt(Key.utf8("b"))).isFalse();
    assertThat(range("b", "d").canSplitAt(Key.utf8("d"))).isFalse();
    assertThat(range("b", "d").canSplitAt(Key.utf8("c"))).isTrue();
    assertThat(PartitionRange.ALL.canSplitAt(Key.EMPTY)).isFalse();
  }

  private static List<Route> randomCover(Random random) {
    TreeSet<Key> cuts = new TreeSet<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      cuts.add(randomKey(random));
    }
    cuts.remove(Key.EMPTY);
    List<Route> routes = new ArrayList<>();
    Key start = Key.EMPTY;
    for (Key cut : cuts) {
      routes.add(at("p" + routes.size(), PartitionRange.of(start, cut)));
      start = cut;
    }
    routes.add(at("p" + routes.size(), PartitionRange.from(start)));
    Collections.shuffle(routes, random);
    return routes;
  }

  private static Key randomKey(Random random) {
    byte[] bytes = new byte[random.nextInt(3)];
    random.nextBytes(bytes);
    return Key.of(bytes);
  }

  private static Route at(String partition, PartitionRange range) {
    return new Route(partition, "kv", range, "n", "h:1", 1);
  }

  private static PartitionRange range(String start, @Nullable String end) {
    return new PartitionRange(Key.utf8(start), Optional.ofNullable(end).map(Key::utf8));
  }

  private static Route route(String partition, String type, String start, @Nullable String end) {
    return new Route(partition, type, range(start, end), "node-1", "localhost:1", 1);
  }
}
