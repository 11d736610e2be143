package dev.tidemark.records.codec;

/** The wire types of protobuf, which determine the length of a field. */
final class WireType {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  /** The largest field number that protobuf knows. */
  static final int FIELD_NUMBER_MAX = (1 << 29) - 1;

  private WireType() {}
}
