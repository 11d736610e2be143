package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares what the publishers' ledger says with what the layers hold.
 *
 * @param published readings that were published
 * @param records readings that are stored
 * @param changes changes that were followed
 * @param warehouse rows in the warehouse
 * @param lost published and not stored
 * @param duplicated stored and never published, or with another value
 * @param findings what else does not agree, in words
 */
record Audit(
    long published,
    long records,
    long changes,
    long warehouse,
    long lost,
    long duplicated,
    List<String> findings) {
  boolean holds() {
    return lost == 0 && duplicated == 0 && findings.isEmpty();
  }

  /** Looks at everything; nobody writes meanwhile. */
  static Audit of(Database database, GridStore grid, WarehouseFeed.Totals warehouse, int meters) {
    Count count = new Count();
    for (long meter = 0; meter < meters; meter++) {
      long each = meter;
      database.read(
          tx -> {
            count.meter(tx, grid, each);
            return Optional.empty();
          });
    }
    List<String> findings = count.findings;
    long watts = count.watts.values().stream().mapToLong(Long::longValue).sum();
    compare(findings, "watts that the actors counted", watts, count.wattsOfActors);
    for (String area : LoadCurve.areas()) {
      database.read(
          tx -> {
            compare(
                findings,
                "readings by index in " + area,
                count.readings.getOrDefault(area, 0L),
                grid.reading().count(tx, Reading.COUNT, area));
            compare(
                findings,
                "watts by index in " + area,
                count.watts.getOrDefault(area, 0L),
                grid.reading().sum(tx, Reading.SUM, area));
            return Optional.empty();
          });
    }
    long changes = database.read(Follower::count);
    compare(findings, "changes followed", count.stored, changes);
    compare(findings, "rows in the warehouse", count.stored, warehouse.rows());
    compare(findings, "watts in the warehouse", watts, warehouse.watts());
    long waiting =
        database.read(tx -> grid.alert().query().where(Alert_.NOTICED.eq(false)).count(tx));
    compare(findings, "alerts that nobody was told of", 0, waiting);
    return new Audit(
        count.published,
        count.stored,
        changes,
        warehouse.rows(),
        count.lost,
        count.duplicated,
        findings);
  }

  private static void compare(List<String> findings, String what, long wanted, long found) {
    if (wanted != found) {
      findings.add("%s: %,d expected, %,d found".formatted(what, wanted, found));
    }
  }

  private static final class Count {
    private final Map<String, Long> readings = new HashMap<>();
    private final Map<String, Long> watts = new HashMap<>();
    private final List<String> findings = new ArrayList<>();
    private long wattsOfActors;
    private long published;
    private long stored;
    private long lost;
    private long duplicated;

    void meter(ReadTransaction tx, GridStore grid, long meter) {
      Published ledger = Published.of(tx, meter);
      long wanted = ledger.next() - ledger.late().size();
      long right = 0;
      for (Reading reading : grid.reading().query().where(Reading_.METER.eq(meter)).list(tx)) {
        long number = LoadCurve.number(reading.timestamp());
        boolean expected =
            ledger.contains(number) && reading.power() == LoadCurve.power(meter, number);
        right += expected ? 1 : 0;
        duplicated += expected ? 0 : 1;
        stored++;
        readings.merge(reading.area(), 1L, Long::sum);
        watts.merge(reading.area(), reading.power(), Long::sum);
      }
      published += wanted;
      lost += wanted - right;
      Optional<Meter> actor = grid.meter().load(tx, meter);
      compare(
          findings,
          "readings that the actor of meter %d counted".formatted(meter),
          wanted,
          actor.map(Meter::readings).orElse(0L));
      wattsOfActors += actor.map(Meter::watts).orElse(0L);
    }
  }
}
