package dev.tidemark.chaos.records;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Unique;
import dev.tidemark.records.schema.IndexKind;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the writers of {@code chaos records} save, with indexes of every kind. Indexes about the
 * past come twice: one that is built again and again, and one that never is and so knows it all.
 */
@Recordable(versions = true)
@Unique(fields = "badge", name = "item_badge")
@Index(
    fields = {"team", "amount desc"},
    covering = "badge",
    name = "item_team_amount")
@Index(fields = "tags[]", name = "item_tag")
@Index(fields = "amount", where = "amount >= 500", name = "item_rich")
@Index(
    fields = {},
    kind = IndexKind.COUNT,
    name = "item_count")
@Index(fields = "team", kind = IndexKind.COUNT, name = "item_team_count")
@Index(
    fields = {"team", "note"},
    kind = IndexKind.COUNT_NOT_NULL,
    name = "item_noted")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.SUM,
    name = "item_sum")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.AVERAGE,
    name = "item_average")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.MIN,
    name = "item_min")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.MAX,
    name = "item_max")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.RANK,
    name = "item_rank")
@Index(
    fields = {"team", "note"},
    kind = IndexKind.TEXT,
    name = "item_words")
@Index(fields = "team", kind = IndexKind.VERSION, name = "item_version")
@Index(fields = "team", kind = IndexKind.COUNT_UPDATES, name = "item_updates")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.MIN_EVER,
    name = "item_min_ever")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.MAX_EVER,
    name = "item_max_ever")
@Index(fields = "team", kind = IndexKind.COUNT_UPDATES, name = "item_updates_kept")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.MIN_EVER,
    name = "item_min_ever_kept")
@Index(
    fields = {"team", "amount"},
    kind = IndexKind.MAX_EVER,
    name = "item_max_ever_kept")
record Item(
    @PrimaryKey long id,
    String team,
    long amount,
    String badge,
    @Nullable String note,
    List<String> tags) {
  /** What the names of indexes end with that are never built anew. */
  static final String KEPT = "_kept";

  private static final int TEAMS = 12;
  private static final int AMOUNTS = 1_000;
  static final List<String> TAGS = List.of("red", "green", "blue", "round", "old");

  /** A new item with number {@code id}. */
  static Item draw(long id, SplittableRandom random) {
    return new Item(
        id,
        team(random),
        random.nextInt(AMOUNTS),
        "%d-%x".formatted(id, random.nextInt()),
        random.nextBoolean() ? null : "note %d of a %s".formatted(random.nextInt(), colour(random)),
        TAGS.stream().filter(tag -> random.nextInt(3) == 0).toList());
  }

  private static String colour(SplittableRandom random) {
    return TAGS.get(random.nextInt(TAGS.size()));
  }

  private static String team(SplittableRandom random) {
    return "team " + random.nextInt(TEAMS);
  }

  /** This item in another team, with nothing else changed. */
  Item moved(SplittableRandom random) {
    return new Item(id, team(random), amount, badge, note, tags);
  }

  Tuple toTuple() {
    return Tuple.of(id, team, amount, badge, note, Tuple.copyOf(tags));
  }

  static Item of(Tuple tuple) {
    return new Item(
        tuple.getLong(0),
        tuple.getString(1),
        tuple.getLong(2),
        tuple.getString(3),
        (String) tuple.get(4),
        tuple.getTuple(5).toList().stream().map(String.class::cast).toList());
  }
}
