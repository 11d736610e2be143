package dev.tidemark.records.schema;

import dev.tidemark.records.codec.RecordCodec;

/**
 * A stored type and the Java class that its records have in a program.
 *
 * @param spec the type as the schema describes it
 * @param javaType the Java class
 * @param codec its bytes
 * @param <R> the Java class
 */
public record RecordType<R>(TypeSpec spec, Class<R> javaType, RecordCodec<R> codec) {
  /** The name of the type. */
  public String name() {
    return spec.name();
  }
}
