package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.StreamInfo;
import dev.tidemark.records.internal.format.StreamRules;
import dev.tidemark.records.internal.keys.StreamKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The streams of a store. They are in its header, which every writer has in its read set, so no
 * transaction commits a change that a new stream misses.
 */
public final class StreamDefinitions {
  /** The version of the format of a stream's first row. */
  static final byte VERSION = 1;

  /** The number of the first partition of a stream. */
  private static final int FIRST_PARTITION = 1;

  private StreamDefinitions() {}

  /**
   * {@code header} with the streams that the schema declares. Those that it does not declare stay
   * as they are, so that no log is lost by a change of the schema.
   */
  public static Header declared(Transaction tx, Space space, Header header) {
    Header result = header;
    for (ChangeStreamSpec spec : space.schema().changeStreams()) {
      result = with(tx, space, result, spec);
    }
    check(space, result.streams());
    return result;
  }

  /** {@code header} with {@code spec}, which is new or replaces the stream of its name. */
  static Header with(Transaction tx, Space space, Header header, ChangeStreamSpec spec) {
    List<StreamInfo> streams = new ArrayList<>(header.streams());
    boolean known = false;
    for (int i = 0; i < streams.size(); i++) {
      if (streams.get(i).spec().name().equals(spec.name())) {
        streams.set(i, new StreamInfo(streams.get(i).id(), spec));
        known = true;
      }
    }
    int next = header.nextId();
    if (!known) {
      streams.add(new StreamInfo(next, spec));
      make(tx, space.keys().stream(next));
      next++;
    }
    check(space, streams);
    return header.withStreams(streams, next);
  }

  private static void check(Space space, List<StreamInfo> streams) {
    List<TypeSpec> types = space.schema().types().stream().<TypeSpec>map(RecordType::spec).toList();
    StreamRules.check(streams.stream().map(StreamInfo::spec).toList(), types);
  }

  private static void make(Transaction tx, StreamKeys keys) {
    byte[] row = new byte[1 + Versionstamp.COMMIT_BYTES + Integer.BYTES];
    row[0] = VERSION;
    row[1 + Versionstamp.COMMIT_BYTES] = 1; // the stamp's place, behind the version
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, keys.stream(), row);
    tx.set(keys.nextPartition(), Tuple.of(FIRST_PARTITION + 1).pack());
    PartitionRow.beginning(FIRST_PARTITION, PartitionRow.FIRST, PartitionRow.LAST, List.of())
        .begin(tx, keys);
  }

  /** Adds {@code spec} to a store that is open. */
  static void add(Transaction tx, Space space, ChangeStreamSpec spec) {
    space.change(tx, with(tx, space, header(tx, space), spec));
  }

  /** Removes the stream called {@code name} with its log; returns whether it was there. */
  static boolean remove(Transaction tx, Space space, String name) {
    Header header = header(tx, space);
    List<StreamInfo> streams = new ArrayList<>(header.streams());
    boolean there = false;
    for (StreamInfo stream : header.streams()) {
      if (stream.spec().name().equals(name)) {
        tx.clear(space.keys().stream(stream.id()).everything());
        streams.remove(stream);
        there = true;
      }
    }
    if (there) {
      space.change(tx, header.withStreams(streams, header.nextId()));
    }
    return there;
  }

  private static Header header(Transaction tx, Space space) {
    return space.ownState(tx).header();
  }
}
