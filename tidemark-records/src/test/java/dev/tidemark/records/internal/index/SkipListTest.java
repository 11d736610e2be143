package dev.tidemark.records.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The counts in the nodes of a skip list. */
class SkipListTest {
  private static final Subspace ENTRIES = Subspace.of("entries");
  private static final Subspace NODES = Subspace.of("nodes");
  private static final Tuple GROUP = Tuple.of("g");

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final SkipList list = new SkipList(ENTRIES, NODES);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void oneElementInSixteenReachesEachNextLevel() {
    long[] reached = new long[SkipList.LEVELS + 1];
    LongStream.range(0, 65_536)
        .forEach(value -> reached[SkipList.topLevel(Tuple.of(value, "k" + value % 7))]++);
    assertThat(reached[0]).isBetween(61_000L, 62_000L);
    assertThat(reached[1]).isBetween(3_500L, 4_200L);
    assertThat(reached[2]).isBetween(180L, 320L);
  }

  /**
   * Half of the elements have nodes, and two transactions work at a time. Each seed takes other
   * elements, and so other neighbours.
   */
  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void anyTwoTransactionsAtATimeLeaveWhatOneAfterTheOtherWould(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Tuple> elements = elements(random);
    for (int i = 0; i < 600; i++) {
      try (Transaction one = database.begin();
          Transaction two = database.begin()) {
        change(one, elements, random);
        change(two, elements, random);
        one.commit();
        two.commit();
      } catch (ConflictException secondLost) {
        // Only what was committed counts.
      }
      database.run(this::checkCounts);
    }
  }

  private static List<Tuple> elements(SplittableRandom random) {
    List<Tuple> plain = new ArrayList<>();
    List<Tuple> promoted = new ArrayList<>();
    while (plain.size() < 12 || promoted.size() < 12) {
      Tuple element = Tuple.of(random.nextInt(1_000));
      (SkipList.topLevel(element) == 0 ? plain : promoted).add(element);
    }
    List<Tuple> both = new ArrayList<>(plain.subList(0, 12));
    both.addAll(promoted.subList(0, 12));
    return both;
  }

  private void change(Transaction tx, List<Tuple> elements, SplittableRandom random) {
    Tuple element = elements.get(random.nextInt(elements.size()));
    if (random.nextBoolean()) {
      list.add(tx, GROUP, element);
    } else {
      list.remove(tx, GROUP, element);
    }
  }

  private void checkCounts(ReadTransaction tx) {
    List<Tuple> elements =
        tx.scan(ENTRIES.sub(GROUP).range()).stream()
            .map(row -> ENTRIES.sub(GROUP).unpack(row.key()))
            .toList();
    for (int level = 1; level <= SkipList.LEVELS; level++) {
      assertThat(nodes(tx, level)).as("level %d", level).isEqualTo(expected(elements, level));
    }
    for (int i = 0; i < elements.size(); i++) {
      assertThat(list.countBefore(tx, GROUP, elements.get(i))).isEqualTo(i);
      assertThat(list.at(tx, GROUP, i)).contains(GROUP.concat(elements.get(i)));
    }
  }

  private static Map<Tuple, Long> nodes(ReadTransaction tx, int level) {
    Subspace nodes = NODES.sub(GROUP, level);
    TreeMap<Tuple, Long> counts = new TreeMap<>();
    for (KeyValue row : tx.scan(nodes.prefixRange())) {
      counts.put(nodes.unpack(row.key()), LittleEndian.number(row.value()));
    }
    return counts;
  }

  private static Map<Tuple, Long> expected(List<Tuple> elements, int level) {
    TreeMap<Tuple, Long> counts = new TreeMap<>();
    Tuple node = Tuple.EMPTY;
    for (Tuple element : elements) {
      node = SkipList.topLevel(element) >= level ? element : node;
      counts.merge(node, 1L, Long::sum);
    }
    return counts;
  }
}
