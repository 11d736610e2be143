package dev.tidemark.pulse.internal.kv.stream;

import static dev.tidemark.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.StoreClock;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What streams do in Tidemark's own store, looked at from within. */
class KvStreamTest {
  private static final Subspace HOME = Subspace.of("pulse");
  private static final Duration SHORT = Duration.ofMillis(50);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static SinkOptions oldest(SinkOptions options) {
    return options.withStart(Start.oldest()).withBlock(SHORT);
  }

  private static List<KeyValue> rows(Database database) {
    return database.read(tx -> tx.scan(HOME.sub("s").prefixRange()).list());
  }

  private static void inParallel(int threads, Runnable work) throws Exception {
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      FutureTask<Boolean> task = new FutureTask<>(work, true);
      tasks.add(task);
      Thread.ofVirtual().start(task);
    }
    for (FutureTask<Boolean> task : tasks) {
      task.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void addersDoNotConflict(Database database) throws Exception {
    FaultyDatabase counting = FaultyDatabase.over(database, FaultPlan.none());
    try (Pulse pulse = Pulse.on(counting, HOME)) {
      EventStream stream = pulse.stream("s", o -> o.keepingAll());
      stream.add("e", bytes("first"));
      long before = counting.commits();
      inParallel(16, () -> IntStream.range(0, 25).forEach(i -> stream.add("e", bytes("" + i))));

      assertThat(counting.commits() - before).isEqualTo(400);
      assertThat(stream.length()).isEqualTo(401);
    }
  }

  @Test
  void handlersOfOneClaimDoNotConflict(Database database) throws Exception {
    AtomicInteger handled = new AtomicInteger();
    try (Pulse pulse = Pulse.on(database, HOME)) {
      EventStream stream = pulse.stream("s");
      IntStream.range(0, 100).forEach(i -> stream.add("e", bytes("" + i)));
      try (Sink sink = stream.sink("s", o -> oldest(o).withParallel(16))) {
        sink.subscribe((tx, event) -> handled.incrementAndGet());
        eventually("all are handled", () -> handled.get() >= 100);
      }
    }
    assertThat(handled).hasValue(100);
  }

  @Test
  void sinkThatIsDoneLeavesOnlyItsPlace(Database database) throws Exception {
    AtomicInteger handled = new AtomicInteger();
    try (Pulse pulse = Pulse.on(database, HOME)) {
      EventStream stream = pulse.stream("s");
      IntStream.range(0, 30).forEach(i -> stream.add("e", bytes("" + i)));
      try (Sink plain = stream.sink("plain", KvStreamTest::oldest);
          Sink transactional = stream.sink("tx", o -> oldest(o).withParallel(3))) {
        List<Event> events = plain.read();
        events.subList(0, 20).forEach(plain::ack);
        plain.ackAll(events.subList(20, 30));
        transactional.subscribe((tx, event) -> handled.incrementAndGet());
        eventually("all are handled", () -> handled.get() >= 30);
        // Two rows a sink and one of its instance, thirty events, and the head of the stream.
        eventually("no claims are left", () -> rows(database).size() == 3 + 3 + 30 + 3);
      }
      assertThat(handled).hasValue(30);
      assertThat(rows(database)).as("rows when the instances have left").hasSize(2 + 2 + 30 + 3);
    }
  }

  @Test
  void trimmedEventsGiveTheirRoomBack(Database database) {
    try (Pulse pulse = Pulse.on(database, HOME)) {
      EventStream stream = pulse.stream("s", o -> o.withLengthMax(10));
      IntStream.range(0, 3_000).forEach(i -> stream.add("e", bytes("" + i)));

      assertThat(stream.length()).isEqualTo(10);
      assertThat(rows(database)).hasSizeLessThan(400);
    }
  }

  @Test
  void asManyEventsAreStoredAsAreCountedWhoeverTrims(Database database) throws Exception {
    StreamSpace space = new StreamSpace(HOME.sub("s", "s"));
    try (Pulse one = Pulse.on(database, HOME);
        Pulse other = Pulse.on(database, HOME)) {
      EventStream first = one.stream("s", o -> o.withLengthMax(10));
      EventStream second = other.stream("s", o -> o.withLengthMax(10));
      for (int life = 0; life < 3; life++) {
        Set<EventId> added = new ConcurrentSkipListSet<>();
        inParallel(
            4,
            () ->
                IntStream.range(0, 300)
                    .forEach(i -> added.add((i % 3 == 0 ? first : second).add("e", bytes("x")))));
        StreamHead head = database.read(tx -> StreamHead.read(tx, space));
        assertThat(head.added()).isEqualTo(1_200);
        assertThat(head.length()).isEqualTo(10);
        List<KeyValue> stored = database.read(tx -> tx.scan(space.events()).list());
        assertThat(stored)
            .as("events of life %d", life)
            .hasSize((int) (head.added() - head.gone()))
            .hasSizeLessThan(400);
        assertThat(stored.stream().map(row -> space.eventId(row.key())))
            .as("the newest ones")
            .containsExactlyElementsOf(added.stream().skip(head.gone()).toList());
        second.destroy();
      }
    }
  }

  /** Reads of {@code database}, with the keys that their scans and selectors begin at. */
  private static Database watched(Database database, Collection<Key> begins) {
    return proxy(
        Database.class,
        (self, method, arguments) -> {
          boolean begin = method.getName().equals("begin") && arguments != null;
          Object result =
              method.isDefault()
                  ? InvocationHandler.invokeDefault(self, method, arguments)
                  : method.invoke(database, arguments);
          return begin && !method.isDefault()
              ? watched(Transaction.class, (Transaction) result, begins)
              : result;
        });
  }

  private static <T extends ReadTransaction> T watched(
      Class<T> type, T reads, Collection<Key> begins) {
    return proxy(
        type,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "equals" ->
                  System.identityHashCode(self) == System.identityHashCode(arguments[0]);
              case "snapshot" -> watched(ReadTransaction.class, reads.snapshot(), begins);
              case "scan", "getKey" -> {
                begins.add(
                    arguments[0] instanceof KeyRange range
                        ? range.begin()
                        : ((KeySelector) arguments[0]).key());
                yield method.invoke(reads, arguments);
              }
              default -> method.invoke(reads, arguments);
            });
  }

