package dev.tidemark.bench.measure;

import java.util.Arrays;
import java.util.List;

/** A part of the work of a transaction, told by the frames of a stack. */
enum Phase {
  RESOLVE("resolve: conflict check", ".Resolver. .Epoch. .SortedRun."),
  WRITE("write and sync: RocksDB's write", "org.rocksdb.RocksDB.write"),
  BUILD("build: the bytes of a group", ".BatchBuilder. .Footprint. .KeyHash."),
  READ_SCAN("read: scans", ".PinnedVersion.scan org.rocksdb.RocksIterator."),
  READ_GET("read: gets", ".PinnedVersion.get org.rocksdb.RocksDB.get multiGet"),
  PIN("pin: snapshots of versions", "Snapshot .PinnedVersion."),
  FRAMES("frames: making and reading messages", "com.google.protobuf. .remote.internal.wire."),
  WAKE("wake and wait: handing results to threads", "park submitRunContinuation signal"),
  REMOTE("remote: the rest of client and server", "dev.tidemark.remote."),
  WIRE("wire: sockets, HTTP/2 and gRPC", "io.grpc. io.netty. sun.nio.ch. java.net."),
  CODEC(
      "codec: records to bytes and back",
      ".RecordWriter. .RecordReader. .UserCodec. .RecordBytes."),
  TUPLES(
      "tuples: keys and their elements",
      ".Tuple. .TupleEncoder. .TupleDecoder. .TupleCode. .KeyElements."),
  RECORDS("records: the rest of the record layer", "dev.tidemark.records."),
  COMMITTER("commit: the rest of the committer", "dev.tidemark.embedded."),
  OVERLAY("overlay: buffered writes and reads", "dev.tidemark.kv."),
  LOAD("the load itself: making keys and values", "dev.tidemark.bench."),
  OTHER("other", "");

  private final String description;

  /** Parts of names of frames, with blanks between them. */
  private final String marks;

  Phase(String description, String marks) {
    this.description = description;
    this.marks = marks;
  }

  String description() {
    return description;
  }

  /** The phase of a stack, innermost frame first: of the phases in order, the first that fits. */
  static Phase of(List<String> frames) {
    for (Phase phase : values()) {
      if (frames.stream().anyMatch(phase::fits)) {
        return phase;
      }
    }
    return OTHER;
  }

  /** The frame to show: the innermost one, and where it was called from in this phase. */
  String telling(List<String> frames) {
    String inner = frames.getFirst();
    String outer = frames.stream().filter(this::fits).findFirst().orElse(inner);
    return outer.equals(inner) ? inner : inner + " in " + outer;
  }

  private boolean fits(String frame) {
    return !marks.isEmpty() && Arrays.stream(marks.split(" ", -1)).anyMatch(frame::contains);
  }
}
