package dev.tidemark.records.internal.opening;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.internal.build.InlineBuild;
import dev.tidemark.records.internal.changes.StreamDefinitions;
import dev.tidemark.records.internal.evolution.SchemaEvolution;
import dev.tidemark.records.internal.evolution.SideBySide;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.Header.IndexInfo;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.internal.index.Maintainers;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.StoredSchema;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store: creates it, uses it as it is, or upgrades it to a newer schema, in one transaction
 * that reads a fixed number of keys, apart from small builds of new indexes. Used by one thread.
 */
public final class Opening {
  /**
   * The number of attempts that build small indexes; later ones do not, because a build may be what
   * makes the transaction fail.
   */
  private static final int BUILDING_ATTEMPTS = 2;

  private final Space space;
  private final Schema schema;
  private final byte[] description;
  private int attempts;
  private List<String> notes = List.of();

  private Opening(Space space) {
    this.space = space;
    this.schema = space.schema();
    this.description = SchemaBytes.encode(schema);
  }

  /** Opens the store in {@code root}. */
  public static Space open(Database database, Schema schema, Subspace root, StoreOptions options) {
    checkDeclaredStreams(schema);
    Space space = new Space(database, schema, root, options);
    Opening opening = new Opening(space);
    database.run(opening::run);
    for (String note : opening.notes) {
      System.getLogger(RecordSpace.class.getName())
          .log(System.Logger.Level.WARNING, "{0} ({1})", note, space.keys().header());
    }
    return space;
  }

  /**
   * Without this, a schema made by hand would leave changes unrecorded that a class wants recorded.
   */
  private static void checkDeclaredStreams(Schema schema) {
    for (RecordType<?> type : schema.types()) {
      for (ChangeStream declared : type.javaType().getAnnotationsByType(ChangeStream.class)) {
        if (schema.changeStreams().stream().noneMatch(has -> has.name().equals(declared.name()))) {
          throw new SchemaException(
              "%s declares the change stream '%s', but the schema that the store is opened with does not have it, so nothing would be recorded. Use the generated schema, or give this one the stream with Schema.withStreams"
                  .formatted(type.javaType().getName(), declared.name()));
        }
      }
    }
  }

  private void run(Transaction tx) {
    attempts++;
    notes = List.of();
    Optional<Header> found = space.header(tx);
    if (found.isEmpty()) {
      create(tx);
      return;
    }
    Header header = found.get();
    if (header.schemaVersion() > schema.version()) {
      if (!header.admits(schema.version(), hash())) {
        throw stale(header, StoredSchema.read(tx, space.keys()));
      }
      return;
    }
    if (header.schemaVersion() < schema.version()) {
      evolve(tx, header);
    } else if (header.schemaHash() != hash()) {
      throw new SchemaException(
          "The store at %s has another schema of version %d. Raise the version with every change of the schema [version-not-raised]"
              .formatted(space.keys().header(), schema.version()));
    }
  }

  private SchemaException stale(Header header, Schema stored) {
    return new SchemaException(
        "The store at %s has schema version %d; this program has version %d, which is stale: %s. Use a newer program [version-stale]"
            .formatted(
                space.keys().header(),
                header.schemaVersion(),
                schema.version(),
                SideBySide.refusal(schema, stored)));
  }

  private void create(Transaction tx) {
    if (tx.scan(space.keys().everything()).first().isPresent()) {
      throw new SchemaException(
          "There is no store at %s, but there is data. Choose an empty place for the store"
              .formatted(space.keys().header()));
    }
    Map<String, Integer> types = new LinkedHashMap<>();
    Map<String, IndexInfo> indexes = new LinkedHashMap<>();
    int id = 1;
    for (RecordType<?> type : schema.types()) {
      types.put(type.name(), id++);
    }
    for (IndexSpec index : schema.indexes()) {
      indexes.put(index.name(), fresh(id++, IndexState.READABLE, index));
    }
    Header empty = new Header(schema.version(), hash(), types, indexes, id, List.of());
    write(tx, StreamDefinitions.declared(tx, space, empty));
  }

  private void evolve(Transaction tx, Header header) {
    Schema stored = StoredSchema.read(tx, space.keys());
    SchemaEvolution.check(stored, schema);
    Map<String, Integer> types = new LinkedHashMap<>(header.types());
    int id = header.nextId();
    for (RecordType<?> type : schema.types()) {
      if (!types.containsKey(type.name())) {
        types.put(type.name(), id++);
      }
    }
    Map<String, IndexInfo> indexes = new LinkedHashMap<>();
    Map<String, IndexSpec> fresh = new LinkedHashMap<>();
    for (IndexSpec index : schema.indexes()) {
      IndexInfo info = header.indexes().get(index.name());
      if (info != null && info.since() == index.since()) {
        indexes.put(index.name(), index.unique() ? info : withoutViolations(tx, info));
      } else {
        indexes.put(index.name(), fresh(id++, IndexState.DISABLED, index));
        fresh.put(index.name(), index);
      }
    }
    for (IndexSpec implied : schema.impliedIndexes()) {
      IndexInfo info = header.indexes().get(implied.name());
      if (info != null) {
        indexes.putIfAbsent(implied.name(), info);
      }
    }
    header.indexes().forEach((name, info) -> clearUnlessKept(tx, info, indexes.get(name)));
    Header evolved =
        StreamDefinitions.declared(
            tx,
            space,
            new Header(schema.version(), hash(), types, indexes, id, header.streams())
                .withOlder(
                    SideBySide.reasons(stored, schema).isEmpty()
                        ? header.olderAndThis()
                        : List.of()));
    InlineBuild builds =
        attempts > BUILDING_ATTEMPTS ? InlineBuild.empty(space, tx) : InlineBuild.small(space, tx);
    for (IndexSpec index : fresh.values()) {
      evolved = evolved.withState(index.name(), builds.run(evolved, index));
    }
    notes = builds.notes();
    write(tx, IndexStates.withoutReplaced(tx, space, evolved));
  }

  private static IndexInfo fresh(int id, IndexState state, IndexSpec index) {
    return new IndexInfo(id, state, index.since(), Maintainers.form(index.kind()));
  }

  /** An index that is not unique, or no longer, has no violations. */
  private IndexInfo withoutViolations(Transaction tx, IndexInfo info) {
    tx.clear(space.keys().index(info.id()).violations().prefixRange());
    return info.state() == IndexState.READABLE_UNIQUE_PENDING
        ? info.withState(IndexState.READABLE)
        : info;
  }

  private void clearUnlessKept(Transaction tx, IndexInfo old, @Nullable IndexInfo now) {
    if (now == null || now.id() != old.id()) {
      space.keys().index(old.id()).clear(tx);
      if (old.hasCopy()) {
        space.keys().index(old.copy()).clear(tx);
      }
    }
  }

  /** Opens the store in {@code root} with its stored schema. */
  public static Space openStored(Database database, Subspace root, StoreOptions options) {
    Schema schema = database.read(tx -> StoredSchema.read(tx, new StoreKeys(root)));
    return open(database, schema, root, options);
  }

  private void write(Transaction tx, Header header) {
    StoredSchema.write(tx, space.keys(), description);
    space.change(tx, header);
  }

  private long hash() {
    return SchemaBytes.hash(schema);
  }
}
