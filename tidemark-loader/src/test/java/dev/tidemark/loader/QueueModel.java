package dev.tidemark.loader;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * A queue in memory with leases on the clock of a test. It is strict: acknowledging or giving back
 * a delivery twice fails the test, as does extending one that was settled. A thread that is
 * interrupted can do neither.
 */
final class QueueModel implements MessageSource {
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(200);

  private final TimeSource time;
  private final Duration lease;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();

  // Guarded by lock.
  private final Map<String, Waiting> messages = new LinkedHashMap<>();
  private final Map<String, Leased> leased = new HashMap<>();
  private final Map<String, Integer> acked = new TreeMap<>();
  private final List<String> mistakes = new ArrayList<>();
  private final List<Integer> ackSizes = new ArrayList<>();
  private int receipts;
  private int nacks;
  private int pulls;
  private int process;
  private int emptyAnswers;
  private int failingPulls;
  private int failingAcks;
  private Predicate<Message> ackLost = message -> false;
  private volatile Runnable beforeAck = () -> {};
  private volatile Runnable beforeNack = () -> {};
  private volatile Runnable beforeExtend = () -> {};

  private record Waiting(Message message, int deliveries) {}

  private record Leased(Waiting message, long until, boolean settled, int process) {}

  QueueModel(TimeSource time, Duration lease) {
    this.time = time;
    this.lease = lease;
  }

