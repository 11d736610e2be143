package dev.tidemark.records.internal.query.run;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.match.EntryColumns;
import dev.tidemark.records.internal.query.match.EntryRow;
import dev.tidemark.records.internal.query.match.PackedLeaves;
import dev.tidemark.records.internal.query.match.RecordTests;
import dev.tidemark.records.internal.query.match.RowTest;
import dev.tidemark.records.internal.query.match.RowTests;
import dev.tidemark.records.internal.query.match.WireTests;
import dev.tidemark.records.internal.space.TypeView;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** The tests of the conditions of a plan, with the values of one call. Used by one thread. */
final class ConditionTests {
  private final TypeView<?> view;
  private final ExecutionCache prepared;
  private final Bindings bindings;

  ConditionTests(TypeView<?> view, ExecutionCache prepared, Bindings bindings) {
    this.view = view;
    this.prepared = prepared;
    this.bindings = bindings;
  }

  /** The conjunction of {@code parts}, without those that are always true. */
  static Condition and(Condition... parts) {
    List<Condition> all = new ArrayList<>();
    for (Condition part : parts) {
      if (!part.equals(Condition.TRUE)) {
        all.add(part);
      }
    }
    return Normalizer.all(all);
  }

  /** The test of {@code condition} on entries with {@code columns}. */
  RowTest<EntryRow> ofEntry(EntryColumns columns, Condition condition) {
    return RowTests.of(condition, new PackedLeaves(columns), bindings);
  }

  /** The test of {@code condition} on records, on their bytes if possible. */
  RecordTest ofRecord(Condition condition) {
    if (condition.equals(Condition.TRUE)) {
      return (wire, start) -> true;
    }
    Optional<WireTests> onWire = prepared.test(condition);
    if (onWire.isPresent()) {
      WireTests.WireTest test = onWire.get().with(bindings);
      return (wire, start) -> test.holds(wire, start, wire.length - start);
    }
    RowTest<Object> test = RecordTests.of(view.type(), condition).with(bindings);
    return (wire, start) -> test.holds(Objects.requireNonNull(view.decode(wire, start)));
  }

  /** The test of {@code condition} on hits of any kind. */
  Predicate<Hit> ofHit(Condition condition) {
    RecordTest onRecord = ofRecord(condition);
    IdentityHashMap<EntryColumns, RowTest<EntryRow>> onEntries = new IdentityHashMap<>();
    return hit ->
        switch (hit) {
          case Hit.Loaded loaded -> onRecord.holds(loaded.wire(), loaded.start());
          case Hit.Covering covering ->
              onEntries
                  .computeIfAbsent(covering.columns(), columns -> ofEntry(columns, condition))
                  .holds(covering.row());
        };
  }
}
