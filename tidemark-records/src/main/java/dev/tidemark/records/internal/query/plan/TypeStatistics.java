package dev.tidemark.records.internal.query.plan;

import java.util.Optional;

/** What is known, or guessed, about the records of a type. */
public interface TypeStatistics {
  /** How many records there are. */
  double rows();

  /** How many bytes a record has on average. */
  double recordBytes();

  /** What is known about the primary keys, taken as an index of all records. */
  Optional<IndexStatistics> primaryKey();

  /** What is known about the entries of {@code index}. */
  Optional<IndexStatistics> index(String index);

  /** Nothing is known: the planner guesses. */
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