  /** Publishes a message whose attributes are pairs of names and values. */
  Message publish(String id, Instant at, String... attributes) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < attributes.length; i += 2) {
      map.put(attributes[i], attributes[i + 1]);
    }
    return publish(Message.of(id, at, map, new byte[0]));
  }

  Message publish(Message message) {
    return locked(
        () -> {
          messages.put(message.id(), new Waiting(message, message.deliveries() - 1));
          return message;
        });
  }

  /** Delivers {@code message} once more, although it may be leased or acknowledged. */
  void deliverAgain(Message message) {
    locked(() -> messages.put(message.id(), new Waiting(message, 1)));
  }

  /** The process that holds the leases dies: what it still says is not heard. */
  void crash() {
    locked(() -> process++);
  }

  void answerEmpty(int times) {
    emptyAnswers = times;
  }

  void failPulls(int times) {
    failingPulls = times;
  }

  void failAcks(int times) {
    failingAcks = times;
  }

  void loseAcks(Predicate<Message> of) {
    ackLost = of;
  }

  void beforeAck(Runnable call) {
    beforeAck = call;
  }

  void beforeNack(Runnable call) {
    beforeNack = call;
  }

  void beforeExtend(Runnable call) {
    beforeExtend = call;
  }

  private static void refuseInterrupted(String what) {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedOperationException("Interrupted before " + what, null);
    }
  }

  @Override
  public String name() {
    return "queue";
  }

  @Override
  public void begin(Optional<String> position) {
    if (position.isPresent()) {
      mistakes.add("A queue is told to begin at " + position.get());
    }
  }

  @Override
  public List<Message> pull(int max, Duration wait) {
    List<Message> found = locked(() -> take(max));
    if (found.isEmpty()) {
      try {
        letOthersFinish();
        time.sleep(wait);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
    }
    return found;
  }

  /**
   * A clock that sleeping moves on would outrun the other threads: what they hold is theirs for a
   * while of real time first.
   */
  private void letOthersFinish() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = PATIENCE;
      while (left > 0 && leased.values().stream().anyMatch(lent -> !lent.settled())) {
        left = settled.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private List<Message> take(int max) {
    pulls++;
    if (failingPulls > 0) {
      failingPulls--;
      throw SourceException.passing("The queue cannot be reached", null);
    }
    if (emptyAnswers > 0) {
      emptyAnswers--;
      return List.of();
    }
    expire();
    List<Message> found = new ArrayList<>();
    List<Waiting> waiting = List.copyOf(messages.values());
    for (Waiting each : waiting.subList(0, Math.min(max, waiting.size()))) {
      messages.remove(each.message().id());
      String receipt = each.message().id() + "#" + receipts++;
      Waiting delivered = new Waiting(each.message(), each.deliveries() + 1);
      leased.put(receipt, new Leased(delivered, time.nanos() + lease.toNanos(), false, process));
      found.add(each.message().withDeliveries(delivered.deliveries()).withReceipt(receipt));
    }
    return found;
  }

  private void expire() {
    long now = time.nanos();
    leased.replaceAll(
        (receipt, lent) -> {
          if (lent.settled() || lent.until() > now) {
            return lent;
          }
          messages.putIfAbsent(lent.message().message().id(), lent.message());
          return new Leased(lent.message(), lent.until(), true, -1);
        });
  }

  @Override
  public Acknowledged ack(List<Message> list) {
    refuseInterrupted("an ack");
    beforeAck.run();
    return locked(
        () -> {
          if (failingAcks > 0) {
            failingAcks--;
            throw SourceException.passing("The queue cannot be reached", null);
          }
          ackSizes.add(list.size());
          int lost = 0;
          for (Message message : list) {
            if (!settle(message, "ack")) {
              lost++;
            } else if (ackLost.test(message)) {
              messages.put(message.id(), new Waiting(message, message.deliveries()));
              lost++;
            } else {
              acked.merge(message.id(), 1, Integer::sum);
            }
          }
          return new Acknowledged(list.size() - lost, lost);
        });
  }

  @Override
  public void nack(List<Message> list) {
    refuseInterrupted("a nack");
    beforeNack.run();
    locked(
        () -> {
          for (Message message : list) {
            if (settle(message, "nack")) {
              nacks++;
              messages.put(message.id(), new Waiting(message, message.deliveries()));
            }
          }
          return nacks;
        });
  }

  /** Whether the delivery was still this process's to settle. */
  private boolean settle(Message message, String what) {
    Leased lent = leased.get(message.receipt().toString());
    if (lent == null) {
      mistakes.add(what + " of an unknown delivery " + message);
      return false;
    }
    if (lent.process() >= 0 && lent.process() < process) {
      return false;
    }
    if (lent.settled()) {
      if (lent.process() >= 0) {
        mistakes.add(what + " of a delivery that was settled before: " + message);
      }
      return false;
    }
    leased.put(
        message.receipt().toString(), new Leased(lent.message(), lent.until(), true, process));
    settled.signalAll();
    return true;
  }

  @Override
  public void extend(List<Message> list) {
    beforeExtend.run();
    locked(
        () -> {
          for (Message message : list) {
            leased.computeIfPresent(
                message.receipt().toString(),
                (receipt, lent) ->
                    lent.settled() || lent.process() < process
                        ? lent
                        : new Leased(
                            lent.message(), time.nanos() + lease.toNanos(), false, process));
          }
          return list.size();
        });
  }

  @Override
  public boolean inOrder() {
    return false;
  }

  @Override
  public Optional<Duration> lease() {
    return Optional.of(lease);
  }

  @Override
  public void close() {}

  /** How often each message was acknowledged. */
  Map<String, Integer> acked() {
    return locked(() -> new TreeMap<>(acked));
  }

  /** How many messages wait, or are leased and not settled. */
  int backlog() {
    return locked(
        () ->
            messages.size()
                + (int) leased.values().stream().filter(lent -> !lent.settled()).count());
  }

  /** How many messages are leased now. */
  int leasedNow() {
    return locked(() -> (int) leased.values().stream().filter(lent -> !lent.settled()).count());
  }

  int nacks() {
    return locked(() -> nacks);
  }

  int pulls() {
    return locked(() -> pulls);
  }

  int deliveries() {
    return locked(() -> receipts);
  }

  List<Integer> ackSizes() {
    return locked(() -> List.copyOf(ackSizes));
  }

  List<String> mistakes() {
    return locked(() -> List.copyOf(mistakes));
  }

  private interface Step<T> {
    T take();
  }

  private <T> T locked(Step<T> step) {
    lock.lock();
    try {
      return step.take();
    } finally {
      lock.unlock();
    }
  }
}
