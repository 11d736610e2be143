package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a type, or the rows of an index, whose statistics are collected.
 *
 * @param name the name of the type or index
 * @param id its number in keys
 * @param type the type that it is, or is over
 * @param space where the rows are
 * @param columns the columns that keys begin with
 * @param records whether these are records, whose keys have one more element for pieces
 */
record Target(
    String name, int id, TypeSpec type, Subspace space, List<ColumnSpec> columns, boolean records) {
  /** All types, and the indexes that can be read. */
  static List<Target> all(Space space, ReadTransaction tx) {
    SpaceState state = space.state(tx);
    List<Target> targets = new ArrayList<>();
    for (RecordType<?> type : space.schema().types()) {
      targets.add(
          new Target(
              type.name(),
              state.header().typeId(type.name()),
              type.spec(),
              state.typeKeys(type.name()).space(),
              type.spec().primaryKey().stream().map(ColumnSpec::of).toList(),
              true));
    }
    for (IndexSpec index : space.schema().indexes()) {
      if (state.state(index.name()).isReadable()) {
        targets.add(
            new Target(
                index.name(),
                state.header().index(index.name()).id(),
                space.schema().type(index.type()).orElseThrow().spec(),
                state.indexKeys(index.name()).entries(),
                columns(index),
                false));
      }
    }
    return targets;
  }

  /** Totals have one row for a group, others have all columns in their keys. */
  private static List<ColumnSpec> columns(IndexSpec index) {
    IndexKind kind = index.kind();
    return switch (kind) {
      case VALUE, VERSION, MIN, MAX, RANK, TEXT -> index.columns();
      case COUNT, COUNT_NOT_NULL, COUNT_UPDATES, SUM, AVERAGE, MIN_EVER, MAX_EVER ->
          index.columns().subList(0, index.groupColumns());
    };
  }

  /** Where the rows are. */
  KeyRange rows() {
    return space.prefixRange();
  }
}
