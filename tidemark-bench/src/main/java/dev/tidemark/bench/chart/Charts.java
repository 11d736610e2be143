package dev.tidemark.bench.chart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Draws docs/images/ratios.svg from the results in docs/benchmarks.md. */
public final class Charts {
  private static final String PAGE = "docs/benchmarks.md";
  private static final String PICTURE = "docs/images/ratios.svg";

  private Charts() {}

  /**
   * Draws the charts anew.
   *
   * @param args the directory of the repository
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args.length == 0 ? "." : args[0]);
    Path picture = root.resolve(PICTURE);
    Files.createDirectories(picture.getParent());
    Files.writeString(picture, ratios(Files.readString(root.resolve(PAGE))));
    System.out.println("Drew " + picture);
  }

  /** Ratios to rivals by layer. */
  static String ratios(String page) {
    RatioChart chart =
        new RatioChart(
            "Speed, as a multiple of what it is measured against",
            "Right of 1: Tidemark is faster. Every commit synced on all sides, two cores, measured in"
                + " turns; logarithmic scale.");
    BenchLine engine = last(page, "engine");
    chart.group("Embedded store, by raw RocksDB");
    chart.bar("point read in a transaction", engine.value("get"));
    chart.bar("scan of 100 rows", engine.value("scan"));
    chart.bar("durable commit, 64 writers", engine.value("commit64"));
    chart.bar("durable commit, one writer", engine.value("commit1"));
    chart.group("… by the best of SQLite, H2's MVStore and Xodus");
    chart.bar("durable commit, 64 writers", engine.value("rival64"));
    BenchLine growth = last(page, "growth");
    chart.group("… by RocksDB, data beyond the caches (quick run, busy machine)");
    chart.bar("random gets", growth.value("get_over_raw"));
    chart.bar("bulk load", growth.value("load"));
    BenchLine remote = last(page, "remote");
    chart.group("Served store, by PostgreSQL, 64 callers");
    chart.bar("read by key", remote.value("pg_read"));
    chart.bar("durable upsert", remote.value("pg_upsert"));
    chart.group("… by the store in process");
    chart.bar("durable commit, 64 callers", remote.value("commit"));
    BenchLine records = last(page, "records");
    chart.group("Records, by the better of SQLite and H2");
    chart.bar("save, 64 writers", records.value("save64"));
    chart.bar("save, 100 a transaction", records.value("save_batch"));
    chart.bar("load by key", records.value("load"));
    chart.bar("by unique index", records.value("unique"));
    chart.bar("50 records by an index", records.value("range"));
    List<BenchLine> queries = BenchLine.all(page, "queries");
    chart.group("Twelve queries, by the better of SQLite and H2");
    chart.bar("mean, 100,000 rows, quiet", queries.getFirst().value("geomean"));
    chart.bar("worst of them", queries.getFirst().value("worst"));
    chart.bar("mean, 1,000,000 rows, busy", queries.getLast().value("geomean"));
    chart.bar("worst of them", queries.getLast().value("worst"));
    BenchLine pulse = last(page, "pulse");
    chart.group("Streams on Redis, by raw commands");
    chart.bar("add, 64 threads", pulse.value("redis_add"));
    chart.bar("consume", pulse.value("redis_consume"));
    chart.group("Streams on our store, by Redis with appendfsync always");
    chart.bar("add, 64 threads", pulse.value("kv_add"));
    chart.bar("consume", pulse.value("kv_consume"));
    return chart.svg();
  }

  private static BenchLine last(String page, String run) {
    List<BenchLine> lines = BenchLine.all(page, run);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no results of 'bench %s'; write the last line of a run into it"
              .formatted(PAGE, run));
    }
    return lines.getLast();
  }
}
