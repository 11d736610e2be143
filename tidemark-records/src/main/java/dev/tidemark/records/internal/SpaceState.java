package dev.tidemark.records.internal;

import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.IndexState;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.internal.Header.IndexInfo;
import dev.tidemark.records.internal.OpenType.OpenIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A header with all that follows from it. Immutable, and shared by all transactions that find the
 * store as it was when the header was read.
 */
final class SpaceState {
  private final Header header;
  private final Map<String, OpenType> types = new HashMap<>();
  private final Map<String, Maintainer> maintainers = new LinkedHashMap<>();
  private final Map<String, Maintainer> copies = new HashMap<>();

  SpaceState(Space space, Header header) {
    this.header = header;
    for (RecordType<?> type : space.schema().types()) {
      List<OpenIndex> indexes = new ArrayList<>();
      for (IndexSpec index : space.schema().indexes()) {
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

  Header header() {
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

  IndexState state(String index) {
    return header.index(index).state();
  }
}
