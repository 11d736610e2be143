package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.PartitionBalance;
import dev.tidemark.records.internal.format.StreamInfo;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The log of one stream of a store. */
final class StoredLog implements ChangeLog {
  private static final byte[] STAMP = new byte[Versionstamp.BYTES + Integer.BYTES];

  private final Space space;
  private final Database database;
  private final StreamInfo info;
  private final StreamState stream;

  private StoredLog(Space space, StreamInfo info, StreamState stream) {
    this.space = space;
    this.database = space.database();
    this.info = info;
    this.stream = stream;
  }

  static ChangeLog open(Space space, StreamInfo info) {
    return new StoredLog(space, info, StreamState.open(space, info));
  }

  @Override
  public ChangeStreamSpec stream() {
    return database.read(
        tx -> {
          stream.get(tx);
          return space.state(tx).header().streams().stream()
              .filter(each -> each.id() == info.id())
              .findFirst()
              .orElse(info)
              .spec();
        });
  }

  // ---- positions

  @Override
  public ChangePosition earliest() {
    return database.read(tx -> stream.earliest(tx));
  }

  @Override
  public ChangePosition now() {
    return database.read(
        tx -> {
          stream.get(tx);
          return ChangePosition.behind(tx.readVersion());
        });
  }

  @Override
  public ChangePosition at(Instant time) {
    Instant now = database.time().instant();
    if (time.isAfter(now)) {
      throw new ChangeLogException(
          "Changes from %s on were asked for; it is %s. Ask for a time that has come"
              .formatted(time, now));
    }
    long version = database.versionAt(time.minusNanos(1));
    ChangePosition latest = now();
    ChangePosition asked = ChangePosition.behind(Math.max(0, version));
    return asked.compareTo(latest) < 0 ? asked : latest;
  }

  @Override
  public Instant timeOf(ChangePosition position) {
    return database.timeOf(position.version());
  }

  // ---- partitions

  @Override
  public List<ChangePartition> partitions() {
    return database.read(
        tx -> {
          stream.get(tx);
          return described(tx, row -> true);
        });
  }

  @Override
  public List<ChangePartition> partitionsAt(ChangePosition position) {
    return database.read(
        tx -> {
          stream.checkNotExpired(position, stream.earliest(tx));
          stream.checkNotAhead(tx, position);
          return described(tx, row -> true).stream()
              .filter(partition -> partition.isAliveAt(position))
              .toList();
        });
  }

  private List<ChangePartition> described(ReadTransaction tx, Predicate<PartitionRow> wanted) {
    SpaceState state = space.state(tx);
    return stream.partitions(tx).stream().filter(wanted).map(row -> described(state, row)).toList();
  }

  private ChangePartition described(SpaceState state, PartitionRow row) {
    Versionstamp ended = row.ended();
    List<String> children =
        ended == null
            ? List.of()
            : row.children().stream().map(child -> new Token(ended, child).text()).toList();
    return new ChangePartition(
        row.token().text(),
        bound(state, row.begin(), PartitionRow.FIRST),
        bound(state, row.end(), PartitionRow.LAST),
        row.startPosition(),
        Optional.ofNullable(ended).map(stamp -> new ChangePosition(stamp, 0)),
        row.parents().stream().map(Token::text).toList(),
        children);
  }

  private static Optional<ChangePartition.Bound> bound(SpaceState state, Key key, Key unbounded) {
    if (key.equals(unbounded)) {
      return Optional.empty();
    }
    try {
      Tuple tuple = Tuple.unpack(key);
      int number = tuple.getInt(0);
      String type =
          state.header().types().entrySet().stream()
              .filter(each -> each.getValue() == number)
              .map(each -> each.getKey())
              .findFirst()
              .orElse("#" + number);
      return Optional.of(new ChangePartition.Bound(type, tuple.subTuple(1, tuple.size())));
    } catch (MalformedTupleException damaged) {
      throw new ChangeLogException(
          "A partition has the bound %s, which is no key of a record".formatted(key.describe()));
    }
  }

  @Override
  public List<ChangePartition> split(String token, String type, Tuple key) {
    Token parent = Token.parse(token);
    List<Integer> children =
        database.transact(
            tx -> {
              Integer number = space.state(tx).header().types().get(type);
              if (number == null) {
                throw new ChangeLogException("The schema has no type %s".formatted(type));
              }
              Key cut = Tuple.of(number).concat(key).toKey();
              return new PartitionChange(stream, tx).split(parent, cut);
            });
    return made(children);
  }

  @Override
  public ChangePartition merge(String token, String other) {
    Token one = Token.parse(token);
    Token two = Token.parse(other);
    List<Integer> child = database.transact(tx -> new PartitionChange(stream, tx).merge(one, two));
    return made(child).getFirst();
  }

  @Override
  public List<ChangePartition> balance(PartitionBalance when) {
    Optional<PartitionLoad.Step> step =
        database.read(
            tx -> {
              stream.get(tx);
              return PartitionLoad.of(database, tx, stream, when).step();
            });
    if (step.isEmpty()) {
      return List.of();
    }
    return made(
        database.transact(
            tx -> {
              PartitionChange change = new PartitionChange(stream, tx);
              return switch (step.get()) {
                case PartitionLoad.Step.Split split -> change.split(split.token(), split.cut());
                case PartitionLoad.Step.Merge merge -> change.merge(merge.one(), merge.other());
              };
            }));
  }

  private List<ChangePartition> made(List<Integer> numbers) {
    return database.read(tx -> described(tx, row -> numbers.contains(row.number())));
  }

  // ---- changes

  @Override
  public ChangeBatch read(String token, ChangePosition from, int maxChanges, int maxBytes) {
    return database.read(tx -> read(tx, token, from, maxChanges, maxBytes));
  }

  @Override
  public ChangeBatch read(
      ReadTransaction tx, String token, ChangePosition from, int maxChanges, int maxBytes) {
    if (maxChanges < 1 || maxBytes < 1) {
      throw new IllegalArgumentException(
          "maxChanges is %,d and maxBytes %,d; both must be positive"
              .formatted(maxChanges, maxBytes));
    }
    Token wanted = Token.parse(token);
    return new LogReader(space, stream, tx).read(wanted, from, maxChanges, maxBytes);
  }

  @Override
  public Watch watch() {
    return database.transact(
        tx -> {
          stream.get(tx);
          return tx.watch(stream.keys().wake());
        });
  }

  @Override
  public Key newsKey() {
    return stream.keys().wake();
  }

  @Override
  public void tick() {
    write(tx -> tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, stream.keys().tick(), STAMP));
  }

  /**
   * Each write also reads the row of the stream, so that nothing is written to a removed stream.
   */
  private void write(Consumer<Transaction> body) {
    database.run(
        tx -> {
          stream.get(tx);
          body.accept(tx);
        });
  }

  // ---- retention

  @Override
  public void pin(String reader, ChangePosition position, Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException("A pin of %s is over at once".formatted(time));
    }
    write(tx -> LogRetention.pin(tx, stream.keys(), reader, position, until(time)));
  }

  private Instant until(Duration time) {
    return database.time().instant().plus(time);
  }

  @Override
  public void unpin(String reader) {
    write(tx -> tx.clear(stream.keys().pin(reader)));
  }
}