  /** What comes as soon as something does. */
  private static List<Event> next(Supplier<List<Event>> read) {
    List<Event> events = new ArrayList<>();
    eventually("events come", () -> events.addAll(read.get()));
    return events;
  }

  @Test
  void nobodyReadsWhereEventsHaveBeenTrimmed(Database database) {
    List<Key> begins = new CopyOnWriteArrayList<>();
    StreamSpace space = new StreamSpace(HOME.sub("s", "s"));
    try (Pulse pulse = Pulse.on(watched(database, begins), HOME)) {
      EventStream stream = pulse.stream("s", o -> o.withLengthMax(100));
      IntStream.range(0, 1_000).forEach(i -> stream.add("e", bytes("" + i)));
      EventId trimmed = database.read(tx -> StreamHead.read(tx, space)).trimmed();
      assertThat(trimmed).isGreaterThan(EventId.ZERO);
      begins.clear();
      try (Sink sink = stream.sink("k", KvStreamTest::oldest);
          Reader reader = stream.reader(o -> o.withStart(Start.oldest()).withBlock(SHORT))) {
        assertThat(stream.length()).isEqualTo(100);
        List<Event> events = next(sink::read);
        assertThat(events).hasSize(100);
        sink.ackAll(events);
        assertThat(next(reader::read)).hasSize(100);
      }
      Key head = HOME.sub("s", "s").pack(0);
      assertThat(begins)
          .isNotEmpty()
          .noneMatch(key -> key.compareTo(head) >= 0 && key.compareTo(space.event(trimmed)) < 0);
    }
  }

  @Test
  void eachClaimIsReadOnceHoweverManyOfItsEventsAreNamed(Database database) {
    List<Key> begins = new CopyOnWriteArrayList<>();
    try (Pulse pulse = Pulse.on(watched(database, begins), HOME)) {
      EventStream stream = pulse.stream("s", o -> o.keepingAll());
      IntStream.range(0, 600).forEach(i -> stream.add("e", bytes("" + i)));
      try (Sink sink = stream.sink("k", o -> oldest(o).withBatchMax(300))) {
        List<Event> all = new ArrayList<>(next(sink::read));
        all.addAll(next(sink::read));
        assertThat(all).hasSize(600);
        sink.ackAll(all.subList(0, 300));
        begins.clear();

        assertThat(sink.extend(all)).isEqualTo(all.subList(300, 600));
        sink.ackAll(all.subList(100, 500));
        sink.ackAll(all.subList(400, 600));
        assertThat(sink.extend(all)).isEmpty();
        assertThat(begins).hasSizeLessThan(20);
      }
    }
  }

