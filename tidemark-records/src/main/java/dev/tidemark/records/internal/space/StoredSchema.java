package dev.tidemark.records.internal.space;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The stored schema, in pieces that fit values. */
public final class StoredSchema {
  private static final int PIECE_BYTES = 90_000;

  private StoredSchema() {}

  /** The schema that a store was last opened with, with dynamic records. */
  public static Schema read(ReadTransaction tx, StoreKeys keys) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (KeyValue piece : tx.scan(keys.schema().prefixRange())) {
      all.writeBytes(piece.value());
    }
    if (all.size() == 0) {
      throw new SchemaException(
          "There is no store at %s; open it with its schema first".formatted(keys.header()));
    }
    return SchemaBytes.decode(all.toByteArray());
  }

  /** Replaces the stored schema by {@code description}, which {@link SchemaBytes} serialized. */
  public static void write(Transaction tx, StoreKeys keys, byte[] description) {
    Subspace pieces = keys.schema();
    tx.clear(pieces.prefixRange());
    for (int i = 0; i * PIECE_BYTES < description.length; i++) {
      int from = i * PIECE_BYTES;
      tx.set(
          pieces.pack(i),
          Arrays.copyOfRange(description, from, Math.min(from + PIECE_BYTES, description.length)));
    }
  }
}
