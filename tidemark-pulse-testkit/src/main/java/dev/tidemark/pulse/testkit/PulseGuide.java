package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkStatistics;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The examples of docs/pulse.md, on whatever store a subclass opens. */
@SuppressWarnings("try") // a subscription works while it is open, without being named
public abstract class PulseGuide extends PulseConformance {
  /** For subclasses. */
  protected PulseGuide() {}

  /** Publishes events and reads them. */
  @Test
  protected void everyReaderSeesEveryEvent() {
    Pulse pulse = pulse();
    // tag::reader
    EventStream users = pulse.stream("users", o -> o.withLengthMax(10_000));
    try (Reader analytics = users.reader(); // begins with the next event
        Reader projection = users.reader(o -> o.withStart(Start.oldest()))) {
      EventId id = users.add("user.created", bytes("{\"user\": 123}"));

      List<Event> batch = analytics.read(); // waits for up to five seconds
      assertThat(batch).singleElement().extracting(Event::id).isEqualTo(id);
      assertThat(projection.read()).hasSize(1); // has its own cursor
    }
    // end::reader
  }

  /** Goes on where a reader of the same name stopped. */
  @Test
  protected void namedReaderGoesOnWhereItStopped() {
    EventStream orders = pulse().stream("orders");
    orders.add("order.created", bytes("1"));
    orders.add("order.paid", bytes("1"));
    // tag::named
    try (Reader reader = orders.reader(o -> o.withName("billing").withStart(Start.oldest()))) {
      Event first = reader.read().getFirst();
      reader.ack(first); // all up to here is done
    }
    try (Reader reader = orders.reader(o -> o.withName("billing"))) {
      assertThat(reader.read().getFirst().name()).isEqualTo("order.paid");
    }
    // end::named
  }

  /** Reads several streams. */
  @Test
  protected void readerTakesSeveralStreams() {
    EventStream orders = pulse().stream("orders");
    EventStream payments = pulse().stream("payments");
    Set<String> seen = ConcurrentHashMap.newKeySet();
    // tag::fan-in
    try (Reader both = orders.reader()) {
      both.addStream(payments);
      both.subscribe(event -> seen.add(event.stream() + " " + event.name()));
      orders.add("created", bytes("1"));
      payments.add("made", bytes("1"));

      eventually("both came", () -> seen.equals(Set.of("orders created", "payments made")));
    }
    // end::fan-in
  }

  /** Shares events between consumers. */
  @Test
  protected void sinkSharesEventsBetweenItsInstances() {
    Queue<String> done = new ConcurrentLinkedQueue<>();
    // tag::sink
    EventStream orders = pulse().stream("orders");
    try (Sink mailer = orders.sink("mailer", o -> o.withAckGrace(Duration.ofSeconds(30)));
        Sink second = orders.sink("mailer", o -> o.withAckGrace(Duration.ofSeconds(30)));
        Subscription one = mailer.subscribe(event -> done.add(event.name()));
        Subscription two = second.subscribe(event -> done.add(event.name()))) {
      orders.add("order.created", "eu", bytes("1"));
      orders.add("order.paid", "eu", bytes("1"));

      eventually("both events are done, each by one of the two", () -> done.size() == 2);
    }
    // end::sink
    assertThat(done).containsExactlyInAnyOrder("order.created", "order.paid");
  }

  /** Sends events that cannot be handled to a stream of dead letters. */
  @Test
  protected void eventThatAlwaysFailsBecomesADeadLetter() {
    // tag::dead
    EventStream payments = pulse().stream("payments");
    try (Sink sink =
            payments.sink(
                "ledger",
                o ->
                    o.withStart(Start.oldest())
                        .withAckGrace(Duration.ofMillis(100))
                        .withDeliveriesMax(2));
        Subscription failing =
            sink.subscribe(
                event -> {
                  throw new IllegalStateException("cannot be booked");
                })) {
      payments.add("payment.made", bytes("9.99"));

      eventually("it is put aside", () -> pulse().stream("payments:dead").length() == 1);
    }
    // end::dead
  }

  /** Rebuilds state from events. */
  @Test
  protected void stateIsRebuiltFromEvents() {
    EventStream orders = pulse().stream("orders");
    List.of("created", "paid", "shipped").forEach(step -> orders.add("order." + step, bytes("7")));
    // tag::replay
    List<String> history = new ArrayList<>();
    try (Reader replay = orders.reader(o -> o.withStart(Start.oldest()))) {
      replay.read().forEach(event -> history.add(event.name()));
    }
    assertThat(history).containsExactly("order.created", "order.paid", "order.shipped");
    // end::replay
  }

