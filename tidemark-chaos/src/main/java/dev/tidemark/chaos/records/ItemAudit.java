package dev.tidemark.chaos.records;

import dev.tidemark.chaos.run.Findings;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.Scrubber;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of stored items with the journal, and of every index with the items.
 *
 * <p>Each writer's lines have no gap and contain all that was acknowledged. The items, and the
 * commit that saved each last, are what the lines leave. Indexes are recounted here and looked at
 * by the scrubber; those about the past are counted from the journal.
 */
final class ItemAudit {
  private final EmbeddedDatabase database;
  private final RecordStore<Item> store;
  private final Findings findings = new Findings();
  private final Map<Integer, Long> last = new HashMap<>();
  private final Map<Long, Stored> items = new TreeMap<>();
  private final Map<String, LongSummaryStatistics> savedEver = new HashMap<>();
  private final Map<Message.Acknowledged, Boolean> missing = new HashMap<>();

  private record Stored(Item item, Versionstamp stamp) {}

  private ItemAudit(EmbeddedDatabase database) {
    this.database = database;
    this.store = Items.open(database);
  }

  /**
   * Returns what is wrong. {@code acknowledged} is what the last process reported before it was
   * killed.
   */
  static Findings of(EmbeddedDatabase database, List<Message.Acknowledged> acknowledged) {
    database.verify();
    ItemAudit audit = new ItemAudit(database);
    audit.replay(acknowledged);
    audit.checkUntold(acknowledged);
    database.read(
        tx -> {
          audit.checkItems(tx);
          audit.checkIndexes(tx);
          return true;
        });
    audit.scrub();
    return audit.findings;
  }

  // ---- the journal

  private void replay(List<Message.Acknowledged> acknowledged) {
    acknowledged.forEach(commit -> missing.put(commit, true));
    Journal.read(database, this::replay);
    missing.keySet().forEach(commit -> findings.lost(String.valueOf(commit)));
  }

  private void replay(Journal.Line line) {
    long before = last.getOrDefault(line.writer(), 0L);
    if (line.sequence() != before + 1) {
      findings.torn(
          "writer %d has number %d after number %d"
              .formatted(line.writer(), line.sequence(), before));
    }
    last.put(line.writer(), line.sequence());
    missing.remove(new Message.Acknowledged(line.writer(), line.sequence(), line.stamp()));
    int saves = 0;
    for (Journal.Step step : line.steps()) {
      switch (step) {
        case Journal.Step.Saved(var item) -> {
          items.put(item.id(), new Stored(item, nth(line.stamp(), saves++)));
          savedEver
              .computeIfAbsent(item.team(), team -> new LongSummaryStatistics())
              .accept(item.amount());
        }
        case Journal.Step.Deleted(var id) -> items.remove(id);
      }
    }
  }

  /** The version of the record that a commit saved after {@code saves} others. */
  private static Versionstamp nth(Versionstamp commit, int saves) {
    return Versionstamp.of(commit.version(), commit.batch(), saves);
  }

  /** A writer can be at most one commit ahead of what it has told. */
  private void checkUntold(List<Message.Acknowledged> acknowledged) {
    Map<Integer, Long> told = new HashMap<>();
    acknowledged.forEach(commit -> told.merge(commit.writer(), commit.sequence(), Math::max));
    told.forEach(
        (writer, sequence) -> {
          long stored = last.getOrDefault(writer, 0L);
          if (stored > sequence + 1) {
            findings.torn(
                "writer %d has number %d, but told of no more than %d"
                    .formatted(writer, stored, sequence));
          }
        });
  }

  // ---- the items

  private void checkItems(ReadTransaction tx) {
    Map<Long, Stored> wanted = new TreeMap<>(items);
    for (Item item : new Recount(tx, store).items()) {
      Versionstamp stamp = store.version(tx, item.id()).orElseThrow();
      Stored stored = wanted.remove(item.id());
      if (stored == null || !stored.item().equals(item) || !stored.stamp().equals(stamp)) {
        findings.torn("there is %s of %s; the journal says %s".formatted(item, stamp, stored));
      }
    }
    wanted.values().forEach(item -> findings.lost(String.valueOf(item)));
  }

  // ---- the indexes

  private void checkIndexes(ReadTransaction tx) {
    Recount recount = new Recount(tx, store);
    store
        .space()
        .indexes()
        .states(tx)
        .forEach(
            (name, state) -> {
              if (state.isReadable()) {
                recount.check(name).forEach(findings::broken);
              }
            });
    checkPast("item_updates_kept", recount, LongSummaryStatistics::getCount);
    checkPast("item_min_ever_kept", recount, LongSummaryStatistics::getMin);
    checkPast("item_max_ever_kept", recount, LongSummaryStatistics::getMax);
  }

  /** Something that the past of a team amounts to. */
  @FunctionalInterface
  private interface Total {
    Object of(LongSummaryStatistics amounts);
  }

  private void checkPast(String name, Recount recount, Total total) {
    Map<List<@Nullable Object>, Object> wanted = new HashMap<>();
    savedEver.forEach((team, amounts) -> wanted.put(List.of(team), total.of(amounts)));
    Recount.compare(name, recount.groups(name), wanted).forEach(findings::broken);
  }

  private void scrub() {
    ScrubReport report = Scrubber.of(store.space(), options -> options).run();
    if (report.wrong() > 0 || !report.complete()) {
      findings.broken("the scrubber says " + report);
    }
  }
}
