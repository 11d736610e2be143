package dev.tidemark.pulse.redis.internal.link;

import java.util.ArrayList;
import java.util.List;

/** The arguments of a script, in order. */
public final class Arguments {
  private final List<byte[]> list = new ArrayList<>();

  public Arguments add(byte[] bytes) {
    list.add(bytes);
    return this;
  }

  public Arguments add(String text) {
    return add(RedisNames.bytes(text));
  }

  public Arguments add(long number) {
    return add(Long.toString(number));
  }

  public Arguments add(boolean flag) {
    return add(flag ? "1" : "0");
  }

  public List<byte[]> list() {
    return list;
  }
}
