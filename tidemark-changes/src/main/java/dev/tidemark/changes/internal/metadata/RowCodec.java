package dev.tidemark.changes.internal.metadata;

import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.RunRow;
import dev.tidemark.kv.tuple.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows as tuples. The first element of each is the version of the format. */
final class RowCodec {
  private static final int FORMAT = 1;

  private RowCodec() {}

  static Tuple encode(RunRow row) {
    return Tuple.of(
        FORMAT,
        row.generation(),
        row.source(),
        row.start().toByteArray(),
        row.startExclusive(),
        row.end().map(Position::toByteArray).orElse(null),
        nanos(row.createdAt()));
  }

  static RunRow decodeRun(byte[] bytes) {
    Tuple row = checked(bytes);
    return new RunRow(
        row.getLong(1),
        row.getString(2),
        Position.of(row.getBytes(3)),
        row.getBoolean(4),
        row.isNull(5) ? Optional.empty() : Optional.of(Position.of(row.getBytes(5))),
        time(row.getTuple(6)));
  }

  static Tuple encode(PartitionRow row) {
    return Tuple.of(
        FORMAT,
        Tuple.copyOf(row.parents()),
        row.start().toByteArray(),
        row.state().name(),
        row.resume().position().toByteArray(),
        Tuple.copyOf(List.copyOf(row.resume().boundary())),
        row.owner().orElse(null),
        row.epoch(),
        nanos(row.createdAt()),
        row.scheduledAt().map(RowCodec::nanos).orElse(null),
        row.runningAt().map(RowCodec::nanos).orElse(null),
        row.finishedAt().map(RowCodec::nanos).orElse(null));
  }

  static PartitionRow decodePartition(long generation, String token, byte[] bytes) {
    Tuple row = checked(bytes);
    return new PartitionRow(
        generation,
        token,
        texts(row.getTuple(1)),
        Position.of(row.getBytes(2)),
        PartitionRow.State.valueOf(row.getString(3)),
        new ResumePoint(Position.of(row.getBytes(4)), set(texts(row.getTuple(5)))),
        row.isNull(6) ? Optional.empty() : Optional.of(row.getString(6)),
        row.getLong(7),
        time(row.getTuple(8)),
        optionalTime(row, 9),
        optionalTime(row, 10),
        optionalTime(row, 11));
  }

  private static Tuple checked(byte[] bytes) {
    Tuple row = Tuple.unpack(bytes);
    if (row.isEmpty() || row.getLong(0) != FORMAT) {
      throw new IllegalStateException(
          "A row of the metadata has format %s; this version reads format %d. Use a newer version"
              .formatted(row.isEmpty() ? "none" : row.get(0), FORMAT));
    }
    return row;
  }

  private static Tuple nanos(Instant time) {
    return Tuple.of(time.getEpochSecond(), time.getNano());
  }

  private static Instant time(Tuple time) {
    return Instant.ofEpochSecond(time.getLong(0), time.getLong(1));
  }

  private static Optional<Instant> optionalTime(Tuple row, int index) {
    return row.isNull(index) ? Optional.empty() : Optional.of(time(row.getTuple(index)));
  }

  private static List<String> texts(Tuple tuple) {
    List<String> texts = new ArrayList<>();
    for (@Nullable Object each : tuple.toList()) {
      texts.add((String) each);
    }
    return texts;
  }

  private static Set<String> set(List<String> texts) {
    return new HashSet<>(texts);
  }
}
