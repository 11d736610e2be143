package dev.tidemark.pulse.internal.kv;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.PulseNames;
import dev.tidemark.pulse.internal.kv.rows.Expiries;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds names by the keys: one read for each, however many rows it has. */
public final class KvNames {
  private KvNames() {}

  /** The names in {@code space}. */
  public static PulseNames of(Database database, Subspace space) {
    List<String> streams =
        names(database, space.sub(Expiries.STREAM)).stream()
            .filter(name -> hasBegun(database, space.sub(Expiries.STREAM, name)))
            .toList();
    return new PulseNames(
        streams,
        names(database, space.sub(Expiries.MAP)),
        names(database, space.sub(KvBackend.POOL)));
  }

  /** Readers with a name may wait for a stream that has not begun. */
  private static boolean hasBegun(Database database, Subspace stream) {
    return database.read(tx -> tx.get(new StreamSpace(stream).life())).isPresent();
  }

  private static List<String> names(Database database, Subspace kind) {
    List<String> names = new ArrayList<>();
    KeyRange all = kind.range();
    Optional<KeyValue> row = first(database, all);
    while (row.isPresent()) {
      String name = kind.unpack(row.get().key()).getString(0);
      names.add(name);
      Key next = kind.sub(name).prefixRange().end();
      row = first(database, KeyRange.of(next, all.end()));
    }
    return names;
  }

  private static Optional<KeyValue> first(Database database, KeyRange range) {
    return database.read(tx -> tx.scan(range).limit(1).first());
  }
}
