package dev.tidemark.node.internal.stores;

import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.schema.TypeSpec;
import java.util.stream.Collectors;

/** The record types of an opened space, by the names that people type. */
public final class RecordTypes {
  private RecordTypes() {}

  /**
   * The record type {@code name}.
   *
   * @throws IllegalArgumentException if there is none; the message names those that there are
   */
  public static TypeSpec spec(RecordSpace space, String name) {
    return space
        .schema()
        .type(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no record type %s; there is %s"
                        .formatted(
                            name,
                            space.schema().types().stream()
                                .map(each -> each.spec().name())
                                .collect(Collectors.joining(", ")))))
        .spec();
  }
}
