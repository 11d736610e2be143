package dev.tidemark.records.query;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.query.group.JoinQuery;
import dev.tidemark.records.internal.query.group.JoinQuery.Match;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A query for records together with the records that they refer to. It reads the referring records
 * first, in the order and with the limit of their query, or the other side first where that is
 * cheaper.
 *
 * @param <P> a pair
 */
public final class Join<P> extends Results<P> {
  private final Source<?, ?, P> source;
  private final OptionalLong limit;
  private final long offset;

  /**
   * The two sides of a join and the function that makes a pair.
   *
   * @param query the join
   * @param form makes a pair
   */
  record Source<L, R, P>(JoinQuery<L, R> query, Function<Match<L, R>, P> form) {
    Cursor<P> open(ReadTransaction tx, long offset, OptionalLong limit) {
      JoinQuery.Matches<L, R> matches = query.open(tx);
      Iterator<P> pairs =
          new Iterator<>() {
            @Override
            public boolean hasNext() {
              return matches.hasNext();
            }

            @Override
            public P next() {
              return form.apply(matches.next());
            }
          };
      return new IteratorCursor<>(pairs, offset, limit, matches::close);
    }
  }

  Join(Source<?, ?, P> source, OptionalLong limit, long offset) {
    this.source = source;
    this.limit = limit;
    this.offset = offset;
  }

  /** Limits the number of pairs to {@code rows}. */
  public Join<P> limit(long rows) {
    return new Join<>(source, OptionalLong.of(Query.notNegative("limit", rows)), offset);
  }

  /** Skips the first {@code rows} pairs. */
  public Join<P> offset(long rows) {
    return new Join<>(source, limit, Query.notNegative("offset", rows));
  }

  /** Which side would be read first, and how. Reads only the metadata of the store. */
  public Explain explain(ReadTransaction tx) {
    return source.query().explain(tx);
  }

  @Override
  Cursor<P> open(ReadTransaction tx) {
    return source.open(tx, offset, limit);
  }

  @Override
  Join<P> atMost(long rows) {
    return limit(Math.min(rows, limit.orElse(rows)));
  }
}
