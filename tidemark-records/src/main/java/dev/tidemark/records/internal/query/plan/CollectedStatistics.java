package dev.tidemark.records.internal.query.plan;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.statistics.KeyStatistics;
import dev.tidemark.records.internal.statistics.SpaceStatistics;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.Optional;

/** The collected statistics of a type. */
public final class CollectedStatistics implements TypeStatistics {
  private final RecordType<?> type;
  private final List<IndexSpec> indexes;
  private final KeyStatistics records;
  private final SpaceStatistics all;

  private CollectedStatistics(
      RecordType<?> type, List<IndexSpec> indexes, KeyStatistics records, SpaceStatistics all) {
    this.type = type;
    this.indexes = indexes;
    this.records = records;
    this.all = all;
  }

  /** The statistics of {@code type} that {@code tx} sees in {@code space}; maybe unknown. */
  public static TypeStatistics of(Space space, ReadTransaction tx, RecordType<?> type) {
    SpaceStatistics all = SpaceStatistics.of(space, tx);
    Optional<KeyStatistics> records = all.type(type.name());
    boolean unknown =
        records.isEmpty() || records.get().rows() == 0; // every plan costs nothing then
    return unknown
        ? TypeStatistics.UNKNOWN
        : new CollectedStatistics(type, space.schema().indexes(), records.get(), all);
  }

  @Override
  public double rows() {
    return records.rows();
  }

  @Override
  public double recordBytes() {
    return records.averageBytes();
  }

  @Override
  public Optional<IndexStatistics> primaryKey() {
    List<ColumnSpec> columns = type.spec().primaryKey().stream().map(ColumnSpec::of).toList();
    return Optional.of(new CollectedKeys(records, columns));
  }

  @Override
  public Optional<IndexStatistics> index(String index) {
    return all.index(index)
        .flatMap(
            known ->
                indexes.stream()
                    .filter(spec -> spec.name().equals(index))
                    .findFirst()
                    .map(spec -> new CollectedKeys(known, spec.columns())));
  }
}
