package com.example.tutorial;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.Tidemark;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.kv.Key;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TableMapping;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.query.Query;
import dev.tidemark.remote.DatabaseServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

final class Meters {
  private Meters() {}

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    try (Tidemark tidemark = Tidemark.open(directory)) {
      tidemark.run(tx -> tx.set(Key.utf8("city"), "Basel".getBytes(UTF_8)));
      String city = tidemark.read(tx -> new String(tx.get(Key.utf8("city")).orElseThrow(), UTF_8));
      System.out.println("1. Meters of " + city);

      RecordStore<Reading> readings = tidemark.records(ReadingStore::open);
      tidemark.run(
          tx -> {
            readings.insert(tx, new Reading(1, "m1", "north", 350));
            readings.insert(tx, new Reading(2, "m2", "north", 1_200));
            readings.insert(tx, new Reading(3, "m3", "south", 800));
          });
      System.out.println("2. " + tidemark.read(tx -> readings.load(tx, 2L)).orElseThrow());

      Query<Reading> north =
          readings.query().where(Reading_.AREA.eq("north")).orderBy(Reading_.WATTS.desc());
      List<Reading> highest = tidemark.read(tx -> north.limit(1).list(tx));
      System.out.println("3. Highest of " + tidemark.read(north::count) + ": " + highest);

      EventStream events = tidemark.stream("readings", o -> o.keepingAll());
      Reading high = new Reading(4, "m1", "north", 2_400);
      tidemark.run(
          tx -> {
            readings.insert(tx, high);
            events.add(tx, "reading", high.area(), high.toBytes());
          });
      try {
        tidemark.run(
            tx -> {
              events.add(tx, "reading", high.area(), high.toBytes());
              readings.insert(tx, high); // it is there already: nothing of this is committed
            });
      } catch (RuntimeException refused) {
        System.out.println("4. " + refused.getClass().getSimpleName());
      }
      System.out.println("4. Events: " + events.length());

      RecordStore<Alert> alerts = tidemark.records(AlertStore::open);
      Sink alarm = tidemark.own(events.sink("alarm", o -> o.withStart(Start.oldest())));
      for (Event event : alarm.read()) {
        Reading reading = Reading.parse(event.payload());
        tidemark.run(
            tx -> {
              if (alarm.ack(tx, event) && reading.watts() > 2_000) {
                alerts.insert(tx, new Alert(reading.id(), reading.meter(), reading.watts()));
              }
            });
      }
      System.out.println("5. " + tidemark.read(tx -> alerts.load(tx, 4L)).orElseThrow());

      BlockingQueue<String> sent = new LinkedBlockingQueue<>();
      PoolNode mail = tidemark.pool("mail");
      mail.addRunner(job -> sent.add("mail to " + new String(job.payload(), UTF_8)));
      tidemark.run(
          tx -> {
            Alert alert = alerts.load(tx, 4L).orElseThrow();
            mail.dispatch(tx, "alert " + alert.reading(), alert.meter().getBytes(UTF_8));
          });
      System.out.println("6. " + sent.poll(60, TimeUnit.SECONDS));

      ReplicatedMap<String, String> settings = tidemark.map("settings");
      settings.setAndWait("threshold", "2000", Duration.ofSeconds(60));
      System.out.println("7. Threshold: " + settings.get("threshold").orElseThrow());

      BlockingQueue<String> seen = new LinkedBlockingQueue<>();
      ReaderOptions fromTheStart = ReaderOptions.forRun("audit").withStart(StartAt.beginning());
      ChangeReader audit = tidemark.reader(readings.space(), "readings", fromTheStart);
      audit.start(
          delivery ->
              RecordChangeSource.newRecord(delivery.change(), Reading_.TYPE)
                  .ifPresent(row -> seen.add(delivery.change().modType() + " " + row.id())));
      for (int i = 0; i < 4; i++) {
        System.out.println("8. " + seen.poll(60, TimeUnit.SECONDS));
      }

      RecordStore<Peak> peaks = tidemark.records(PeakStore::open);
      ActorType<Reading, String> type = PeakActor.type(peaks);
      PartitionClient client = tidemark.actors("n1", type);
      System.out.println("9. " + client.send(type, Key.utf8("m1"), high));
      System.out.println("9. " + client.send(type, Key.utf8("m1"), high));
      System.out.println("9. " + tidemark.read(tx -> peaks.load(tx, "m1")).orElseThrow());

      Path file = directory.resolveSibling("warehouse.duckdb");
      DuckDbWarehouse warehouse = tidemark.own(DuckDbWarehouse.open(file));
      TableMapping mapping =
          TableMapping.ofRecords(
              "readings", Reading.class, message -> Reading.parse(message.body()), List.of("id"));
      Loader loader =
          tidemark.loader(
              events,
              "warehouse",
              o -> o,
              warehouse,
              mapping,
              o -> o.withTablePolicy(Table.Policy.CREATE));
      LoadResult result = loader.drain();
      System.out.println("10. Loaded: " + result.merged());
      try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:" + file);
          Statement statement = duckDb.createStatement();
          ResultSet rows = statement.executeQuery("select meter, watts from readings")) {
        while (rows.next()) {
          System.out.println("10. " + rows.getString("meter") + ": " + rows.getLong("watts"));
        }
      }

      int port = Integer.parseInt(args[1]);
      DatabaseServer server =
          tidemark.own(DatabaseServer.open(tidemark.database(), o -> o.withPort(port)));
      System.out.println("11. Serving at " + server.uri() + ", until Enter");
      System.in.read();
      System.out.println("11. " + seen.poll(60, TimeUnit.SECONDS));
    }
  }
}
