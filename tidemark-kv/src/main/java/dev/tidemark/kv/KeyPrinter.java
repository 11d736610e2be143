package dev.tidemark.kv;

import java.util.HexFormat;

final class KeyPrinter {
  private KeyPrinter() {}

  static String print(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
