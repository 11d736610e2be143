package dev.tidemark.records.internal.migration;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Optional;

/**
 * The stored state of a step of migrations.
 *
 * @param number its index among the steps when it began
 * @param place where it resumes; empty at the beginning
 * @param records the number of processed records
 * @param begunMicros when it began
 * @param doneMicros when it was done; 0 if it is not
 */
record MigrationState(int number, Key place, long records, long begunMicros, long doneMicros) {
  private static final int FORMAT = 1;

  static Optional<MigrationState> read(ReadTransaction tx, Key key) {
    return tx.get(key).map(MigrationState::parse);
  }

  private static MigrationState parse(byte[] bytes) {
    Tuple tuple = Tuple.unpack(bytes);
    return new MigrationState(
        tuple.getInt(1),
        Key.of(tuple.getBytes(2)),
        tuple.getLong(3),
        tuple.getLong(4),
        tuple.getLong(5));
  }

  byte[] toBytes() {
    return Tuple.of(FORMAT, number, place.toByteArray(), records, begunMicros, doneMicros).pack();
  }

  boolean isDone() {
    return doneMicros != 0;
  }

  MigrationState at(Key other, long more) {
    return new MigrationState(number, other, records + more, begunMicros, doneMicros);
  }

  MigrationState doneAt(long micros) {
    return new MigrationState(number, Key.EMPTY, records, begunMicros, micros);
  }
}
