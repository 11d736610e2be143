package dev.tidemark.pulse.redis.internal.link;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server says it is.
 *
 * @param product redis or valkey
 * @param number its own version
 * @param major the version of Redis whose commands it has, before the dot
 * @param minor and behind it
 */
public record ServerVersion(String product, String number, int major, int minor) {
  private static final Pattern REDIS = Pattern.compile("redis_version:((\\d+)\\.(\\d+)\\S*)");
  private static final Pattern VALKEY = Pattern.compile("valkey_version:(\\S+)");

  /** The version in what the command INFO answers; empty if there is none. */
  public static Optional<ServerVersion> parse(String info) {
    Matcher redis = REDIS.matcher(info);
    if (!redis.find()) {
      return Optional.empty();
    }
    Matcher valkey = VALKEY.matcher(info);
    boolean isValkey = valkey.find();
    return Optional.of(
        new ServerVersion(
            isValkey ? "valkey" : "redis",
            isValkey ? valkey.group(1) : redis.group(1),
            Integer.parseInt(redis.group(2)),
            Integer.parseInt(redis.group(3))));
  }

  /** Whether it has the commands that are needed, which came with 6.2. */
  public boolean isEnough() {
    return major > 6 || (major == 6 && minor >= 2);
  }

  @Override
  public String toString() {
    return product + " " + number;
  }
}
