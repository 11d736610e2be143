package dev.tidemark.records.internal.space;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.evolution.SideBySide;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The header of a store as transactions find it.
 *
 * <p>It is cached together with the metadata version, which every change of a header raises: a
 * transaction that reads the same metadata version would read the same header. The version is that
 * of the whole database: where another space has raised it, the header and the row that collections
 * of statistics write are read and compared, and what was derived from them, such as plans, stays.
 */
final class HeaderCache {
  private final Space space;
  private final StoreKeys keys;
  private final Schema schema;
  private volatile @Nullable Cached cached;

  private record Cached(Key metadataVersion, Map<Key, byte[]> rows, SpaceState state) {
    /** Whether {@code found} are the rows that the state was made from. */
    boolean isOf(Map<Key, byte[]> found) {
      return found.keySet().equals(rows.keySet())
          && found.keySet().stream().allMatch(key -> Arrays.equals(found.get(key), rows.get(key)));
    }
  }

  HeaderCache(Space space) {
    this.space = space;
    this.keys = space.keys();
    this.schema = space.schema();
  }

  /** The store as {@code tx} finds it. */
  SpaceState state(ReadTransaction tx) {
    Key version = MetadataVersion.seenBy(tx);
    Cached known = cached;
    if (version != null && known != null && version.equals(known.metadataVersion())) {
      return known.state();
    }
    ReadTransaction snapshot = tx.snapshot();
    if (version == null) {
      return read(snapshot, snapshot.get(keys.header()), false);
    }
    Map<Key, byte[]> rows = snapshot.getAll(List.of(keys.header(), keys.statisticsStamp()));
    SpaceState state =
        known != null && known.isOf(rows)
            ? known.state()
            : read(
                snapshot,
                Optional.ofNullable(rows.get(keys.header())),
                rows.containsKey(keys.statisticsStamp()));
    cached = new Cached(version, rows, state);
    return state;
  }

  private SpaceState read(ReadTransaction tx, Optional<byte[]> found, boolean hasStatistics) {
    Header header =
        found
            .map(Header::parse)
            .orElseThrow(
                () ->
                    new SchemaException(
                        "The store at %s is gone; it was deleted while it was open"
                            .formatted(keys.header())));
    if (header.schemaVersion() == schema.version()) {
      return new SpaceState(space, header, schema, hasStatistics);
    }
    if (header.schemaVersion() < schema.version()) {
      throw new SchemaException(
          "The store at %s has schema version %d, and this program opened it with version %d: the store was made anew or restored since. Open it again"
              .formatted(keys.header(), header.schemaVersion(), schema.version()));
    }
    Schema stored = StoredSchema.read(tx, keys);
    if (!header.admits(schema.version(), SchemaBytes.hash(schema))) {
      throw new SchemaException(
          "The store at %s has schema version %d by now; this program has it open with version %d, which cannot go on: %s. Open it again with the newer schema"
              .formatted(
                  keys.header(),
                  header.schemaVersion(),
                  schema.version(),
                  SideBySide.refusal(schema, stored)));
    }
    return new SpaceState(space, header, stored, hasStatistics);
  }
}
