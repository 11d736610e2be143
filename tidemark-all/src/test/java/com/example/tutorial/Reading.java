package com.example.tutorial;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.CaptureType;

@Recordable
@Index(fields = {"area", "watts"})
@ChangeStream(name = "readings", capture = CaptureType.NEW_ROW)
record Reading(@PrimaryKey long id, String meter, String area, long watts) {
  byte[] toBytes() {
    return "%d %s %s %d".formatted(id, meter, area, watts).getBytes(UTF_8);
  }

  static Reading parse(byte[] bytes) {
    String[] words = new String(bytes, UTF_8).split(" ", 4);
    return new Reading(Long.parseLong(words[0]), words[1], words[2], Long.parseLong(words[3]));
  }
}
