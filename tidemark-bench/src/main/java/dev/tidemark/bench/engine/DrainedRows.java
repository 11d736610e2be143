package dev.tidemark.bench.engine;

import dev.tidemark.bench.measure.Race;
import dev.tidemark.bench.measure.Report;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads of the last row before many that were cleared, and of the first one behind them, beside the
 * same reads where the rows are present. One part was cleared as a range, another key by key.
 * Before each read a row is set and cleared at the edge, among the cleared or the present rows, as
 * around a queue that is in use.
 */
final class DrainedRows {
  private static final int TOGETHER = 1_000;
  private static final int CLEARED_TOGETHER = 100;

  private final Database database;
  private final int rows;
  private final int tries;
  private final String name;
  private final Report report;

  /** Rows of one kind, and how long reads at their edges took. */
  private record Part(String name, boolean cleared, List<Double> backward, List<Double> forward) {
    Part(String name, boolean cleared) {
      this(name, cleared, new ArrayList<>(), new ArrayList<>());
    }

    Key key(int number) {
      return Key.utf8("drained/%s/%08d".formatted(name, number));
    }
  }

  private final Part present = new Part("present", false);
  private final Part range = new Part("cleared_as_range", true);
  private final Part keys = new Part("cleared_by_key", true);
  private final List<Part> parts = List.of(present, range, keys);

  /** Reads of {@code database}, whose times are reported as {@code name} and the part. */
  DrainedRows(Database database, int rows, int tries, String name, Report report) {
    this.database = database;
    this.rows = rows;
    this.tries = tries;
    this.name = name;
    this.report = report;
  }

  /** How many times as long the slowest kind of read takes beside cleared rows. */
  double ratio() {
    for (Part part : parts) {
      for (int i = 0; i < rows; i += TOGETHER) {
        int from = i;
        database.run(
            tx -> {
              for (int j = from; j < Math.min(from + TOGETHER, rows); j++) {
                tx.set(part.key(j), new byte[20]);
              }
            });
      }
    }
    database.run(tx -> tx.clear(KeyRange.of(range.key(1), range.key(rows - 1))));
    for (int i = 1; i < rows - 1; i += CLEARED_TOGETHER) {
      int from = i;
      database.run(
          tx -> {
            for (int j = from; j < Math.min(from + CLEARED_TOGETHER, rows - 1); j++) {
              tx.clear(keys.key(j));
            }
          });
    }
    measure();
    double slowest = 0;
    for (Part part : parts) {
      double backward = Race.median(part.backward());
      double forward = Race.median(part.forward());
      report.say(
          "  %-36s %,.1f us backward, %,.1f us forward"
              .formatted(name + "_" + part.name(), backward, forward));
      report.put(name + "_micros_" + part.name(), List.of(backward, forward));
      slowest = Math.max(slowest, backward / Race.median(present.backward()));
      slowest = Math.max(slowest, forward / Race.median(present.forward()));
    }
    return slowest;
  }

  /** Reads in each part, whose turns come one after the other; the first half warms up. */
  private void measure() {
    for (int round = 0; round < 4 * tries; round++) {
      for (Part part : parts) {
        boolean reverse = round % 2 == 0;
        Key beside = part.key(reverse ? rows - 2 : 1).next();
        database.run(tx -> tx.set(beside, new byte[20]));
        database.run(tx -> tx.clear(beside));
        double took = read(part, reverse);
        if (round >= 2 * tries) {
          (reverse ? part.backward() : part.forward()).add(took);
        }
      }
    }
  }

  private double read(Part part, boolean reverse) {
    long begin = System.nanoTime();
    Key found =
        database
            .read(
                tx ->
                    reverse
                        ? tx.scan(KeyRange.of(part.key(0), part.key(rows - 1)))
                            .reverse()
                            .limit(1)
                            .list()
                        : tx.scan(KeyRange.of(part.key(1), part.key(rows))).limit(1).list())
            .getFirst()
            .key();
    double micros = (System.nanoTime() - begin) / 1_000.0;
    boolean cleared = part.cleared();
    int expected = reverse ? (cleared ? 0 : rows - 2) : (cleared ? rows - 1 : 1);
    if (!found.equals(part.key(expected))) {
      throw new IllegalStateException("%s has %s next".formatted(part.name(), found));
    }
    return micros;
  }
}
