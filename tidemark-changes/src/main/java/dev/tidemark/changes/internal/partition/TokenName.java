package dev.tidemark.changes.internal.partition;

import java.util.Locale;

/** A short name of a token for logs and messages: tokens are long and say nothing to people. */
public final class TokenName {
  private static final int SHOWN_MAX = 24;

  private TokenName() {}

  /** The token itself if it is short, or its beginning and a hash. */
  public static String of(String token) {
    if (token.isEmpty()) {
      return "root";
    }
    return token.length() <= SHOWN_MAX
        ? token
        : token.substring(0, 12) + '#' + String.format(Locale.ROOT, "%08x", token.hashCode());
  }
}
