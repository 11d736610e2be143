package dev.tidemark.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;

/**
 * Which module a class belongs to, read from its package, and which of its packages are internal.
 *
 * @param root the package that holds one package for each module
 */
record Layout(String root) {
  /** That of the product. The tests of the rules have others, with deliberate mistakes. */
  static final Layout PRODUCT = new Layout("dev.tidemark");

  /** What engines and layers share of the store's inside. No API, though its name shows it. */
  private static final String STORE_SPI = "kv.spi";

  /** Modules whose internal packages others may use, and those others. */
  private static final Map<String, Set<String>> SHARED_INTERNALS =
      Map.of(
          "kv",
              Set.of(
                  "embedded",
                  "grpc",
                  "remote",
                  "foundationdb",
                  "testkit",
                  "coordination",
                  "pulse",
                  "changes",
                  "partitions",
                  "loader",
                  // These remove directories of stores.
                  "node",
                  "chaos",
                  "bench"),
          // Frames that many threads share, on both sides of a stream.
          "grpc", Set.of("remote", "partitions"),
          // The resolver and the storage are measured by themselves.
          "embedded", Set.of("bench"),
          // All plans of a query are measured, not only the chosen one.
          "records", Set.of("bench"),
          // The engine of actors is measured over a log of known speed.
          "partitions", Set.of("bench"));

  /** Whether the class is one of ours at all. */
  boolean holds(JavaClass type) {
    return type.getPackageName().startsWith(root + ".");
  }

  /** The module of a class that is ours. */
  String module(JavaClass type) {
    String below = type.getPackageName().substring(root.length() + 1);
    int dot = below.indexOf('.');
    return dot < 0 ? below : below.substring(0, dot);
  }

  /** Whether the class is ours and not API. */
  boolean isInternal(JavaClass type) {
    String name = type.getPackageName();
    return holds(type) && ((name + ".").contains(".internal.") || isStoreSpi(type));
  }

  private boolean isStoreSpi(JavaClass type) {
    return (type.getPackageName() + ".").startsWith(root + "." + STORE_SPI + ".");
  }

  /** Whether {@code user} may know {@code type}, as far as internal packages go. */
  boolean mayUse(JavaClass user, JavaClass type) {
    if (!isInternal(type) || module(user).equals(module(type))) {
      return true;
    }
    // The store shares one of its internal packages, and keeps what is below `internal`.
    return (!module(type).equals("kv") || isStoreSpi(type))
        && SHARED_INTERNALS.getOrDefault(module(type), Set.of()).contains(module(user));
  }
}
