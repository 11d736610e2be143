package dev.tidemark.node.internal.tour;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.query.Query;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What a service on records, streams and pools can rely on. */
final class ServiceSteps {
  private static final int PER_COMMIT = 500;
  private static final int CUSTOMERS = 200;
  private static final long PLACED_FROM = 1_000_000;
  private static final Logger HANDLERS = Logger.getLogger(Pulse.class.getPackageName());
  private static final Key REVENUE = Subspace.of("demo", "revenue").pack();

  private final Database database;
  private final Pulse pulse;
  private final DemoSize size;
  private final RecordStore<Purchase> purchases;
  private final EventStream placed;

  ServiceSteps(Database database, Pulse pulse, DemoSize size) {
    this.database = database;
    this.pulse = pulse;
    this.size = size;
    this.purchases = PurchaseStore.open(database);
    this.placed = pulse.stream("placed", o -> o.keepingAll());
  }

  private static String customer(SplittableRandom random) {
    return "customer " + random.nextInt(CUSTOMERS);
  }

  String queriesAnswerWhatAScanFinds() {
    SplittableRandom random = new SplittableRandom(1);
    for (int from = 0; from < size.keys(); from += PER_COMMIT) {
      int first = from;
      database.run(
          tx -> {
            for (int id = first; id < Math.min(size.keys(), first + PER_COMMIT); id++) {
              purchases.save(
                  tx, new Purchase(id, customer(random), random.nextLong(1, 1_000), true));
            }
          });
    }
    Query<Purchase> large =
        purchases
            .query()
            .where(Purchase_.CUSTOMER.eq("customer 7"), Purchase_.TOTAL.ge(900L))
            .orderBy(Purchase_.TOTAL.desc());
    List<Purchase> found = database.read(tx -> large.list(tx));
    List<Purchase> scanned =
        database.read(
            tx -> purchases.scan(tx).filter(p -> p.customer().equals("customer 7")).toList());
    Set<Purchase> expected = new HashSet<>(scanned);
    expected.removeIf(purchase -> purchase.total() < 900);
    Proof.that(expected.equals(Set.copyOf(found)), "query and scan agree", expected, found);
    long spent = database.read(tx -> purchases.sum(tx, Purchase.SPENT, "customer 7"));
    Proof.same("spent", scanned.stream().mapToLong(Purchase::total).sum(), spent);
    String plan = database.read(tx -> large.explain(tx).toString()).lines().findFirst().orElse("");
    return String.format(
        Locale.ROOT,
        "%,d purchases; a query found %,d of them as a scan of all does, by: %s",
        size.keys(),
        found.size(),
        plan.strip());
  }

  String recordEventAndJobAreOneCommit() throws Exception {
    Set<String> packed = ConcurrentHashMap.newKeySet();
    int each = Math.max(3, size.commits() / 5);
    int all = size.threads() * each;
    CountDownLatch left = new CountDownLatch(all - all / 3);
    AtomicInteger refused = new AtomicInteger();
    try (PoolNode warehouse = pulse.pool("warehouse")) {
      warehouse.addRunner(
          job -> {
            if (packed.add(job.key())) {
              left.countDown();
            }
          });
      Together.run(
          size.threads(),
          thread -> {
            for (int i = 0; i < each; i++) {
              int number = thread * each + i;
              if (!place(warehouse, number)) {
                refused.incrementAndGet();
              }
            }
          });
      Proof.that(left.await(1, TimeUnit.MINUTES), "every job is run", packed.size());
    }
    int kept = all - refused.get();
    Proof.same("purchases", kept, database.read(tx -> placed().count(tx)));
    Proof.same("events", kept, placed.length());
    Proof.same("jobs", kept, packed.size());
    return String.format(
        Locale.ROOT,
        "%,d orders were placed, %,d failed half-way: %,d records, %,d events, %,d jobs run",
        all,
        refused.get(),
        kept,
        placed.length(),
        packed.size());
  }

  private Query<Purchase> placed() {
    return purchases.query().where(Purchase_.ID.ge(PLACED_FROM));
  }

