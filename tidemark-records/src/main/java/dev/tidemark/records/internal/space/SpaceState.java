package dev.tidemark.records.internal.space;

import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.Header.IndexInfo;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.index.Maintainers;
import dev.tidemark.records.internal.index.OpenType;
import dev.tidemark.records.internal.index.OpenType.OpenIndex;
import dev.tidemark.records.internal.index.ValueMaintainer;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A header with all that derives from it. Immutable, and shared by all transactions that see this
 * header. Objects that others derive from it, such as plans, are {@linkplain #derived attached to
 * it}, so that they vanish when the header changes.
 */
public final class SpaceState {
  private final Header header;
  private final boolean hasStatistics;
  private final Schema stored;
  private final Map<String, OpenType> types = new HashMap<>();
  private final Map<String, Maintainer> maintainers = new LinkedHashMap<>();
  private final Map<String, Maintainer> copies = new HashMap<>();

  /** All readable indexes, including those that only the stored schema has. */
  private final List<Maintainer> readable = new ArrayList<>();

  private final Map<Class<?>, Object> derived = new ConcurrentHashMap<>();

  /**
   * Creates the state of {@code space} with the header {@code found} and the newest schema {@code
   * stored}. A program with an older schema maintains unknown indexes by their stored declaration,
   * and sees those that the store no longer has, or has redefined, as disabled.
   */
  SpaceState(Space space, Header found, Schema stored, boolean hasStatistics) {
    this.hasStatistics = hasStatistics;
    this.stored = stored;
    List<IndexSpec> kept = specs(stored, found);
    List<IndexSpec> known = specs(space.schema(), found);
    for (RecordType<?> type : space.schema().types()) {
      List<OpenIndex> indexes = new ArrayList<>();
      for (IndexSpec index : kept) {
        if (index.type().equals(type.name())) {
          boolean mine = known.contains(index);
          open(space, found, mine ? type : stored.type(type.name()).orElseThrow(), index, mine)
              .forEach(indexes::add);
        }
      }
      types.put(
          type.name(),
          new OpenType(space.keys().type(found.typeId(type.name())), List.copyOf(indexes)));
    }
    Header seen = found;
    for (IndexSpec index : known) {
      if (!kept.contains(index)) {
        seen = seen.withAbsent(index.name(), index.since());
        RecordType<?> type = space.schema().type(index.type()).orElseThrow();
        maintainers.put(
            index.name(),
            Maintainers.of(space.keys(), space.database().limits(), seen, type, index));
      }
    }
    this.header = seen;
  }

  /** An index and the copy that a scrub builds, if they are maintained. */
  private List<OpenIndex> open(
      Space space, Header found, RecordType<?> type, IndexSpec index, boolean mine) {
    List<OpenIndex> open = new ArrayList<>();
    RecordCodec<?> described = mine ? null : type.codec();
    Maintainer maintainer =
        Maintainers.of(space.keys(), space.database().limits(), found, type, index);
    IndexInfo info = found.index(index.name());
    if (info.state().isMaintained()) {
      open.add(new OpenIndex(maintainer, info.state(), described));
    }
    if (info.state().isReadable()) {
      readable.add(maintainer);
    }
    if (mine) {
      maintainers.put(index.name(), maintainer);
    }
    if (info.hasCopy()) {
      Header replaced = found.with(index.name(), IndexInfo::replacedByCopy);
      Maintainer copy =
          Maintainers.of(space.keys(), space.database().limits(), replaced, type, index);
      if (mine) {
        copies.put(index.name(), copy);
      }
      open.add(new OpenIndex(copy, IndexState.WRITE_ONLY, described));
    }
    return open;
  }

  /**
   * The indexes of {@code schema}, with implied ones that the store still has because the declared
   * index that replaces them is not built yet.
   */
  private static List<IndexSpec> specs(Schema schema, Header header) {
    List<IndexSpec> all = new ArrayList<>(schema.indexes());
    for (IndexSpec implied : schema.impliedIndexes()) {
      if (header.indexes().containsKey(implied.name()) && !all.contains(implied)) {
        all.add(implied);
      }
    }
    return List.copyOf(all);
  }

  /** The first readable index that serves the purpose of {@code implied}, if there is one. */
  public Optional<ValueMaintainer> readableFor(IndexSpec implied) {
    return readable.stream()
        .filter(index -> index.index().replaces(implied))
        .findFirst()
        .map(index -> (ValueMaintainer) index);
  }

  /** The newest schema of the store, which may be newer than that of the program. */
  public Schema stored() {
    return stored;
  }

  /** Whether statistics were collected, so that changes have to be counted. */
  public boolean hasStatistics() {
    return hasStatistics;
  }

  /** The header. */
  public Header header() {
    return header;
  }

  public OpenType type(String name) {
    OpenType type = types.get(name);
    if (type == null) {
      throw new IllegalArgumentException("The schema has no type " + name);
    }
    return type;
  }

  public Maintainer maintainer(String index) {
    Maintainer maintainer = maintainers.get(index);
    if (maintainer == null) {
      throw new IllegalArgumentException(
          "The schema has no index '%s'; it has %s".formatted(index, maintainers.keySet()));
    }
    return maintainer;
  }

  /** The maintainer of the copy of {@code index} that a scrub builds. */
  public Optional<Maintainer> copy(String index) {
    return Optional.ofNullable(copies.get(index));
  }

  /** The state of {@code index}. */
  public IndexState state(String index) {
    return header.index(index).state();
  }

  /** The keys of {@code index}. */
  public IndexKeys indexKeys(String index) {
    return maintainer(index).keys();
  }

  /** The keys of the records of {@code type}. */
  public TypeKeys typeKeys(String type) {
    return type(type).keys();
  }

  /**
   * The object of class {@code kind} that was derived from this state; {@code make} creates it.
   * Several threads may call {@code make}; all get the object of the first.
   */
  public <T> T derived(Class<T> kind, Supplier<T> make) {
    Object known = derived.get(kind);
    if (known == null) {
      T made = make.get();
      Object earlier = derived.putIfAbsent(kind, made);
      known = earlier == null ? made : earlier;
    }
    return kind.cast(known);
  }
}
