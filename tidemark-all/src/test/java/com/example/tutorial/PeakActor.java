package com.example.tutorial;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.records.RecordStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;

final class PeakActor implements Actor<Reading, String> {
  private final RecordStore<Peak> peaks;
  private final Map<String, Long> highest = new TreeMap<>(); // by meter, in memory

  PeakActor(RecordStore<Peak> peaks) {
    this.peaks = peaks;
  }

  static ActorType<Reading, String> type(RecordStore<Peak> peaks) {
    Codec<Reading> requests = Codec.of(Reading::toBytes, Reading::parse);
    return ActorType.of("peak", requests, Codec.TEXT, context -> new PeakActor(peaks));
  }

  @Override
  public Outcome<String> receive(Reading reading) {
    if (reading.watts() <= highest.getOrDefault(reading.meter(), 0L)) {
      return Outcome.answer("no new peak");
    }
    highest.put(reading.meter(), reading.watts());
    Peak peak = new Peak(reading.meter(), reading.watts());
    return Outcome.answer("new peak of " + reading.watts() + " W")
        .log(reading.toBytes()) // the state is rebuilt from these
        .effects(tx -> peaks.save(tx, peak)); // committed together with the log entry
  }

  @Override
  public void replay(byte[] entry) {
    Reading reading = Reading.parse(entry);
    highest.put(reading.meter(), reading.watts());
  }

  @Override
  public void export(PartitionRange range, OutputStream target) throws IOException {
    DataOutputStream out = new DataOutputStream(target);
    for (Map.Entry<String, Long> entry : highest.entrySet()) {
      if (range.contains(Key.utf8(entry.getKey()))) {
        out.writeUTF(entry.getKey());
        out.writeLong(entry.getValue());
      }
    }
    out.writeUTF("");
  }

  @Override
  public void load(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    for (String meter = in.readUTF(); !meter.isEmpty(); meter = in.readUTF()) {
      highest.put(meter, in.readLong());
    }
  }
}