  /** Repeats an add that has its effect once. */
  @Test
  protected void repeatedAddHappensOnce() {
    EventStream orders = pulse().stream("orders");
    // tag::once
    EventId first = orders.addOnce("payment-4711", "order.paid", "", bytes("1"));
    EventId again = orders.addOnce("payment-4711", "order.paid", "", bytes("1"));
    assertThat(again).isEqualTo(first);
    assertThat(orders.length()).isEqualTo(1);
    // end::once
  }

  /** Shares flags and counters. */
  @Test
  protected void mapIsReadLocallyAndWrittenForAll() {
    // tag::map
    try (ReplicatedMap<String, String> config = pulse().map("config");
        ReplicatedMap<String, String> elsewhere = another().map("config")) {
      config.set("feature.enabled", "true");
      config.increment("requests.total", 1);
      config.append("allowed.regions", List.of("us-east-1", "eu-west-1"));
      config.testAndSet("config.version", "v1", "v2"); // nothing: it is not v1

      eventually("others see it", () -> elsewhere.get("feature.enabled").isPresent());
      Optional<String> none = elsewhere.get("config.version");
      assertThat(none).isEmpty();
      config.setAndWait("greeting", "hello", Duration.ofSeconds(10));
      assertThat(config.get("greeting")).contains("hello"); // one's own write, seen for sure
    }
    // end::map
  }

  /** Hears of changes. */
  @Test
  protected void changesAreHeardOf() {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    // tag::changes
    try (ReplicatedMap<String, String> config = pulse().map("config");
        Subscription any = config.onChange(kind -> heard.add(kind.name()));
        Subscription each =
            config.onEntry(change -> heard.add(change.key().orElse("everything")))) {
      config.set("feature.enabled", "true");

      eventually("both were told", () -> heard.containsAll(List.of("CHANGE", "feature.enabled")));
    }
    // end::changes
  }

  // tag::cached
  private record Profile(String name, String mail) {}

  private static final Codec<Profile> PROFILES =
      Codec.of(
          profile -> Tuple.of(profile.name(), profile.mail()).pack(),
          bytes -> {
            Tuple fields = Tuple.unpack(bytes);
            return new Profile(fields.getString(0), fields.getString(1));
          });

  // end::cached

  /** Keeps values of one's own type in every process. */
  @Test
  protected void profileIsLoadedOnceForAllProcesses() {
    Queue<String> loads = new ConcurrentLinkedQueue<>();
    Function<String, Profile> loaded =
        user -> {
          loads.add(user);
          return new Profile(user, user + "@example.com");
        };
    // tag::cache
    try (ReplicatedMap<String, Profile> cache =
        pulse().map("profiles", Codec.TEXT, PROFILES, o -> o.withTimeToLive(Duration.ofHours(1)))) {
      Profile ann =
          cache
              .get("ann")
              .orElseGet(
                  () -> {
                    Profile fresh = loaded.apply("ann");
                    cache.set("ann", fresh); // from here it goes to every process
                    return fresh;
                  });
      assertThat(ann.mail()).isEqualTo("ann@example.com");
      eventually("it is in the copy", () -> cache.contains("ann"));
    }
    // end::cache
    try (ReplicatedMap<String, Profile> elsewhere =
        another().map("profiles", Codec.TEXT, PROFILES, o -> o)) {
      assertThat(elsewhere.get("ann")).contains(new Profile("ann", "ann@example.com"));
    }
    assertThat(loads).containsExactly("ann");
  }

  // tag::handler
  /** Keeps a connection for each device. */
  private static final class Connections implements JobHandler {
    private final Set<String> open = ConcurrentHashMap.newKeySet();

    @Override
    public void start(Job job) { // starts the work and returns
      open.add(job.key());
    }

    @Override
    public void stop(String key) { // when this returns it no longer runs here
      open.remove(key);
    }
  }

  // end::handler

