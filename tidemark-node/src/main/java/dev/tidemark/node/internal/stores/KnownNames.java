package dev.tidemark.node.internal.stores;

import java.util.List;

/** Names that a command was given, beside those that a store has. */
public final class KnownNames {
  private KnownNames() {}

  /**
   * Refuses a name that is not among {@code known}: a typing mistake should not look like an empty
   * stream.
   */
  public static void require(String kind, String name, List<String> known) {
    if (!known.contains(name)) {
      throw new IllegalArgumentException(
          "There is no %s '%s' in this store; %s list shows what it has"
              .formatted(kind, name, kind));
    }
  }
}
