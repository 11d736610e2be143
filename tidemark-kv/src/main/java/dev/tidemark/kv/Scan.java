package dev.tidemark.kv;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys and values between two positions, to be iterated over.
 *
 * <p>A scan is a description: nothing is read before iteration, each iteration starts anew, and the
 * methods that narrow it return another scan. Rows are fetched in portions while iteration goes on,
 * so a scan may be larger than memory. What was fetched counts as read: an insert into that part of
 * the range by another transaction is a conflict. A scan ends with its transaction; there is
 * nothing to close.
 */
public interface Scan extends Iterable<KeyValue> {
  /**
   * This scan ended after {@code rows} rows.
   *
   * @throws UsageException if {@code rows} is not positive
   */
  Scan limit(int rows);

  /** This scan from its end to its begin, in descending order; a limit then counts from the end. */
  Scan reverse();

  /** This scan with other portions. */
  Scan mode(ScanMode portions);

  /** The rows, fetched as iteration goes on. */
  @Override
  Iterator<KeyValue> iterator();

  /** All rows. They have to fit in memory; give the scan a limit where that is not certain. */
  List<KeyValue> list();

  /** The first row, if there is one. */
  Optional<KeyValue> first();

  /** The rows as a sequential stream. It needs no close. */
  Stream<KeyValue> stream();
}
