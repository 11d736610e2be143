package dev.tidemark.chaos.records;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.query.Group;
import dev.tidemark.records.query.IndexEntry;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.TextQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the indexes of items must hold, counted from a scan of all items in plain Java, and compared
 * with what they do hold.
 */
final class Recount {
  private static final int RICH = 500;

  private final ReadTransaction tx;
  private final RecordStore<Item> store;
  private final List<Item> items;
  private final Map<String, LongSummaryStatistics> teams = new TreeMap<>();

  /** Scans all items at the version of {@code tx}. */
  Recount(ReadTransaction tx, RecordStore<Item> store) {
    this.tx = tx;
    this.store = store;
    this.items = store.scan(tx).toList();
    for (Item item : items) {
      teams.computeIfAbsent(item.team(), team -> new LongSummaryStatistics()).accept(item.amount());
    }
  }

  List<Item> items() {
    return items;
  }

  /** What is wrong with the index called {@code name}; nothing where its items cannot tell. */
  List<String> check(String name) {
    return switch (name) {
      case "item_badge" -> entries(name, item -> Stream.of(entry(item, List.of(), item.badge())));
      case "item_team_amount" ->
          entries(
              name,
              item -> Stream.of(entry(item, List.of(item.badge()), item.team(), item.amount())));
      case "item_tag" ->
          entries(name, item -> item.tags().stream().map(tag -> entry(item, List.of(), tag)));
      case "item_rich" ->
          entries(
              name,
              item ->
                  item.amount() < RICH
                      ? Stream.of()
                      : Stream.of(entry(item, List.of(), item.amount())));
      case "item_version" ->
          entries(
              name,
              item ->
                  Stream.of(
                      entry(
                          item,
                          List.of(),
                          item.team(),
                          store.version(tx, item.id()).orElseThrow())));
      case "item_count" ->
          compare(name, groups(name), Map.of(List.of(), (Object) (long) items.size()));
      case "item_team_count" -> teams(name, LongSummaryStatistics::getCount);
      case "item_sum" -> teams(name, LongSummaryStatistics::getSum);
      case "item_min" -> teams(name, LongSummaryStatistics::getMin);
      case "item_max" -> teams(name, LongSummaryStatistics::getMax);
      case "item_average" -> teams(name, LongSummaryStatistics::getAverage);
      case "item_noted" -> compare(name, groups(name), counts(item -> item.note() != null));
      case "item_rank" -> ranks(name);
      case "item_words" -> words(name);
      case "item_updates" -> bounds(name, (team, value) -> value >= team.getCount());
      case "item_min_ever" -> bounds(name, (team, value) -> value <= team.getMin());
      case "item_max_ever" -> bounds(name, (team, value) -> value >= team.getMax());
      default -> List.of();
    };
  }

  // ---- entries

  private static IndexEntry entry(Item item, List<Object> covering, Object... columns) {
    return new IndexEntry(List.of(columns), covering, Tuple.of(item.id()));
  }

  private List<String> entries(String name, Function<Item, Stream<IndexEntry>> of) {
    List<IndexEntry> stored = store.scanIndex(tx, name, IndexRange.ALL).toList();
    Set<IndexEntry> wanted = new HashSet<>(items.stream().flatMap(of).toList());
    List<String> problems = new ArrayList<>();
    for (IndexEntry entry : stored) {
      if (!wanted.remove(entry)) {
        problems.add("%s has %s, which no item gives".formatted(name, entry));
      }
    }
    wanted.forEach(entry -> problems.add("%s lacks %s".formatted(name, entry)));
    return problems;
  }

  /** For every team and every word that notes may end with, the items that search finds. */
  private List<String> words(String name) {
    List<String> problems = new ArrayList<>();
    for (String team : teams.keySet()) {
      for (String word : Item.TAGS) {
        List<Long> found =
            store.search(tx, name, TextQuery.all(word), team).map(Item::id).sorted().toList();
        List<Long> wanted =
            items.stream()
                .filter(item -> item.team().equals(team) && hasWord(item, word))
                .map(Item::id)
                .sorted()
                .toList();
        if (!found.equals(wanted)) {
          problems.add(
              "%s finds '%s' of %s in %s, not in %s".formatted(name, word, team, found, wanted));
        }
      }
    }
    return problems;
  }

  private static boolean hasWord(Item item, String word) {
    String note = item.note();
    return note != null && note.endsWith(" " + word);
  }

  // ---- totals

  private List<String> teams(String name, Function<LongSummaryStatistics, Object> total) {
    Map<List<@Nullable Object>, Object> wanted = new HashMap<>();
    teams.forEach((team, amounts) -> wanted.put(List.of(team), total.apply(amounts)));
    return compare(name, groups(name), wanted);
  }

  private Map<List<@Nullable Object>, Object> counts(Predicate<Item> which) {
    Map<List<@Nullable Object>, Object> counts = new HashMap<>();
    items.stream()
        .filter(which)
        .forEach(item -> counts.merge(List.of(item.team()), 1L, (a, b) -> (Long) a + (Long) b));
    return counts;
  }

  /** The groups of an index by their keys. */
  Map<List<@Nullable Object>, Object> groups(String name) {
    Map<List<@Nullable Object>, Object> groups = new HashMap<>();
    store.groups(tx, name).forEach((Group group) -> groups.put(group.key(), group.value()));
    return groups;
  }

  /** Differences, but for groups of zero: whether such a group is there says nothing. */
  static List<String> compare(
      String name,
      Map<List<@Nullable Object>, Object> stored,
      Map<List<@Nullable Object>, Object> wanted) {
    Set<List<@Nullable Object>> keys = new HashSet<>(stored.keySet());
    keys.addAll(wanted.keySet());
    return keys.stream()
        .filter(key -> !stored.getOrDefault(key, 0L).equals(wanted.getOrDefault(key, 0L)))
        .map(
            key ->
                "%s has %s for %s; the items give %s"
                    .formatted(name, stored.get(key), key, wanted.get(key)))
        .toList();
  }

  /** Whether a number about the past fits the team as it is now. */
  @FunctionalInterface
  private interface Fits {
    boolean test(LongSummaryStatistics team, long value);
  }

  private List<String> bounds(String name, Fits fits) {
    Map<List<@Nullable Object>, Object> stored = groups(name);
    List<String> problems = new ArrayList<>();
    teams.forEach(
        (team, amounts) -> {
          Object value = stored.get(List.of(team));
          if (value == null || !fits.test(amounts, (Long) value)) {
            problems.add("%s has %s for %s, which has %s".formatted(name, value, team, amounts));
          }
        });
    return problems;
  }

  // ---- ranks

  private List<String> ranks(String name) {
    List<String> problems = new ArrayList<>();
    Map<String, Long> next = new HashMap<>();
    items.stream()
        .sorted(Comparator.comparingLong(Item::amount).thenComparingLong(Item::id))
        .forEach(
            item -> {
              long wanted = next.merge(item.team(), 1L, Long::sum) - 1;
              long stored = store.rank(tx, name, item.id()).orElse(-1);
              if (stored != wanted) {
                problems.add("%s has %s at %d, not %d".formatted(name, item, stored, wanted));
              }
            });
    teams.forEach(
        (team, amounts) -> {
          if (store.atRank(tx, name, amounts.getCount(), team).isPresent()) {
            problems.add("%s has more than %d of %s".formatted(name, amounts.getCount(), team));
          }
        });
    return problems;
  }
}
