package dev.tidemark.node.internal.command.pulse;

import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.console.KeySyntax;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.stores.KnownNames;
import dev.tidemark.node.internal.stores.StoreArgument;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.WorkerInfo;
import java.util.Optional;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at worker pools, and gives them jobs. */
@Command(
    name = "pool",
    description = "List worker pools, their jobs and workers; dispatch, stop and replay jobs.",
    footer = {
      "%nExamples:",
      "  ./tidemark pool list /var/lib/shop",
      "  ./tidemark pool jobs tidemark://127.0.0.1 mail --dead",
      "  ./tidemark pool replay tidemark://127.0.0.1 mail order-42"
    })
public final class PoolCommands {
  private static final String NAME = "The name of the pool.";
  private static final String KEY = "The key of the job.";
  private static final int NOTHING = 1;

  private final Console console;

  /** Prints to {@code console}. */
  public PoolCommands(Console console) {
    this.console = console;
  }

  private int with(StoreArgument store, String name, ToIntFunction<PoolClient> command) {
    try (PulseStore opened = PulseStore.open(console, store)) {
      KnownNames.require("pool", name, opened.names().pools());
      try (PoolClient pool = opened.pulse().poolClient(name)) {
        return command.applyAsInt(pool);
      }
    }
  }

  @Command(
      name = "list",
      description = "Show the pools of a store, with their jobs and workers.",
      footer = {"%nExamples:", "  ./tidemark pool list /var/lib/shop --json"})
  int list(@Mixin StoreArgument store, @Mixin Format format) {
    try (PulseStore opened = PulseStore.open(console, store)) {
      Listing listing = new Listing("pool", "jobs", "dead", "workers");
      for (String name : opened.names().pools()) {
        try (PoolClient pool = opened.pulse().poolClient(name)) {
          listing.add(name, pool.jobKeys().size(), pool.deadJobs().size(), pool.workers().size());
        }
      }
      console.show(format, listing);
      return 0;
    }
  }

  @Command(
      name = "jobs",
      description = "Show the jobs of a pool, or those that failed for good.",
      footer = {
        "%nExamples:",
        "  ./tidemark pool jobs /var/lib/shop mail",
        "  ./tidemark pool jobs /var/lib/shop mail --dead --json"
      })
  int jobs(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--dead", description = "Those that failed and are not tried again.")
          boolean dead,
      @Mixin Format format) {
    return with(
        store,
        name,
        pool -> {
          Listing listing =
              new Listing("job", "state", "worker", "attempts", "created", "due", "failure");
          if (dead) {
            pool.deadJobs().forEach(job -> add(listing, job));
          } else {
            pool.jobKeys().forEach(key -> pool.job(key).ifPresent(job -> add(listing, job)));
          }
          console.show(format, listing);
          return 0;
        });
  }

  private static void add(Listing listing, JobInfo job) {
    listing.add(
        job.key(),
        job.state(),
        job.owner(),
        job.attempts(),
        job.createdAt(),
        job.due(),
        job.failure());
  }

  @Command(
      name = "workers",
      description = "Show the workers of a pool, on all its nodes.",
      footer = {"%nExamples:", "  ./tidemark pool workers tidemark://127.0.0.1 mail"})
  int workers(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Mixin Format format) {
    return with(
        store,
        name,
        pool -> {
          Listing listing = new Listing("worker", "node", "slot");
          for (WorkerInfo worker : pool.workers()) {
            listing.add(worker.id(), worker.node(), worker.slot());
          }
          console.show(format, listing);
          return 0;
        });
  }

  @Command(
      name = "payload",
      description = "Show what a job carries; exit code 1 if there is no such job.",
      footer = {"%nExamples:", "  ./tidemark pool payload /var/lib/shop mail order-42"})
  int payload(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", paramLabel = "KEY", description = KEY) String key,
      @Mixin Format format) {
    return with(
        store,
        name,
        pool -> {
          Optional<String> payload = pool.jobPayload(key).map(KeySyntax::print);
          if (payload.isEmpty()) {
            return missing(pool, key);
          }
          console.line(
              format.json()
                  ? Json.of(Json.object("job", key, "payload", payload.get()))
                  : payload.get());
          return 0;
        });
  }

  @Command(
      name = "dispatch",
      description = "Give a pool a job, and do not wait for its start.",
      footer = {"%nExamples:", "  ./tidemark pool dispatch /var/lib/shop mail order-42 ann"})
  int dispatch(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", paramLabel = "KEY", description = KEY) String key,
      @Parameters(
              index = "3",
              arity = "0..1",
              defaultValue = "",
              paramLabel = "PAYLOAD",
              description = "What it carries: text, with \\xHH for other bytes.")
          String payload,
      @Mixin Format format) {
    byte[] bytes = KeySyntax.bytes(payload);
    try (PulseStore opened = PulseStore.open(console, store);
        PoolClient pool = opened.pulse().poolClient(name)) {
      opened.database().run(tx -> pool.dispatch(tx, key, bytes));
      console.done(format, "dispatch", "pool", name, "job", key);
      return 0;
    }
  }

  @Command(
      name = "stop",
      description = "Stop a job for good, or forget one that waits or is dead.",
      footer = {"%nExamples:", "  ./tidemark pool stop tidemark://127.0.0.1 mail order-42"})
  int stop(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", paramLabel = "KEY", description = KEY) String key,
      @Mixin Format format) {
    return with(
        store, name, pool -> pool.stop(key) ? done(format, "stop", pool, key) : missing(pool, key));
  }

  @Command(
      name = "replay",
      description = "Give a dead job back to its pool, as if it had been dispatched just now.",
      footer = {"%nExamples:", "  ./tidemark pool replay tidemark://127.0.0.1 mail order-42"})
  int replay(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", paramLabel = "KEY", description = KEY) String key,
      @Mixin Format format) {
    return with(
        store,
        name,
        pool -> pool.replay(key) ? done(format, "replay", pool, key) : missing(pool, key));
  }

  private int done(Format format, String what, PoolClient pool, String key) {
    console.done(format, what, "pool", pool.name(), "job", key);
    return 0;
  }

  private int missing(PoolClient pool, String key) {
    console.complain("there is no such job '%s' in pool '%s'".formatted(key, pool.name()));
    return NOTHING;
  }
}
