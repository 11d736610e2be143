package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.run.Findings;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.ScanPage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Workers that put, delete and read values, each those of its own keys, and what they were told.
 * Every answer is known beforehand, since a change answers the value from before. A key whose
 * change had no answer is left alone from then on: it has either value.
 */
final class ValuesLedger implements Workload {
  static final int KEYS = 10_000;
  private static final int WORKERS = 20;
  private static final int PUTS_OF_TEN = 6;
  private static final int DELETES_OF_TEN = 2;
  private static final int PAGE = 1_000;
  private static final int KEPT = 100;

  private final PartitionClient client;
  private final long seed;

  /** The acknowledged values, written down after the answer; keys of deleted ones are missing. */
  private final Map<String, String> acknowledged = new ConcurrentSkipListMap<>();

  /** Keys whose last change had no answer, with what it would have made of them. */
  private final Map<String, String> inDoubt = new ConcurrentHashMap<>();

  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> reasons = new ConcurrentLinkedQueue<>();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong givenUp = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> workers = new ArrayList<>();

  ValuesLedger(PartitionClient client, long seed) {
    this.client = client;
    this.seed = seed;
  }

  @Override
  public void start() {
    for (int worker = 0; worker < WORKERS; worker++) {
      int number = worker;
      workers.add(Thread.ofVirtual().name("worker-" + worker).start(() -> work(number)));
    }
  }

  private void work(int worker) {
    SplittableRandom random = new SplittableRandom(seed + worker);
    for (long step = 0; !stopped.get(); step++) {
      String name = name(worker + WORKERS * random.nextInt(KEYS / WORKERS));
      if (inDoubt.containsKey(name)) {
        continue;
      }
      int die = random.nextInt(10);
      if (die < PUTS_OF_TEN) {
        change("put", name, "w%d-%d".formatted(worker, step));
      } else if (die < PUTS_OF_TEN + DELETES_OF_TEN) {
        change("delete", name, ValueActor.NOTHING);
      } else {
        read(name);
      }
    }
  }

  private static String name(int key) {
    return "k%05d".formatted(key);
  }

  private String known(String name) {
    return acknowledged.getOrDefault(name, ValueActor.NOTHING);
  }

  private void change(String verb, String name, String value) {
    try {
      String request = "%s %s %s".formatted(verb, name, value);
      check(verb, name, client.send(ValueActor.TYPE, Key.utf8(name), request));
      if (value.equals(ValueActor.NOTHING)) {
        acknowledged.remove(name);
      } else {
        acknowledged.put(name, value);
      }
      answers.incrementAndGet();
    } catch (PartitionException failure) {
      inDoubt.put(name, value);
      gaveUp(failure);
    }
  }

  private void read(String name) {
    try {
      check("get", name, client.read(ValueActor.TYPE, Key.utf8(name), "get " + name));
      answers.incrementAndGet();
    } catch (PartitionException failure) {
      gaveUp(failure);
    }
  }

  private void check(String verb, String name, String answer) {
    if (!answer.equals(known(name)) && wrong.size() < KEPT) {
      wrong.add("%s of %s answered %s, not %s".formatted(verb, name, answer, known(name)));
    }
  }

  private void gaveUp(PartitionException failure) {
    givenUp.incrementAndGet();
    if (reasons.size() < KEPT) {
      reasons.add(failure.reason() + ": " + failure.getMessage());
    }
  }

  @Override
  public long answers() {
    return answers.get();
  }

  @Override
  public long givenUp() {
    return givenUp.get();
  }

  @Override
  public List<String> reasons() {
    List<String> taken = new ArrayList<>();
    for (String one = reasons.poll(); one != null; one = reasons.poll()) {
      taken.add(one);
    }
    return taken;
  }

  @Override
  public List<String> zombies() {
    return List.copyOf(wrong);
  }

  @Override
  public void stop() throws InterruptedException {
    stopped.set(true);
    for (Thread worker : workers) {
      worker.join();
    }
  }

  /** Every key one by one, a scan of everything, and a scan of each partition. */
  @Override
  public void audit(PartitionClient reader, Findings findings) {
    Map<String, String> read = new TreeMap<>();
    for (int key = 0; key < KEYS; key++) {
      String name = name(key);
      String value = reader.read(ValueActor.TYPE, Key.utf8(name), "get " + name);
      if (!value.equals(ValueActor.NOTHING)) {
        read.put(name, value);
      }
    }
    compare("reads", read, findings);
    compare("the scan of everything", scan(reader, PartitionRange.ALL), findings);
    compare("the scans of all partitions", scanEach(reader, findings), findings);
  }

  private static Map<String, String> scanEach(PartitionClient reader, Findings findings) {
    RoutingTable table = reader.routing();
    Map<String, String> all = new TreeMap<>();
    for (Route route : table.routes(ValueActor.TYPE.name())) {
      Map<String, String> part = scan(reader, route.range());
      part.keySet().stream()
          .filter(name -> !route.range().contains(Key.utf8(name)))
          .forEach(name -> findings.broken("%s has %s".formatted(route, name)));
      all.putAll(part);
    }
    return all;
  }

  private static Map<String, String> scan(PartitionClient reader, PartitionRange range) {
    Map<String, String> found = new TreeMap<>();
    PartitionRange left = range;
    while (true) {
      ScanPage<String> page = reader.scan(ValueActor.TYPE, "scan", left, PAGE);
      page.items().forEach(item -> found.put(text(item.key()), item.value()));
      Optional<Key> next = page.next();
      if (next.isEmpty()) {
        return found;
      }
      left = new PartitionRange(next.get(), range.end());
    }
  }

  private static String text(Key key) {
    return new String(key.toByteArray(), StandardCharsets.UTF_8);
  }

  private void compare(String how, Map<String, String> found, Findings findings) {
    for (int key = 0; key < KEYS; key++) {
      String name = name(key);
      String value = found.getOrDefault(name, ValueActor.NOTHING);
      String told = known(name);
      if (!value.equals(told) && !value.equals(inDoubt.get(name))) {
        String what = "%s: %s is %s, and %s was acknowledged".formatted(how, name, value, told);
        if (value.equals(ValueActor.NOTHING)) {
          findings.lost(what);
        } else {
          findings.torn(what);
        }
      }
    }
  }
}
