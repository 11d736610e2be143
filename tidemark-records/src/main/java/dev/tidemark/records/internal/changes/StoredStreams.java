package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Transaction;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangeStreams;
import dev.tidemark.records.changes.StreamGoneException;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.StreamInfo;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.util.Comparator;
import java.util.List;

/** The streams of a store. */
public final class StoredStreams implements ChangeStreams {
  private static final int TAG_MAX = 200;

  private final Space space;

  /** The streams of {@code space}. */
  public StoredStreams(Space space) {
    this.space = space;
  }

  @Override
  public List<ChangeStreamSpec> list() {
    return streams().stream()
        .map(StreamInfo::spec)
        .sorted(Comparator.comparing(ChangeStreamSpec::name))
        .toList();
  }

  private List<StreamInfo> streams() {
    return space
        .database()
        .read(tx -> space.header(tx))
        .map(Header::streams)
        .orElseThrow(
            () ->
                new StreamGoneException(
                    "The store at %s is gone; it was deleted while it was open"
                        .formatted(space.keys().header())));
  }

  @Override
  public void add(ChangeStreamSpec stream) {
    space.database().run(tx -> StreamDefinitions.add(tx, space, stream));
  }

  @Override
  public boolean remove(String name) {
    return space.database().transact(tx -> StreamDefinitions.remove(tx, space, name));
  }

  @Override
  public ChangeLog log(String name) {
    List<StreamInfo> streams = streams();
    return streams.stream()
        .filter(stream -> stream.spec().name().equals(name))
        .findFirst()
        .map(stream -> StoredLog.open(space, stream))
        .orElseThrow(
            () ->
                new ChangeLogException(
                    "The store at %s has no change stream '%s'; it has %s. Declare it with @ChangeStream, or add it with ChangeStreams.add"
                        .formatted(
                            space.keys().header(),
                            name,
                            streams.stream().map(stream -> stream.spec().name()).toList())));
  }

  @Override
  public void tag(Transaction tx, String tag) {
    if (tag.length() > TAG_MAX) {
      throw new IllegalArgumentException(
          "A tag of %,d characters is too long; it may have %d".formatted(tag.length(), TAG_MAX));
    }
    Capture.of(space).tag(tx, tag);
  }

  @Override
  public void exclude(Transaction tx) {
    Capture.of(space).exclude(tx);
  }
}
