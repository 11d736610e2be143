package dev.tidemark.records.internal.query.run;

/** A test of stored records. */
@FunctionalInterface
interface RecordTest {
  /** Whether the record whose wire format begins at {@code start} passes. */
  boolean holds(byte[] wire, int start);
}
