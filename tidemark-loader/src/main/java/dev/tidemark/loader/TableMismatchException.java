package dev.tidemark.loader;

import dev.tidemark.kv.TidemarkException;
import java.util.List;

/** A table in the warehouse does not fit the mapping. */
public final class TableMismatchException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> differences;

  /** With every difference, a line each. */
  public TableMismatchException(String table, List<String> differences, String remedy) {
    super(
        "Table '%s' does not fit the mapping:%n  %s%n%s"
            .formatted(table, String.join("%n  ".formatted(), differences), remedy));
    this.differences = List.copyOf(differences);
  }

  /** What differs, a line each. */
  public List<String> differences() {
    return differences;
  }
}
