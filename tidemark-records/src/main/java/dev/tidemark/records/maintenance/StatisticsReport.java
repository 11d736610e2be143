package dev.tidemark.records.maintenance;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of the records and indexes of a space. Numbers are estimates, unless all rows were
 * read.
 *
 * @param parts the types, then the indexes, in the order of the schema, without those that have no
 *     statistics
 */
public record StatisticsReport(List<Part> parts) {
  /** Copies the list. */
  public StatisticsReport {
    parts = List.copyOf(parts);
  }

  /** The statistics of the type or index called {@code name}. */
  public Optional<Part> part(String name) {
    return parts.stream().filter(part -> part.name().equals(name)).findFirst();
  }

  /**
   * The statistics of the records of a type, by their primary keys, or of an index.
   *
   * @param name the name of the type or index
   * @param rows how many records or entries there are
   * @param averageBytes the average size of one, key and value
   * @param read the number of rows that were read
   * @param version a version of the store at that time
   * @param collected the time of the collection
   * @param prefixes the first column, the first two, and so on
   * @param histogram the distribution of the rows over all columns
   */
  public record Part(
      String name,
      double rows,
      double averageBytes,
      long read,
      long version,
      Instant collected,
      List<Prefix> prefixes,
      List<Bucket> histogram) {
    /** Copies the lists. */
    public Part {
      prefixes = List.copyOf(prefixes);
      histogram = List.copyOf(histogram);
    }
  }

  /**
   * The first columns taken together.
   *
   * @param columns their names
   * @param distinct the number of distinct values that they have together
   * @param nullFraction the fraction of the rows with null in the last of them
   * @param common the most common values, the most common first
   */
  public record Prefix(
      List<String> columns, double distinct, double nullFraction, List<Common> common) {
    /** Copies the lists. */
    public Prefix {
      columns = List.copyOf(columns);
      common = List.copyOf(common);
    }
  }

  /**
   * A common value.
   *
   * @param values one for each column
   * @param fraction the fraction of the rows with these values
   */
  public record Common(List<@Nullable Object> values, double fraction) {}

  /**
   * Some rows that follow each other in order.
   *
   * @param min the values of the first
   * @param max the values of the last
   * @param rows how many there are
   */
  public record Bucket(List<@Nullable Object> min, List<@Nullable Object> max, double rows) {}
}
