package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.node.internal.meters.output.AuditReport;
import dev.tidemark.node.internal.meters.output.AuditReport.Check;
import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.DataChange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Compares what the publishers' ledger says with what every layer holds, meter by meter. Nobody
 * writes meanwhile.
 */
final class Audit {
  private static final int CHANGES_PER_READ = 5_000;
  private static final int BYTES_PER_READ = 4_000_000;
  private static final int METERS_PER_STEP = 20;

  private final Database database;
  private final GridStore grid;
  private final Consumer<String> progress;

  private final Check saved = new Check("every published reading is one record");
  private final Check messages =
      new Check("every duplicate was recognised, every broken message rejected");
  private final Check actors =
      new Check("actors counted each reading once, energy of each day included");
  private final Check indexes =
      new Check("count, sum and peak of each area agree with the records");
  private final Check captured = new Check("every record is one change of the change stream");
  private final Check loaded = new Check("every change is one row of the warehouse");
  private final Check noticed = new Check("every alert was sent");

  private final Map<Long, Totals> records = new TreeMap<>();
  private final Map<String, Area> areas = new HashMap<>();
  private long lost;
  private long duplicated;

  /** The records of one area, as they are. */
  private static final class Area {
    private long readings;
    private long watts;
    private long peak;
  }

  private Audit(Database database, GridStore grid, Consumer<String> progress) {
    this.database = database;
    this.grid = grid;
    this.progress = progress;
  }

  /** Looks at everything, and tells {@code progress} how far it is. */
  static AuditReport of(
      Database database, GridStore grid, Map<Long, Totals> warehouse, Consumer<String> progress) {
    return new Audit(database, grid, progress).run(warehouse);
  }

  private AuditReport run(Map<Long, Totals> warehouse) {
    NavigableMap<Long, Published> ledger = database.read(Published::all);
    int done = 0;
    for (Map.Entry<Long, Published> row : ledger.entrySet()) {
      if (done++ % METERS_PER_STEP == 0) {
        progress.accept("audit: meter %,d of %,d".formatted(done, ledger.size()));
      }
      new MeterAudit(row.getKey(), row.getValue()).run();
    }
    saved.require(lost == 0, "%,d were lost".formatted(lost));
    saved.require(duplicated == 0, "%,d were never published so".formatted(duplicated));
    database.read(this::checkCounts);
    LoadCurve.areas().forEach(area -> database.read(tx -> checkArea(tx, area)));
    Map<Long, Totals> changes = changes();
    captured.compareAll(records, changes, Totals.NONE);
    loaded.compareAll(records, warehouse, Totals.NONE);
    return new AuditReport(
        ledger.values().stream().mapToLong(Published::count).sum(),
        rows(records),
        rows(changes),
        rows(warehouse),
        lost,
        duplicated,
        List.of(saved, messages, actors, indexes, captured, loaded, noticed));
  }

  private static long rows(Map<Long, Totals> totals) {
    return totals.values().stream().mapToLong(Totals::rows).sum();
  }

  private boolean checkCounts(ReadTransaction tx) {
    messages.compare("duplicates", Tally.SENT_AGAIN.count(tx), Tally.SEEN_AGAIN.count(tx));
    messages.compare("broken messages", Tally.SENT_BROKEN.count(tx), Tally.REJECTED.count(tx));
    noticed.compare("alerts that wait", 0, grid.alert().count(tx, Alert.COUNT, false));
    return true;
  }

  private boolean checkArea(ReadTransaction tx, String name) {
    Area area = areas.getOrDefault(name, new Area());
    indexes.compare(
        "readings in " + name, area.readings, grid.reading().count(tx, Reading.COUNT, name));
    indexes.compare("watts in " + name, area.watts, grid.reading().sum(tx, Reading.SUM, name));
    long peak = grid.reading().max(tx, Reading.PEAK, name).map(Long.class::cast).orElse(0L);
    indexes.compare("peak in " + name, area.peak, peak);
    return true;
  }

  /** The whole change stream, from its begin. */
  private Map<Long, Totals> changes() {
    Map<Long, Totals> changes = new TreeMap<>();
    ChangeLog log = grid.space().changes().log(Grid.STREAM);
    long read = 0;
    for (ChangePartition partition : log.partitions()) {
      ChangePosition from = partition.start();
      boolean more = true;
      while (more) {
        ChangeBatch batch = log.read(partition.token(), from, CHANGES_PER_READ, BYTES_PER_READ);
        for (DataChange change : batch.changes()) {
          Reading reading = change.newRecord(Reading_.TYPE).orElseThrow();
          changes.merge(reading.meter(), Totals.NONE.plus(reading), Totals::plus);
        }
        from = batch.position();
        more = !batch.caughtUp() && batch.end().isEmpty();
        read += batch.changes().size();
        progress.accept("audit: %,d changes".formatted(read));
      }
    }
    return changes;
  }

  /** One meter: the ledger, the records, the actor. */
  private final class MeterAudit {
    private final long meter;
    private final Published ledger;
    private final NavigableMap<Long, Long> days = new TreeMap<>();
    private long right;

    MeterAudit(long meter, Published ledger) {
      this.meter = meter;
      this.ledger = ledger;
    }

    void run() {
      List<Reading> readings =
          database.read(tx -> grid.reading().query().where(Reading_.METER.eq(meter)).list(tx));
      readings.forEach(this::add);
      lost += ledger.count() - right;
      database.read(this::checkActor);
    }

    private void add(Reading reading) {
      long number = LoadCurve.number(reading.timestamp());
      boolean expected =
          ledger.contains(number) && reading.power() == LoadCurve.power(meter, number);
      right += expected ? 1 : 0;
      duplicated += expected ? 0 : 1;
      records.merge(meter, Totals.NONE.plus(reading), Totals::plus);
      days.merge(LoadCurve.day(reading.timestamp()), reading.power(), Long::sum);
      Area area = areas.computeIfAbsent(reading.area(), absent -> new Area());
      area.readings++;
      area.watts += reading.power();
      area.peak = Math.max(area.peak, reading.power());
    }

    private boolean checkActor(ReadTransaction tx) {
      Totals totals = records.getOrDefault(meter, Totals.NONE);
      Meter actor = grid.meter().load(tx, meter).orElse(new Meter(meter, "", 0, 0, 0, 0, 0));
      actors.compare("readings of meter " + meter, totals.rows(), actor.readings());
      actors.compare("watts of meter " + meter, totals.watts(), actor.watts());
      for (Map.Entry<Long, Long> day : days.entrySet()) {
        long energy =
            day.getKey().equals(days.lastKey())
                ? actor.energy()
                : grid.dailyEnergy()
                    .load(tx, meter, day.getKey())
                    .map(DailyEnergy::energy)
                    .orElse(0L);
        actors.compare(
            "energy of meter %d on day %d".formatted(meter, day.getKey()),
            LoadCurve.energy(day.getValue()),
            energy);
      }
      return true;
    }
  }
}
