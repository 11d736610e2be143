package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.StatisticsKeys;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * The intermediate result of a sampling.
 *
 * @param sketch the statistics so far
 * @param next where it resumes
 * @param density the rows per byte of the estimated size
 * @param owed the value of {@link Walk#owed}
 */
record Draft(KeySketch sketch, Key next, Density density, double owed) {
  private static final int FORMAT = 3;
  private static final int PIECE_BYTES = 90_000;

  /** This draft at another place of the walk. */
  Draft at(Key other, double nowOwed) {
    return new Draft(sketch, other, density, nowOwed);
  }

  /** This draft with another density. */
  Draft with(Density other) {
    return new Draft(sketch, next, other, owed);
  }

  void write(Transaction tx, StatisticsKeys keys) {
    byte[] all =
        Tuple.of(FORMAT, next.toByteArray())
            .nest(density.toTuple())
            .nest(sketch.toTuple())
            .append(owed)
            .pack();
    tx.clear(keys.drafts());
    for (int i = 0; i * PIECE_BYTES < all.length; i++) {
      int from = i * PIECE_BYTES;
      tx.set(
          keys.draft(i), Arrays.copyOfRange(all, from, Math.min(from + PIECE_BYTES, all.length)));
    }
  }

  static Optional<Draft> read(ReadTransaction tx, StatisticsKeys keys, KeySketch.Size size) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (KeyValue piece : tx.snapshot().scan(keys.drafts())) {
      all.writeBytes(piece.value());
    }
    if (all.size() == 0) {
      return Optional.empty();
    }
    Tuple tuple = Tuple.unpack(all.toByteArray());
    return tuple.getInt(0) != FORMAT
        ? Optional.empty()
        : Optional.of(
            new Draft(
                KeySketch.parse(tuple.getTuple(3), size),
                Key.of(tuple.getBytes(1)),
                Density.parse(tuple.getTuple(2)),
                tuple.getDouble(4)));
  }
}
