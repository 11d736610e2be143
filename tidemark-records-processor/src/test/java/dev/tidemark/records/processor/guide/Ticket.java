package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.IndexKind;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

@Recordable(versions = true)
@Index(fields = "assignee", covering = "title", where = "status = 'OPEN' and closed is null")
@Index(fields = "place.building")
@Index(fields = "tags[]")
@Index(fields = "labels.keys[]")
@Index(name = "tickets_by_status", fields = "status", kind = IndexKind.COUNT)
record Ticket(
    @PrimaryKey long id,
    String title,
    @Nullable String assignee,
    Status status,
    @Nullable Instant closed,
    @Nullable Place place,
    Set<String> tags,
    Map<String, Integer> labels) {
  enum Status {
    OPEN,
    DONE
  }

  record Place(String building, int floor) {}
}
