package dev.tidemark.pulse.redis.internal.link;

import java.nio.charset.StandardCharsets;

/** What keys and channels are called. In a cluster, keys that change together share a slot. */
public final class RedisNames {
  private RedisNames() {}

  /** The events of a stream. */
  public static String stream(String name) {
    return withSiblings("pulse:stream:" + name);
  }

  /** The entries of a map. */
  public static String map(String name) {
    return withSiblings("map:" + name + ":content");
  }

  /** The channel that tells of the changes to a map. */
  public static String mapChannel(String name) {
    return "map:" + name + ":updates";
  }

  /** What everything of a pool begins with. */
  public static String pool(String name) {
    if (name.startsWith("}")) {
      throw new IllegalArgumentException(
          "On Redis the name of a pool cannot begin with '}'; it is '" + name + "'");
    }
    return "pool:{" + name + "}:";
  }

  private static String withSiblings(String key) {
    if (!hasTag(key) && key.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "On Redis a name with '}' needs a tag like {a} before it; there is none in '"
              + key
              + "'");
    }
    return key;
  }

  /** A key that is in the same slot as {@code key}. */
  public static String sibling(String key, String suffix) {
    return hasTag(key) ? key + ":" + suffix : "{" + key + "}:" + suffix;
  }

  /** Whether the slot is that of a part of the key: what is between the first braces. */
  private static boolean hasTag(String key) {
    int open = key.indexOf('{');
    return open >= 0 && key.indexOf('}', open) > open + 1;
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
