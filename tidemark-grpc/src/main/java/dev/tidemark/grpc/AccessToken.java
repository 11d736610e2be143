package dev.tidemark.grpc;

import dev.tidemark.kv.UsageException;

/**
 * A secret that identifies a client to a server. It is never printed.
 *
 * @param secret the text both sides know: up to 1,024 printable ASCII characters without spaces
 */
public record AccessToken(String secret) {
  /** No secret. */
  public static final AccessToken NONE = new AccessToken("");

  private static final int LENGTH_MAX = 1_024;

  /** Refuses texts that cannot travel as a header. */
  public AccessToken {
    boolean legal =
        secret.length() <= LENGTH_MAX
            && secret.chars().allMatch(character -> character > ' ' && character < 0x7f);
    if (!legal) {
      throw UsageException.invalidOption(
          "An access token has up to %,d printable ASCII characters without spaces; this one has %,d"
              .formatted(LENGTH_MAX, secret.length()));
    }
  }

  /** Says that there is a token, and not which. */
  @Override
  public String toString() {
    return "AccessToken(hidden)";
  }
}
