package dev.tidemark.records.internal.query.plan;

import java.util.Optional;

/** The statistics, collected or assumed, of the records of a type. */
public interface TypeStatistics {
  /** How many records there are. */
  double rows();

  /** The average size of a record. */
  double recordBytes();

  /** The statistics of the primary keys as an index of all records. */
  Optional<IndexStatistics> primaryKey();

  /** The statistics of the entries of {@code index}. */
  Optional<IndexStatistics> index(String index);

  /** No statistics: the planner assumes. */
  TypeStatistics UNKNOWN =
      new TypeStatistics() {
        @Override
        public double rows() {
          return Guess.ROWS;
        }

        @Override
        public double recordBytes() {
          return Guess.RECORD_BYTES;
        }

        @Override
        public Optional<IndexStatistics> primaryKey() {
          return Optional.empty();
        }

        @Override
        public Optional<IndexStatistics> index(String index) {
          return Optional.empty();
        }
      };
}
