package dev.tidemark.records.internal.query.run;

/** Asks a condition of records as they are stored. */
@FunctionalInterface
interface RecordTest {
  /** Whether it is true of the record whose wire format begins at {@code start}. */
  boolean holds(byte[] wire, int start);
}