  /** Runs long-running jobs. */
  @Test
  protected void poolKeepsAJobRunningForEveryKey() {
    // tag::pool
    Connections connections = new Connections();
    try (PoolNode node = pulse().pool("devices");
        PoolClient client = another().poolClient("devices")) {
      node.addWorker(connections);
      client.dispatch("device-1", bytes("10.0.0.1")); // returns when it has been started

      assertThat(connections.open).contains("device-1");
      Assertions.assertThatExceptionOfType(JobExistsException.class)
          .isThrownBy(() -> client.dispatch("device-1", bytes("10.0.0.1")));
      client.stop("device-1");
      assertThat(client.jobKeys()).isEmpty();
    }
    // end::pool
  }

  /** Runs jobs that end. */
  @Test
  protected void poolRunsJobsThatEndAndTriesThemAgain() {
    Queue<String> tries = new ConcurrentLinkedQueue<>();
    // tag::runner
    RetryPolicy patient = RetryPolicy.of(5, Duration.ofMillis(50));
    try (PoolNode node = pulse().pool("images", o -> o.withRetry(patient))) {
      node.addRunner(
          job -> {
            tries.add(job.key());
            if (job.attempt() == 1) {
              throw new IllegalStateException("the first time it fails");
            }
          },
          4); // four at a time
      node.dispatch("thumbnail-7", bytes("https://example.com/7.png"));

      eventually("it was done at the second try", () -> node.jobKeys().isEmpty());
      assertThat(tries).containsExactly("thumbnail-7", "thumbnail-7");
    }
    // end::runner
  }

  /** Starts jobs later. */
  @Test
  protected void jobsStartLater() {
    Queue<String> done = new ConcurrentLinkedQueue<>();
    // tag::later
    try (PoolNode node = pulse().pool("reports")) {
      node.addRunner(job -> done.add(job.key()));
      node.dispatch("reminder", bytes(""), o -> o.withDelay(Duration.ofMillis(50)));
      node.cron("nightly", "30 2 * * *", ZoneOffset.UTC, "report", bytes(""));

      eventually("the reminder has been run", () -> done.contains("reminder"));
      assertThat(node.crons()).containsExactly("nightly");
    }
    // end::later
  }

  /** Asks a sink what it has done. */
  @Test
  protected void sinkKnowsWhatItHasDone() {
    EventStream orders = pulse().stream("orders");
    orders.add("order.created", bytes("1"));
    orders.add("order.paid", bytes("1"));
    orders.add("order.shipped", bytes("1"));
    Queue<String> mails = new ConcurrentLinkedQueue<>();
    // tag::numbers
    try (Sink mailer = orders.sink("mailer", o -> o.withStart(Start.oldest()));
        Subscription sending = mailer.subscribe(event -> mails.add(event.name()))) {
      eventually("all is acknowledged", () -> mailer.statistics().acknowledged() == 3);

      SinkStatistics done = mailer.statistics();
      assertThat(done.delivered()).isEqualTo(3);
      assertThat(done.handlerFailures()).isZero();
    }
    // end::numbers
    assertThat(mails).containsExactlyInAnyOrder("order.created", "order.paid", "order.shipped");
  }

  /** The flow of a sign-up. */
  @Test
  protected void newUserIsWelcomed() {
    Queue<String> mails = new ConcurrentLinkedQueue<>();
    // tag::signup
    Pulse pulse = pulse();
    // 1. Flags that every process shares.
    try (ReplicatedMap<String, String> flags = pulse.map("feature-flags")) {
      flags.setAndWait("welcome-mail", "on", Duration.ofSeconds(10));

      // 2. A stream of what happens to users, and 3. a pool that sends mail.
      EventStream users = pulse.stream("users", o -> o.withLengthMax(10_000));
      try (PoolNode node =
          pulse.pool(
              "email-pool",
              o ->
                  o.withWorkerTtl(Duration.ofSeconds(30))
                      .withRestartGrace(Duration.ofSeconds(20)))) {

        // 4. A worker, which looks at the flag before it sends.
        node.addRunner(
            job -> {
              if (flags.get("welcome-mail").filter("on"::equals).isPresent()) {
                mails.add(text(job.payload()));
              }
            });

        // 5. Somebody signs up.
        users.add("user.created", bytes("{\"user_id\": \"123\", \"email\": \"user@example.com\"}"));
        node.dispatch("email:123", bytes("user@example.com"));

        eventually("the mail is sent", () -> mails.contains("user@example.com"));
      }
      assertThat(users.length()).isEqualTo(1);
      users.destroy();
    }
    // end::signup
  }
}
