package dev.tidemark.records.internal.query.condition;

/**
 * The number of rows that are taken from a plan.
 *
 * @param rows the largest number of rows, including skipped ones; {@link Long#MAX_VALUE} for all
 * @param passed the number of rows that are skipped without reading them
 */
public record Taken(long rows, long passed) {
  /** All rows. */
  public static final Taken ALL = new Taken(Long.MAX_VALUE, 0);

  /** Up to {@code limit} rows behind {@code offset} others. */
  public static Taken of(long limit, long offset) {
    return new Taken(limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : limit + offset, offset);
  }

  /** The same rows, which are only counted. */
  public Taken counted() {
    return new Taken(rows, rows);
  }
}
