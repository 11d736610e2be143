package dev.tidemark.chaos.records;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What every writer of items has done, commit by commit. Each commit writes its own line, so that
 * the lines tell what the items must be.
 */
final class Journal {
  private static final Subspace LINES = Subspace.of("journal");
  private static final int PORTION = 2_000;

  private Journal() {}

  /** What became of one item. */
  sealed interface Step {
    /** It was saved. */
    record Saved(Item item) implements Step {}

    /** It was deleted. */
    record Deleted(long id) implements Step {}
  }

  /** One commit of a writer. */
  record Line(int writer, long sequence, Versionstamp stamp, List<Step> steps) {}

  static void write(Transaction tx, int writer, long sequence, List<Step> steps) {
    List<Object> parts = new ArrayList<>();
    parts.add(Versionstamp.incomplete(0));
    for (Step step : steps) {
      parts.add(
          switch (step) {
            case Step.Saved(var item) -> item.toTuple();
            case Step.Deleted(var id) -> Tuple.of(id);
          });
    }
    tx.mutate(
        MutationType.SET_VERSIONSTAMPED_VALUE,
        LINES.pack(writer, sequence),
        Tuple.copyOf(parts).packWithVersionstamp());
  }

  static Optional<Line> line(ReadTransaction tx, int writer, long sequence) {
    Key key = LINES.pack(writer, sequence);
    return tx.get(key).map(value -> line(new KeyValue(key, value)));
  }

  /** The number of the last commit of {@code writer}; zero for none. */
  static long last(ReadTransaction tx, int writer) {
    return tx.scan(LINES.range(Tuple.of(writer)))
        .reverse()
        .first()
        .map(row -> LINES.unpack(row.key()).getLong(1))
        .orElse(0L);
  }

  /** Shows {@code reader} all lines, those of each writer in order. */
  static void read(Database database, Consumer<Line> reader) {
    KeyRange rest = LINES.range();
    while (true) {
      KeyRange range = rest;
      List<KeyValue> rows = database.read(tx -> tx.scan(range).limit(PORTION).list());
      if (rows.isEmpty()) {
        return;
      }
      rows.forEach(row -> reader.accept(line(row)));
      rest = KeyRange.of(rows.getLast().key().next(), rest.end());
    }
  }

  private static Line line(KeyValue row) {
    Tuple place = LINES.unpack(row.key());
    Tuple parts = Tuple.unpack(row.value());
    List<Step> steps = new ArrayList<>();
    for (int i = 1; i < parts.size(); i++) {
      Tuple step = parts.getTuple(i);
      steps.add(
          step.size() == 1 ? new Step.Deleted(step.getLong(0)) : new Step.Saved(Item.of(step)));
    }
    return new Line(place.getInt(0), place.getLong(1), parts.getVersionstamp(0), steps);
  }
}
