package dev.tidemark.records.internal.query.condition;

/**
 * How many rows of a plan are taken.
 *
 * @param rows how many at most, those that are left out included; {@link Long#MAX_VALUE} for all
 * @param passed how many of them are passed over without a look at them
 */
public record Taken(long rows, long passed) {
  /** All rows. */
  public static final Taken ALL = new Taken(Long.MAX_VALUE, 0);

  /** Up to {@code limit} rows behind {@code offset} others. */
  public static Taken of(long limit, long offset) {
    return new Taken(limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : limit + offset, offset);
  }

  /** The same rows, of which nothing is wanted but their number. */
  public Taken counted() {
    return new Taken(rows, rows);
  }
}
