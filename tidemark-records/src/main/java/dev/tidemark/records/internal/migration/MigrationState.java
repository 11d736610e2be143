package dev.tidemark.records.internal.migration;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Tuple;
import java.util.Optional;

/**
 * How far a step of migrations is, as it is stored under its name.
 *
 * @param number its place among the steps when it began
 * @param place where it goes on; empty at the begin
 * @param records how many records it has been through
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
