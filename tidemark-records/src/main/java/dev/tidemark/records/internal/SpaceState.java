package dev.tidemark.records.internal;

import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.IndexState;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.Schema;
import dev.tidemark.records.internal.Header.IndexInfo;
import dev.tidemark.records.internal.OpenType.OpenIndex;
import dev.tidemark.records.internal.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.StoreKeys.TypeKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A header with all that follows from it. Immutable, and shared by all transactions that find the
 * store as it was when the header was read. What others derive from it, such as plans, they {@link
 * #derived leave with it}, so that it is gone when the store has changed.
 */
public final class SpaceState {
  private final Header header;
  private final List<IndexSpec> specs;
  private final Map<String, OpenType> types = new HashMap<>();
  private final Map<String, Maintainer> maintainers = new LinkedHashMap<>();
  private final Map<String, Maintainer> copies = new HashMap<>();
  private final Map<Class<?>, Object> derived = new ConcurrentHashMap<>();

  SpaceState(Space space, Header header) {
    this.header = header;
    this.specs = specs(space.schema(), header);
    for (RecordType<?> type : space.schema().types()) {
      List<OpenIndex> indexes = new ArrayList<>();
      for (IndexSpec index : specs) {
        if (index.type().equals(type.name())) {
          Maintainer maintainer = Maintainers.of(space, header, type, index);
          maintainers.put(index.name(), maintainer);
          IndexState state = header.index(index.name()).state();
          if (state.isMaintained()) {
            indexes.add(new OpenIndex(maintainer, state));
          }
          if (header.index(index.name()).hasCopy()) {
            Header replaced = header.with(index.name(), IndexInfo::replacedByCopy);
            Maintainer copy = Maintainers.of(space, replaced, type, index);
            copies.put(index.name(), copy);
            indexes.add(new OpenIndex(copy, IndexState.WRITE_ONLY));
          }
        }
      }
      types.put(
          type.name(),
          new OpenType(space.keys().type(header.typeId(type.name())), List.copyOf(indexes)));
    }
  }

  /**
   * The indexes of {@code schema}, and implied ones that the store still keeps because the declared
   * index that takes their place is not built yet.
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

  /** The first readable index over the type of {@code implied} that finds the same, if any. */
  Optional<ValueMaintainer> readableFor(IndexSpec implied) {
    return specs.stream()
        .filter(index -> index.replaces(implied) && state(index.name()).isReadable())
        .findFirst()
        .map(index -> (ValueMaintainer) maintainer(index.name()));
  }

  /** The header. */
  public Header header() {
    return header;
  }

  OpenType type(String name) {
    OpenType type = types.get(name);
    if (type == null) {
      throw new IllegalArgumentException("The schema has no type " + name);
    }
    return type;
  }

  Maintainer maintainer(String index) {
    Maintainer maintainer = maintainers.get(index);
    if (maintainer == null) {
      throw new IllegalArgumentException(
          "The schema has no index '%s'; it has %s".formatted(index, maintainers.keySet()));
    }
    return maintainer;
  }

  /** Keeps the second copy of {@code index} that a scrub builds. */
  Optional<Maintainer> copy(String index) {
    return Optional.ofNullable(copies.get(index));
  }

  /** The state of {@code index}. */
  public IndexState state(String index) {
    return header.index(index).state();
  }

  /** Where {@code index} is. */
  public IndexKeys indexKeys(String index) {
    return maintainer(index).keys();
  }

  /** Where the records of {@code type} are. */
  public TypeKeys typeKeys(String type) {
    return type(type).keys();
  }

  /**
   * What was derived from this state as {@code kind}; {@code make} is called if nothing was. It may
   * be called by several threads at a time, and all get what the first one made.
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