  @Test
  void readerOfAStreamWhoseMaximumWasLoweredTrimsRatherThanWalk(Database database) {
    StreamSpace space = new StreamSpace(HOME.sub("s", "s"));
    int count = 12_000;
    try (Pulse pulse = Pulse.on(database, HOME)) {
      EventStream all = pulse.stream("s", o -> o.keepingAll());
      for (int i = 0; i < count; i += 1_000) {
        database.run(
            tx -> IntStream.range(0, 1_000).forEach(j -> all.add(tx, "e", "", new byte[0])));
      }
      database.run(tx -> tx.set(space.lengthMax(), StreamHead.bytes(10)));

      // A handle that says how much is kept would set that again.
      try (Sink sink = pulse.stream("s").sink("k", KvStreamTest::oldest)) {
        assertThat(next(sink::read)).hasSize(10);
      }
      StreamHead head = database.read(tx -> StreamHead.read(tx, space));
      assertThat(head.gone()).isGreaterThan(count - 1_100);
      assertThat(head.length()).isEqualTo(10);
      List<KeyValue> stored = database.read(tx -> tx.scan(space.events()).list());
      assertThat(stored).hasSize((int) (head.added() - head.gone()));
    }
  }

  @Test
  void noReaderEverSeesMoreThanTheMaximum(Database database) throws Exception {
    try (Pulse pulse = Pulse.on(database, HOME)) {
      EventStream stream = pulse.stream("s", o -> o.withLengthMax(10));
      FutureTask<Boolean> adding =
          new FutureTask<>(
              () -> {
                inParallel(
                    8, () -> IntStream.range(0, 100).forEach(i -> stream.add("e", bytes("x"))));
                return true;
              });
      Thread.ofVirtual().start(adding);
      int reads = 0;
      while (!adding.isDone() || reads == 0) {
        try (Reader reader = stream.reader(o -> o.withStart(Start.oldest()).withBlock(SHORT))) {
          assertThat(reader.read()).hasSizeLessThanOrEqualTo(10);
          assertThat(stream.length()).isLessThanOrEqualTo(10);
          reads++;
        }
      }
      adding.get(1, TimeUnit.SECONDS);
      assertThat(stream.length()).isEqualTo(10);
    }
  }

  /** A database that never learns where its transactions were committed, as after a cut. */
  private static Database forgetful(Database database) {
    return proxy(
        Database.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "commitCanBeUnknown" -> true;
              case "begin" ->
                  method.isDefault()
                      ? InvocationHandler.invokeDefault(self, method, arguments)
                      : forgetful(database.begin((TransactionOptions) arguments[0]));
              default ->
                  method.isDefault()
                      ? InvocationHandler.invokeDefault(self, method, arguments)
                      : method.invoke(database, arguments);
            });
  }

  private static Transaction forgetful(Transaction transaction) {
    return proxy(
        Transaction.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "committedVersion", "versionstamp" ->
                  throw UsageException.invalidOperation("The version is not known");
              case "equals" ->
                  System.identityHashCode(self) == System.identityHashCode(arguments[0]);
              default -> method.invoke(transaction, arguments);
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void eventWhoseCommitWasUnknownAtFirstIsFoundByItsTag(Database database) {
    try (Pulse pulse = Pulse.on(forgetful(database), HOME)) {
      EventStream stream = pulse.stream("s", o -> o.withSlidingTimeToLive(Duration.ofHours(1)));
      List<EventId> ids =
          IntStream.range(0, 5).mapToObj(i -> stream.add("e", bytes("same"))).toList();
      EventId once = stream.addOnce("k", "e", "", bytes("same"));

      try (Reader reader = stream.reader(o -> o.withStart(Start.oldest()).withBlock(SHORT))) {
        List<EventId> stored = reader.read().stream().map(Event::id).toList();
        assertThat(stored.subList(0, 5)).isEqualTo(ids);
        assertThat(stored.get(5)).isEqualTo(once);
      }
    }
  }

  @Test
  void clockOfTheStoreNeverGoesBack(Database database) {
    StoreClock clock = new StoreClock(database, HOME.pack("clock"));
    Instant last = clock.now();
    for (int i = 0; i < 1_000; i++) {
      if (i % 10 == 0) {
        clock.observe(
            database.transact(
                tx -> {
                  tx.set(HOME.pack("x"), bytes("x"));
                  return tx;
                }));
      }
      Instant now = clock.now();
      assertThat(now).isAfterOrEqualTo(last);
      last = now;
    }
    Instant machine = TimeSource.system().instant();
    assertThat(last).isBetween(machine.minusSeconds(5), machine.plusSeconds(5));
  }
}
