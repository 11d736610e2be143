package dev.tidemark.records.internal.opening;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.internal.store.Aggregates;
import dev.tidemark.records.internal.store.Records;
import dev.tidemark.records.maintenance.BuildProgress.Certainty;
import dev.tidemark.records.maintenance.SchemaDiff.Build;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The costs of upgrading a store to another schema. */
public interface SchemaCosts {
  /** The costs without a store: unknown. */
  SchemaCosts UNKNOWN =
      new SchemaCosts() {
        @Override
        public Build build(String type) {
          return new Build(0, Certainty.UNKNOWN, Duration.ZERO, false);
        }

        @Override
        public OptionalLong bytes(String index) {
          return OptionalLong.empty();
        }
      };

  /** The cost of a build over all records of {@code type}. */
  Build build(String type);

  /** The size of the entries of {@code index} in bytes. */
  OptionalLong bytes(String index);

  /** The costs in {@code space}. */
  static SchemaCosts of(Space space, Schema wanted) {
    return new Measured(space, wanted);
  }

  /** The costs of an existing store. */
  final class Measured implements SchemaCosts {
    private static final int RECORDS_PER_SECOND = 100_000;

    /** The number of records that are read to estimate the average size. */
    private static final int SAMPLE = 2_000;

    private final Space space;
    private final Database database;
    private final Schema wanted;

    private Measured(Space space, Schema wanted) {
      this.space = space;
      this.database = space.database();
      this.wanted = wanted;
    }

    @Override
    public Build build(String type) {
      Optional<RecordType<?>> known = space.schema().type(type);
      if (known.isEmpty() || wanted.type(type).isEmpty()) {
        return new Build(0, Certainty.EXACT, Duration.ZERO, true);
      }
      Aggregates counts = new Aggregates(space, known.get());
      return database.read(
          tx ->
              counts
                  .recordCount(tx)
                  .map(count -> build((Long) count, Certainty.EXACT))
                  .orElseGet(() -> estimated(tx, known.get())));
    }

    private Build build(long records, Certainty certainty) {
      return new Build(
          records,
          certainty,
          Duration.ofMillis(1_000 * records / RECORDS_PER_SECOND),
          records <= space.options().inlineBuildMax());
    }

    /** Estimates the number of records from the sizes of the first ones and of all. */
    private <R> Build estimated(ReadTransaction tx, RecordType<R> type) {
      TypeKeys keys = space.state(tx).typeKeys(type.name());
      StoredRows<R> rows = Records.of(space, type).rows(tx.snapshot(), keys.all());
      long bytes = 0;
      int sampled = 0;
      while (sampled < SAMPLE && rows.hasNext()) {
        bytes += rows.next().bytes();
        sampled++;
      }
      if (!rows.hasNext()) {
        return build(sampled, Certainty.EXACT);
      }
      long all = database.estimatedSize(keys.all());
      return build(Math.max(sampled, all * sampled / Math.max(1, bytes)), Certainty.ESTIMATED);
    }

    @Override
    public OptionalLong bytes(String index) {
      return OptionalLong.of(
          database.estimatedSize(
              database
                  .<SpaceState, RuntimeException>read(space::state)
                  .indexKeys(index)
                  .entries()
                  .prefixRange()));
    }
  }
}
