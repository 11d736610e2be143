package dev.tidemark.records.codec;

/** How the length of a field is told in protobuf's wire format. */
final class WireType {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  /** The largest field number that protobuf knows. */
  static final int FIELD_NUMBER_MAX = (1 << 29) - 1;

  private WireType() {}
}
