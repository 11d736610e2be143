package dev.tidemark.records.internal;

import dev.tidemark.records.TypeSpec;

/** Fields in stored records that the schema of the program does not know. */
final class UnknownFields {
  private UnknownFields() {}

  /** {@code encoded} with the fields of {@code before} that {@code type} does not have. */
  static byte[] carryOver(TypeSpec type, byte[] before, byte[] encoded) {
    throw new UnsupportedOperationException();
  }
}
