package dev.tidemark.records.internal.format;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What has to hold for the change streams of a store. */
public final class StreamRules {
  private StreamRules() {}

  /**
   * Checks streams that are to be in one store with {@code types}.
   *
   * @throws SchemaException naming the stream, type or field that does not fit
   */
  public static void check(Collection<ChangeStreamSpec> streams, Collection<TypeSpec> types) {
    if (streams.size() > ChangeStreamSpec.STREAMS_MAX) {
      throw new SchemaException(
          "There are %d change streams; a store has %d at most"
              .formatted(streams.size(), ChangeStreamSpec.STREAMS_MAX));
    }
    Set<String> names = new HashSet<>();
    for (ChangeStreamSpec stream : streams) {
      if (!names.add(stream.name())) {
        throw new SchemaException(
            "Two change streams are called '%s'; give one of them another name"
                .formatted(stream.name()));
      }
      for (ChangeStreamSpec.Watched each : stream.watched()) {
        check(stream, each, types);
      }
    }
  }

  private static void check(
      ChangeStreamSpec stream, ChangeStreamSpec.Watched watched, Collection<TypeSpec> types) {
    TypeSpec type =
        types.stream()
            .filter(each -> each.name().equals(watched.type()))
            .findFirst()
            .orElseThrow(
                () ->
                    new SchemaException(
                        "The change stream '%s' watches the type %s, which the schema does not have; it has %s"
                            .formatted(
                                stream.name(),
                                watched.type(),
                                types.stream().map(TypeSpec::name).toList())));
    List<Integer> unknown = new ArrayList<>(watched.fields().orElse(Set.of()));
    unknown.removeIf(number -> type.field(number).isPresent());
    if (!unknown.isEmpty()) {
      throw new SchemaException(
          "The change stream '%s' watches fields with the numbers %s, which %s does not have; declare the stream without them"
              .formatted(stream.name(), unknown, type.name()));
    }
  }
}
