package dev.tidemark.changes.spanner;

import com.google.cloud.ByteArray;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.StructReader;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of one run in one transaction; writes are kept until it commits, and seen by reads. */
final class SpannerRows implements MetadataStore.Rows {
  private static final List<String> PARTITION =
      List.of(
          "Generation",
          "PartitionToken",
          "ParentTokens",
          "StartPosition",
          "State",
          "ResumePosition",
          "BoundaryIds",
          "Owner",
          "Epoch",
          "CreatedAt",
          "ScheduledAt",
          "RunningAt",
          "FinishedAt");
  private static final List<String> RUN =
      List.of(
          "Generation", "Source", "StartPosition", "StartExclusive", "EndPosition", "CreatedAt");
  private static final List<String> MEMBER = List.of("Member", "LeaseEnd");

  private final ReadContext read;
  private final MetadataTables tables;
  private final String run;
  private final Map<Id, Optional<PartitionRow>> partitions = new TreeMap<>();
  private final Map<String, Optional<Instant>> members = new TreeMap<>();
  private @Nullable RunRow newRun;

  private record Id(long generation, String token) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int byGeneration = Long.compare(generation, other.generation);
      return byGeneration != 0 ? byGeneration : token.compareTo(other.token);
    }
  }

  SpannerRows(ReadContext read, MetadataTables tables, String run) {
    this.read = read;
    this.tables = tables;
    this.run = run;
  }

  @Override
  public Optional<RunRow> run() {
    if (newRun != null) {
      return Optional.of(newRun);
    }
    Struct row = read.readRow(tables.runs(), Key.of(run), RUN);
    return row == null
        ? Optional.empty()
        : Optional.of(
            new RunRow(
                row.getLong("Generation"),
                row.getString("Source"),
                position(row, "StartPosition"),
                row.getBoolean("StartExclusive"),
                row.isNull("EndPosition")
                    ? Optional.empty()
                    : Optional.of(position(row, "EndPosition")),
                SpannerPosition.instant(row.getTimestamp("CreatedAt"))));
  }

  @Override
  public void putRun(RunRow row) {
    newRun = row;
  }

  @Override
  public Optional<PartitionRow> partition(long generation, String token) {
    Optional<PartitionRow> own = partitions.get(new Id(generation, token));
    if (own != null) {
      return own;
    }
    Struct row = read.readRow(tables.partitions(), Key.of(run, generation, token), PARTITION);
    return row == null ? Optional.empty() : Optional.of(partition(row));
  }

  @Override
  public List<PartitionRow> partitions(long generation) {
    Map<Id, Optional<PartitionRow>> all = new TreeMap<>();
    KeySet keys = KeySet.range(KeyRange.prefix(Key.of(run, generation)));
    try (ResultSet rows = read.read(tables.partitions(), keys, PARTITION)) {
      while (rows.next()) {
        PartitionRow row = partition(rows);
        all.put(new Id(generation, row.token()), Optional.of(row));
      }
    }
    partitions.forEach(
        (id, row) -> {
          if (id.generation() == generation) {
            all.put(id, row);
          }
        });
    return all.values().stream().flatMap(Optional::stream).toList();
  }

  private static PartitionRow partition(StructReader row) {
    return new PartitionRow(
        row.getLong("Generation"),
        row.getString("PartitionToken"),
        row.getStringList("ParentTokens"),
        position(row, "StartPosition"),
        PartitionRow.State.valueOf(row.getString("State")),
        new ResumePoint(
            position(row, "ResumePosition"), new HashSet<>(row.getStringList("BoundaryIds"))),
        row.isNull("Owner") ? Optional.empty() : Optional.of(row.getString("Owner")),
        row.getLong("Epoch"),
        SpannerPosition.instant(row.getTimestamp("CreatedAt")),
        time(row, "ScheduledAt"),
        time(row, "RunningAt"),
        time(row, "FinishedAt"));
  }

  private static Position position(StructReader row, String column) {
    return Position.of(row.getBytes(column).toByteArray());
  }

  private static Optional<Instant> time(StructReader row, String column) {
    return row.isNull(column)
        ? Optional.empty()
        : Optional.of(SpannerPosition.instant(row.getTimestamp(column)));
  }

  @Override
  public void put(PartitionRow row) {
    partitions.put(new Id(row.generation(), row.token()), Optional.of(row));
  }

  @Override
  public void remove(long generation, String token) {
    partitions.put(new Id(generation, token), Optional.empty());
  }

  @Override
  public Map<String, Instant> members() {
    Map<String, Instant> all = new TreeMap<>();
    KeySet keys = KeySet.range(KeyRange.prefix(Key.of(run)));
    try (ResultSet rows = read.read(tables.members(), keys, MEMBER)) {
      while (rows.next()) {
        all.put(rows.getString("Member"), SpannerPosition.instant(rows.getTimestamp("LeaseEnd")));
      }
    }
    members.forEach(
        (member, end) -> {
          all.remove(member);
          end.ifPresent(until -> all.put(member, until));
        });
    return all;
  }

  @Override
  public Optional<Instant> member(String member) {
    Optional<Instant> own = members.get(member);
    if (own != null) {
      return own;
    }
    Struct row = read.readRow(tables.members(), Key.of(run, member), MEMBER);
    return row == null ? Optional.empty() : time(row, "LeaseEnd");
  }

  @Override
  public void putMember(String member, Instant end) {
    members.put(member, Optional.of(end));
  }

  @Override
  public void removeMember(String member) {
    members.put(member, Optional.empty());
  }

  /** What was written, for the transaction. */
  List<Mutation> mutations() {
    List<Mutation> made = new ArrayList<>();
    if (newRun != null) {
      made.add(mutation(newRun));
    }
    partitions.forEach(
        (id, row) ->
            made.add(
                row.map(this::mutation)
                    .orElseGet(
                        () ->
                            Mutation.delete(
                                tables.partitions(), Key.of(run, id.generation(), id.token())))));
    members.forEach(
        (member, end) ->
            made.add(
                end.map(
                        until ->
                            Mutation.newInsertOrUpdateBuilder(tables.members())
                                .set("Run")
                                .to(run)
                                .set("Member")
                                .to(member)
                                .set("LeaseEnd")
                                .to(SpannerPosition.timestamp(until))
                                .build())
                    .orElseGet(() -> Mutation.delete(tables.members(), Key.of(run, member)))));
    return made;
  }

  private Mutation mutation(RunRow row) {
    return Mutation.newInsertOrUpdateBuilder(tables.runs())
        .set("Run")
        .to(run)
        .set("Generation")
        .to(row.generation())
        .set("Source")
        .to(row.source())
        .set("StartPosition")
        .to(bytes(row.start()))
        .set("StartExclusive")
        .to(row.startExclusive())
        .set("EndPosition")
        .to(row.end().map(SpannerRows::bytes).orElse(null))
        .set("CreatedAt")
        .to(SpannerPosition.timestamp(row.createdAt()))
        .build();
  }

  private Mutation mutation(PartitionRow row) {
    return Mutation.newInsertOrUpdateBuilder(tables.partitions())
        .set("Run")
        .to(run)
        .set("Generation")
        .to(row.generation())
        .set("PartitionToken")
        .to(row.token())
        .set("ParentTokens")
        .toStringArray(row.parents())
        .set("StartTimestamp")
        .to(shown(row.start()))
        .set("Watermark")
        .to(shown(row.resume().position()))
        .set("State")
        .to(row.state().name())
        .set("StartPosition")
        .to(bytes(row.start()))
        .set("ResumePosition")
        .to(bytes(row.resume().position()))
        .set("BoundaryIds")
        .toStringArray(row.resume().boundary())
        .set("Owner")
        .to(row.owner().orElse(null))
        .set("Epoch")
        .to(row.epoch())
        .set("CreatedAt")
        .to(SpannerPosition.timestamp(row.createdAt()))
        .set("ScheduledAt")
        .to(timestamp(row.scheduledAt()))
        .set("RunningAt")
        .to(timestamp(row.runningAt()))
        .set("FinishedAt")
        .to(timestamp(row.finishedAt()))
        .build();
  }

  private static ByteArray bytes(Position position) {
    return ByteArray.copyFrom(position.toByteArray());
  }

  /** The time of a position, for people and for Beam's columns. */
  private static @Nullable Timestamp shown(Position position) {
    return timestamp(SpannerPosition.find(position));
  }

  private static @Nullable Timestamp timestamp(Optional<Instant> time) {
    return time.map(SpannerPosition::timestamp).orElse(null);
  }
}
