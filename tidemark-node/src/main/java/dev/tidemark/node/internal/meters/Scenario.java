package dev.tidemark.node.internal.meters;

import dev.tidemark.node.internal.page.LivePage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens during a run: meters publish, the threshold changes, a worker is killed, and at the
 * end everything that was published reaches every layer.
 */
final class Scenario {
  private static final long TICK_MILLIS = 200;
  private static final Duration DRAIN_MAX = Duration.ofMinutes(2);
  private static final long BEHIND_MAX = 20_000;
  private static final double THRESHOLD_AT = 0.3;
  private static final double KILL_AT = 0.5;
  private static final double SECOND = 1e9;
  private static final long WATTS_MAX = 100_000;
  private static final int ORDERS_MAX = 16;

  private final MeterDemoOptions options;
  private final Layers layers;
  private final LiveSummary summary;
  private final DemoPage page;
  private final CountDownLatch stop;
  private final Publisher publisher;
  private final long earlier;
  private final long begin = System.nanoTime();
  private final BlockingQueue<LivePage.Order> orders = new ArrayBlockingQueue<>(ORDERS_MAX);
  private volatile long behind;
  private volatile boolean publishes = true;
  private boolean thresholdChanged;
  private volatile boolean killed;
  private int partitions;

  /** A run that ends its publishing early when {@code stop} reaches zero. */
  Scenario(
      MeterDemoOptions options,
      Layers layers,
      LiveSummary summary,
      DemoPage page,
      CountDownLatch stop) {
    this.options = options;
    this.layers = layers;
    this.summary = summary;
    this.page = page;
    this.stop = stop;
    this.publisher =
        new Publisher(
            layers.database(),
            Worker.stream(layers.pulse()),
            options.meters(),
            options.rate(),
            () -> behind > BEHIND_MAX);
    this.earlier = publisher.count();
    this.partitions = layers.actors().partitions();
  }

  /** Publishes until the time is over, and waits until everything has arrived everywhere. */
  void play() throws InterruptedException {
    page.begin(this::order);
    Thread publishing = Thread.ofVirtual().name("meter-publisher").start(publisher);
    try {
      while (publishing.isAlive()
          && done() < 1
          && !stop.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
        step();
      }
    } finally {
      publishes = false;
      publisher.stop();
      publishing.join();
    }
    if (stop.getCount() == 0) {
      summary.say("interrupted: nothing more is published, what was is worked off");
    }
    drain();
  }

  private double done() {
    return (System.nanoTime() - begin) / (double) options.time().toNanos();
  }

  private double seconds() {
    return (System.nanoTime() - begin) / SECOND;
  }

  private void step() {
    Progress progress = layers.progress(publisher.count());
    behind = progress.behind();
    if (progress.partitions() > partitions) {
      say(
          String.format(
              Locale.ROOT,
              "a partition of the actors has split under load; there are %d",
              progress.partitions()));
    }
    partitions = progress.partitions();
    if (done() > THRESHOLD_AT && !thresholdChanged) {
      thresholdChanged = true;
      changeThreshold();
    }
    if (done() > KILL_AT && !killed) {
      kill();
    }
    for (LivePage.Order order = orders.poll(); order != null; order = orders.poll()) {
      carryOut(order);
    }
    if (!killed && !layers.remote().isAlive()) {
      killed = true;
      say(
          String.format(
              Locale.ROOT, "worker process %d has failed; see worker.log", layers.remote().pid()));
    }
    show(progress);
    page.show(DemoPage.Phase.PUBLISHING, layers, progress);
  }

  private void changeThreshold() {
    long before = Worker.threshold(layers.settings());
    changeThreshold(
        before == Worker.THRESHOLD_LOW ? Worker.THRESHOLD_AT_FIRST : Worker.THRESHOLD_LOW);
  }

  private void changeThreshold(long after) {
    long before = Worker.threshold(layers.settings());
    layers.settings().set(Worker.THRESHOLD, Long.toString(after));
    say(
        String.format(
            Locale.ROOT, "the threshold of alerts is set from %,d W to %,d W", before, after));
  }

  private void kill() {
    killed = true;
    layers.remote().kill();
    say(
        String.format(
            Locale.ROOT,
            "worker process %d is killed; what it had read goes to the other worker",
            layers.remote().pid()));
  }

  /** Takes an order of the console for the next step, or says why not. Any thread may call it. */
  private Optional<String> order(LivePage.Order order) {
    if (!publishes) {
      return Optional.of("The meters publish no more");
    }
    return switch (order.name()) {
      case "threshold" ->
          order.value().matches("\\d{1,6}") && isThreshold(Long.parseLong(order.value()))
              ? accept(order)
              : Optional.of(
                  String.format(
                      Locale.ROOT,
                      "The threshold is a whole number from 1 to %,d, not '%s'",
                      WATTS_MAX,
                      order.value()));
      case "kill" -> killed ? Optional.of("That worker is dead already") : accept(order);
      default -> Optional.of("There is no order '%s'".formatted(order.name()));
    };
  }

  private static boolean isThreshold(long watts) {
    return watts >= 1 && watts <= WATTS_MAX;
  }

  private Optional<String> accept(LivePage.Order order) {
    return orders.offer(order)
        ? Optional.empty()
        : Optional.of("Too many orders wait; try again in a second");
  }

  private void carryOut(LivePage.Order order) {
    if (order.name().equals("threshold")) {
      thresholdChanged = true;
      changeThreshold(Long.parseLong(order.value()));
    } else if (!killed) {
      kill();
    }
  }

  /** Says what has happened, and when. */
  private void say(String text) {
    summary.say(String.format(Locale.ROOT, "%4.0f s  ", seconds()) + text);
    page.say(text);
  }

  private void show(Progress progress) {
    summary.show(
        List.of(
            String.format(
                Locale.ROOT,
                "%s %.0f of %d s, %,.0f readings a second",
                LiveSummary.bar(done()),
                seconds(),
                options.time().toSeconds(),
                (progress.published() - earlier) / seconds()),
            progress.layers(),
            progress.town()));
  }

  private void drain() throws InterruptedException {
    long end = System.nanoTime() + DRAIN_MAX.toNanos();
    Progress progress = layers.progress(publisher.count());
    while (!progress.isComplete() && System.nanoTime() < end && layers.feed().failure().isEmpty()) {
      summary.show(
          List.of(
              LiveSummary.bar(1) + " waiting until every layer has every reading",
              progress.layers(),
              progress.town()));
      page.show(DemoPage.Phase.DRAINING, layers, progress);
      Thread.sleep(TICK_MILLIS / 2);
      progress = layers.progress(publisher.count());
    }
    layers
        .feed()
        .failure()
        .ifPresent(
            why -> say(String.format(Locale.ROOT, "the warehouse gets nothing more: %s", why)));
    long published = publisher.count() - earlier;
    say(
        String.format(
            Locale.ROOT,
            "%,d readings %s in every layer: %,.0f a second",
            published,
            progress.isComplete() ? "are" : "should be, and are not",
            published / seconds()));
    page.showLast(layers, progress);
  }
}