  /** Places an order; every third fails after all has been written. */
  private boolean place(PoolNode warehouse, int number) {
    long id = PLACED_FROM + number;
    try {
      database.run(
          tx -> {
            purchases.insert(tx, new Purchase(id, "customer " + number, 10 + number, false));
            placed.add(tx, "purchase.placed", "", Numbers.bytes(id));
            warehouse.dispatch(tx, "pack " + id, Numbers.bytes(id));
            if (number % 3 == 2) {
              throw new IllegalStateException("the service fails here");
            }
          });
      return true;
    } catch (IllegalStateException failed) {
      return false;
    }
  }

  @SuppressWarnings("try") // a subscription works while it is open, without being named
  String everyEventTakesEffectOnce() throws Exception {
    List<Purchase> due = database.read(tx -> placed().list(tx));
    AtomicInteger failures = new AtomicInteger();
    HANDLERS.setLevel(Level.OFF); // They fail on purpose.
    try (Sink billing =
            placed.sink(
                "billing", o -> o.withStart(Start.oldest()).withAckGrace(Duration.ofMillis(200)));
        Subscription running = billing.subscribe((tx, event) -> bill(tx, event, failures))) {
      awaitBilled(due.size());
    } finally {
      HANDLERS.setLevel(null);
    }
    long expected = due.stream().mapToLong(Purchase::total).sum();
    Proof.same(
        "revenue", expected, database.read(tx -> Numbers.from(tx.get(REVENUE).orElseThrow())));
    return String.format(
        Locale.ROOT,
        "%,d events billed by a handler that failed %,d times after its writes: revenue is exact",
        due.size(),
        failures.get());
  }

  /** What is written goes with the acknowledgement of the event; every fifth fails at first. */
  private void bill(Transaction tx, Event event, AtomicInteger failures) {
    Purchase purchase = purchases.load(tx, Numbers.from(event.payload())).orElseThrow();
    purchases.update(tx, purchase.asBilled());
    tx.mutate(MutationType.ADD, REVENUE, Numbers.bytes(purchase.total()));
    if (purchase.id() % 5 == 0 && event.deliveries() == 1) {
      failures.incrementAndGet();
      throw new IllegalStateException("the first time it fails");
    }
  }

  private void awaitBilled(int wanted) throws InterruptedException {
    Query<Purchase> billed = placed().where(Purchase_.BILLED.eq(true));
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    long seen = database.read(tx -> billed.count(tx));
    while (seen < wanted) {
      Proof.that(System.nanoTime() < end, "all events are billed within a minute", seen, wanted);
      Thread.sleep(20);
      seen = database.read(tx -> billed.count(tx));
    }
  }

  String indexIsBuiltBesideWriters() throws Exception {
    BuildProgress[] built = new BuildProgress[1];
    AtomicInteger changed = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    Together.run(
        size.threads() + 1,
        thread -> {
          if (thread < size.threads()) {
            change(thread, done, changed);
            return;
          }
          try (OnlineIndexer indexer =
              OnlineIndexer.of(
                  purchases.space(),
                  o ->
                      o.withIndexes(Purchase.BY_CUSTOMER, Purchase.SPENT)
                          .withStart(BuildOptions.Start.ANEW))) {
            built[0] = indexer.build();
          } finally {
            done.countDown();
          }
        });
    long sum = database.read(tx -> purchases.scan(tx).mapToLong(Purchase::total).sum());
    long rolledUp = database.read(tx -> (Long) purchases.rollUp(tx, Purchase.SPENT).orElseThrow());
    Proof.same("the sum of all groups", sum, rolledUp);
    return String.format(
        Locale.ROOT,
        "2 indexes of %,d records built anew in %.1f s while %,d were changed: sums are exact",
        built[0].scanned(),
        built[0].elapsed().toNanos() / 1e9,
        changed.get());
  }

  private void change(int thread, CountDownLatch done, AtomicInteger changed)
      throws InterruptedException {
    SplittableRandom random = new SplittableRandom(thread);
    while (!done.await(1, TimeUnit.MILLISECONDS)) {
      long id = random.nextInt(size.keys());
      Purchase now = new Purchase(id, customer(random), random.nextLong(1, 1_000), true);
      database.run(tx -> purchases.save(tx, now));
      changed.incrementAndGet();
    }
  }
}
