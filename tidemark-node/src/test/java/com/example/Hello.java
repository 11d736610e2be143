package com.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.query.Query;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

class Hello {
  public static void main(String[] args) {
    Path directory = Path.of(args[0]);
    String guest = args[1];
    try (Database db = EmbeddedDatabase.open(directory);
        Pulse pulse = Pulse.on(db)) {
      RecordStore<Visit> visits = VisitStore.open(db);
      EventStream events = pulse.stream("visits");

      Visit visit = new Visit(UUID.randomUUID(), guest, Instant.now());
      db.run( // one commit: the record, its index and the event
          tx -> {
            visits.insert(tx, visit);
            events.add(tx, "visit", "", guest.getBytes(UTF_8));
          });

      Query<Visit> mine = visits.query().where(Visit_.GUEST.eq(guest));
      long times = db.read(mine::count);
      System.out.println("Hello, " + guest + "! Visits: " + times + " of " + events.length());
    }
  }
}
