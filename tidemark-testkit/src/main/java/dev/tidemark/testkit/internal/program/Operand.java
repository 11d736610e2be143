package dev.tidemark.testkit.internal.program;

import java.util.HexFormat;

/** Bytes of a value in a random program: comparable and printable. */
record Operand(String hex) {
  static Operand of(byte[] bytes) {
    return new Operand(HexFormat.of().formatHex(bytes));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return hex.length() <= 24 ? hex : hex.substring(0, 16) + "..(" + hex.length() / 2 + ")";
  }
}
