package com.example.tutorial;

import dev.tidemark.Tidemark;
import dev.tidemark.records.RecordStore;

final class Dashboard {
  private Dashboard() {}

  public static void main(String[] args) {
    try (Tidemark tidemark = Tidemark.open(args[0])) { // tidemark://127.0.0.1:7420
      RecordStore<Reading> readings = tidemark.records(ReadingStore::open);
      long count = tidemark.read(tx -> readings.query().where(Reading_.AREA.eq("north")).count(tx));
      System.out.println("11. North has " + count + " readings");
      tidemark.run(tx -> readings.insert(tx, new Reading(5, "m2", "north", 900)));
      System.out.println(
          "11. Threshold: " + tidemark.map("settings").get("threshold").orElseThrow());
    }
  }
}
