package dev.tidemark.pulse.redis;

import java.util.ArrayList;
import java.util.List;

/** The arguments of a script, in order. */
final class Arguments {
  private final List<byte[]> list = new ArrayList<>();

  Arguments add(byte[] bytes) {
    list.add(bytes);
    return this;
  }

  Arguments add(String text) {
    return add(RedisNames.bytes(text));
  }

  Arguments add(long number) {
    return add(Long.toString(number));
  }

  Arguments add(boolean flag) {
    return add(flag ? "1" : "0");
  }

  List<byte[]> list() {
    return list;
  }
}
