package dev.tidemark.records.internal;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.RecordType;

/** Applies the delete rules of those who refer to records of one type. */
final class Relations {
  Relations(Space space, RecordType<?> target) {}

  /** Does what the relationships say before the record with {@code primaryKey} is deleted. */
  void beforeDelete(Transaction tx, Tuple primaryKey) {}
}
