package dev.tidemark.records.internal.changes;

import dev.tidemark.records.internal.format.StreamInfo;
import dev.tidemark.records.internal.keys.StreamKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.schema.ChangeStreamSpec.Watched;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which streams watch which types in one state of a store. */
final class CapturePlan {
  private final List<OpenStream> streams = new ArrayList<>();
  private final Map<String, List<OpenStream>> byType = new HashMap<>();

  /**
   * A stream.
   *
   * @param info what it records
   * @param keys where it is
   * @param watched the numbers of the watched fields of each watched type; empty for all
   */
  record OpenStream(StreamInfo info, StreamKeys keys, Map<String, Optional<Set<Integer>>> watched) {
    boolean watches(String type) {
      return watched.containsKey(type);
    }

    /** The watched fields of {@code type}; null for all. */
    @Nullable Set<Integer> fields(String type) {
      Optional<Set<Integer>> fields = watched.get(type);
      return fields == null ? null : fields.orElse(null);
    }
  }

  private CapturePlan(Space space, SpaceState state) {
    for (StreamInfo info : state.header().streams()) {
      Map<String, Optional<Set<Integer>>> watched = new HashMap<>();
      for (RecordType<?> type : space.schema().types()) {
        info.spec()
            .watches(type.name())
            .map(Watched::fields)
            .ifPresent(fields -> watched.put(type.name(), fields));
      }
      OpenStream stream = new OpenStream(info, space.keys().stream(info.id()), watched);
      streams.add(stream);
      watched
          .keySet()
          .forEach(type -> byType.computeIfAbsent(type, key -> new ArrayList<>()).add(stream));
    }
  }

  static CapturePlan of(Space space, SpaceState state) {
    return state.derived(CapturePlan.class, () -> new CapturePlan(space, state));
  }

  List<OpenStream> streams() {
    return streams;
  }

  /** The streams that watch {@code type}. */
  List<OpenStream> watching(String type) {
    return byType.getOrDefault(type, List.of());
  }
}
