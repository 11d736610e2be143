package dev.tidemark.node.internal.stores;

/** Paths of directories in a store, as people write them: {@code tenants/acme/users}. */
public final class DirectoryPath {
  private DirectoryPath() {}

  /**
   * The names in {@code path}; one slash in front belongs to none: messages show a path with it.
   */
  public static String[] names(String path) {
    String rest = path.startsWith("/") ? path.substring(1) : path;
    return rest.split("/", -1);
  }
}
