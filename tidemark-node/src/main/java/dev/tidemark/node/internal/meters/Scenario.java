package dev.tidemark.node.internal.meters;

import dev.tidemark.node.internal.meters.output.DemoOutput;
import dev.tidemark.node.internal.meters.output.Progress;
import dev.tidemark.node.internal.page.LivePage;
import java.time.Duration;
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
  private static final Duration THRESHOLD_MAX = Duration.ofSeconds(60);
  private static final double THRESHOLD_AT = 0.3;
  private static final double KILL_AT = 0.5;
  private static final double SECOND = 1e9;
  private static final long WATTS_MAX = 100_000;
  private static final int ORDERS_MAX = 16;

  private final MeterDemoOptions options;
  private final Layers layers;
  private final DemoOutput output;
  private final DemoPage page;
  private final CountDownLatch stop;
  private final Publisher publisher;
  private final long earlier;
  private final long begin = System.nanoTime();
  private final BlockingQueue<LivePage.Order> orders = new ArrayBlockingQueue<>(ORDERS_MAX);
  private volatile long behind;
  private volatile boolean publishes = true;
  private long threshold;
  private boolean thresholdChanged;
  private volatile boolean killed;
  private int partitions;

  /** A run that ends its publishing early when {@code stop} reaches zero. */
  Scenario(
      MeterDemoOptions options,
      Layers layers,
      DemoOutput output,
      DemoPage page,
      CountDownLatch stop) {
    this.options = options;
    this.layers = layers;
    this.output = output;
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
    this.threshold = Worker.threshold(layers.settings());
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
    publisher.check();
    if (stop.getCount() == 0) {
      say("interrupted: nothing more is published, what was is worked off");
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
    for (LivePage.Order order = orders.poll(); order != null; order = orders.poll()) {
      carryOut(order);
    }
    watchThreshold();
    if (done() > KILL_AT && !killed) {
      kill();
    }
    // Ctrl-C in a terminal reaches the worker too.
    if (!killed && stop.getCount() > 0 && !layers.remote().isAlive()) {
      killed = true;
      say(
          String.format(
              Locale.ROOT, "worker process %d has failed; see worker.log", layers.remote().pid()));
    }
    show(progress, false);
  }

  /** Changes the threshold once, unless somebody else does; says so in both cases. */
  private void watchThreshold() {
    long now = Worker.threshold(layers.settings());
    if (now == threshold && done() > THRESHOLD_AT && !thresholdChanged) {
      now = now == Worker.THRESHOLD_LOW ? Worker.THRESHOLD_AT_FIRST : Worker.THRESHOLD_LOW;
      setThreshold(now);
    }
    if (now != threshold) {
      say(
          String.format(
              Locale.ROOT, "the threshold of alerts is set from %,d W to %,d W", threshold, now));
      threshold = now;
      thresholdChanged = true;
    }
  }

  /**
   * Waits for the local copy too: it would show the old threshold for a moment, as if it had been
   * changed back.
   */
  private void setThreshold(long watts) {
    layers.settings().setAndWait(Worker.THRESHOLD, Long.toString(watts), THRESHOLD_MAX);
  }

  private void kill() {
    killed = true;
    layers.remote().kill();
    say(
        String.format(
            Locale.ROOT,
            "worker process %d is killed; the other one gets what it had read",
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
      setThreshold(Long.parseLong(order.value()));
    } else if (!killed) {
      kill();
    }
  }

  /** Says what has happened, and when. */
  private void say(String text) {
    output.happened(seconds(), text);
    page.say(text);
  }

  private void show(Progress progress, boolean draining) {
    double rate = (progress.published() - earlier) / seconds();
    output.progressed(
        new DemoOutput.Moment(seconds(), options.time().toSeconds(), rate, draining, progress));
    page.show(draining ? DemoPage.Phase.DRAINING : DemoPage.Phase.PUBLISHING, layers, progress);
  }

  private void drain() throws InterruptedException {
    long end = System.nanoTime() + DRAIN_MAX.toNanos();
    Progress progress = layers.progress(publisher.count());
    while (!progress.isComplete() && System.nanoTime() < end && layers.feed().failure().isEmpty()) {
      show(progress, true);
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
