package dev.tidemark.pulse.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.testkit.Guide;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/pulse.md on Tidemark's own store, and those that only it can run. */
@SuppressWarnings("try") // a subscription works while it is open, without being named
class KvPulseGuideTest extends PulseGuide {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  @Test
  void everythingChangesInOneCommit() {
    Database database = databases.database();
    Queue<String> mails = new ConcurrentLinkedQueue<>();
    // tag::transaction
    Pulse pulse = Pulse.on(database);
    Subspace accounts = Subspace.of("accounts");
    EventStream users = pulse.stream("users");
    try (ReplicatedMap<String, String> totals = pulse.map("totals");
        PoolNode mail = pulse.pool("mail")) {
      mail.addRunner(job -> mails.add(job.key()));
      database.run(
          tx -> {
            tx.set(accounts.pack("ann"), Tuple.of("ann@example.com").pack());
            users.add(tx, "user.created", "", "ann".getBytes(UTF_8));
            totals.increment(tx, "users", 1);
            mail.dispatch(tx, "welcome:ann", "ann@example.com".getBytes(UTF_8));
          }); // all of it, or, with an exception or a crash, nothing
      eventually("the mail is sent", () -> mails.contains("welcome:ann"));
    }
    // end::transaction
    assertThat(users.length()).isEqualTo(1);
    pulse.close();
  }

  @Test
  void eventHasItsEffectExactlyOnce() {
    // tag::exactly-once
    Subspace balance = Subspace.of("balance");
    EventStream payments = pulse().stream("payments");
    try (Sink ledger = payments.sink("ledger", o -> o.withStart(Start.oldest()));
        Subscription booking =
            ledger.subscribe(
                (tx, event) -> {
                  long before =
                      tx.get(balance.pack("ann")).map(Tuple::unpack).orElse(Tuple.of(0)).getLong(0);
                  tx.set(balance.pack("ann"), Tuple.of(before + 5).pack());
                })) { // the booking and the acknowledgement are one commit
      payments.add("payment.made", "5".getBytes(UTF_8));
      eventually("it is booked", () -> has(balance.pack("ann"), Tuple.of(5)));
    }
    // end::exactly-once
  }

  private boolean has(Key key, Tuple value) {
    Optional<byte[]> stored = databases.database().read(tx -> tx.get(key));
    return stored.map(Tuple::unpack).filter(value::equals).isPresent();
  }

  /** Every block of Java in the guide is code from here or from {@link PulseGuide}. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/pulse.md")
        .showsCodeOf(
            19,
            "tidemark-pulse-testkit/src/main/java/dev/tidemark/pulse/testkit/PulseGuide.java",
            "tidemark-pulse-testkit/src/test/java/dev/tidemark/pulse/testkit/KvPulseGuideTest.java");
  }
}
