package dev.tidemark.records;

/** How the length of a field is told in protobuf's wire format. */
final class WireType {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  private WireType() {}
}
