package dev.tidemark.node.internal.ctl;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.ClusterMember;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionLoad;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.PartitionOperator;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Operates a cluster of partitions. */
public final class CtlCommand {
  /** How it is used. */
  public static final String USAGE =
      """
      Usage: tidemark ctl [OPTIONS] COMMAND
        members                       nodes with their states
        routing                       partitions with their keys and nodes
        stats [NODE]                  what partitions did in the last minute
        split PARTITION [KEY]         at KEY, or where the actor or its keys say
        merge LOWER UPPER             two neighbours on one node
        migrate PARTITION NODE
        drain NODE                    moves everything away from a node
        failover PARTITION [NODE]     moves a partition whose node is gone
        ops [ID] | ops cancel ID      operations; --running for those under way
        policy get | apply FILE | clear
        node add NODE [ADDRESS] | node remove NODE | node reset NODE
        explain PARTITION             where it is, and why the policy leaves it alone
        --manager A[,B]  addresses of managers; else TIDEMARK_MANAGERS, else those of the example
        --json           JSON instead of tables
        --force          also while an automatic policy is active
        --token-file F, --tls-ca CA   how to show who you are, and whom to believe
        Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 3 no manager, 4 not found""";

  private static final int REFUSED = 1;
  private static final int WRONG_USAGE = 2;
  private static final int UNREACHABLE = 3;
  private static final int NOT_FOUND = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  /** Prints to these. */
  public CtlCommand(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = Map.copyOf(environment);
  }

  /** Runs what stands behind {@code ctl}, and answers the exit code. */
  public int run(String[] args) {
    try {
      CtlArguments arguments = CtlArguments.parse(args);
      String command = arguments.require(0, "A command");
      try (PartitionOperator operator =
          PartitionOperator.connect(
              arguments.managers(environment), arguments.channels(), PATIENCE)) {
        return run(command, arguments, operator);
      }
    } catch (IllegalArgumentException | UsageException wrong) {
      err.println("tidemark: " + wrong.getMessage());
      err.println(USAGE);
      return WRONG_USAGE;
    } catch (PartitionException failure) {
      err.println("tidemark: " + failure.getMessage());
      return exitCode(failure);
    } catch (DatabaseException unreachable) {
      err.println("tidemark: " + unreachable.getMessage());
      return UNREACHABLE;
    } catch (UncheckedIOException unreadable) {
      err.println("tidemark: " + unreadable.getMessage());
      return REFUSED;
    }
  }

  private static int exitCode(PartitionException failure) {
    return switch (failure.reason()) {
      case NOT_FOUND -> NOT_FOUND;
      case BUSY, IN_DOUBT, TIMED_OUT -> UNREACHABLE;
      default -> REFUSED;
    };
  }

  private int run(String command, CtlArguments args, PartitionOperator operator) {
    switch (command) {
      case "members" -> show(args, 1, members(operator.members()));
      case "routing" -> show(args, 1, routing(operator.routing()));
      case "stats" -> show(args, 2, loads(operator.statistics(args.word(1))));
      case "explain" -> show(args, 2, explain(operator, args.require(1, "PARTITION")));
      case "policy" -> policy(args, operator);
      case "node" -> node(args, operator);
      case "ops" -> {
        return operations(args, operator);
      }
      default -> {
        return operate(command, args, operator);
      }
    }
    return 0;
  }

  private int operate(String command, CtlArguments args, PartitionOperator operator) {
    PartitionOperation operation =
        switch (command) {
          case "split" ->
              operator.split(
                  args.require(1, "PARTITION"), args.word(2).map(KeyText::parse), args.force());
          case "merge" ->
              operator.merge(args.require(1, "LOWER"), args.require(2, "UPPER"), args.force());
          case "migrate" ->
              operator.migrate(args.require(1, "PARTITION"), args.require(2, "NODE"), args.force());
          case "drain" -> operator.drain(args.require(1, "NODE"));
          case "failover" -> operator.failover(args.require(1, "PARTITION"), args.word(2));
          default ->
              throw new IllegalArgumentException("There is no command '%s'".formatted(command));
        };
    return ended(args, operation);
  }

  private int ended(CtlArguments args, PartitionOperation operation) {
    show(args, Integer.MAX_VALUE, operations(List.of(operation)));
    return operation.state() == PartitionOperation.State.DONE ? 0 : REFUSED;
  }

  private int operations(CtlArguments args, PartitionOperator operator) {
    if (args.word(1).isEmpty()) {
      show(args, 1, operations(operator.operations(args.runningOnly())));
    } else if (args.require(1, "ID").equals("cancel")) {
      show(args, 3, operations(List.of(operator.cancel(args.require(2, "ID")))));
    } else {
      show(args, 2, operations(List.of(operator.operation(args.require(1, "ID")))));
    }
    return 0;
  }

  private void policy(CtlArguments args, PartitionOperator operator) {
    switch (args.require(1, "get, apply or clear")) {
      case "get" ->
          out.print(operator.policy().map(text -> text.stripTrailing() + "\n").orElse(""));
      case "apply" -> {
        operator.applyPolicy(read(Path.of(args.require(2, "FILE"))));
        out.println("applied");
      }
      case "clear" -> {
        operator.clearPolicy();
        out.println("cleared");
      }
      default -> throw new IllegalArgumentException("policy takes get, apply FILE or clear");
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("Cannot read the policy in " + file, unreadable);
    }
  }

  private void node(CtlArguments args, PartitionOperator operator) {
    String what = args.require(1, "add, remove or reset");
    String node = args.require(2, "NODE");
    switch (what) {
      case "add" -> operator.addNode(node, args.word(3).orElse(""));
      case "remove" -> operator.removeNode(node);
      case "reset" -> operator.resetNode(node);
      default -> throw new IllegalArgumentException("node takes add, remove or reset, and a NODE");
    }
    out.printf("%s: %s done%n", node, what);
  }

  private void show(CtlArguments args, int words, Listing listing) {
    args.expectAtMost(words);
    out.print(args.json() ? listing.json() : listing.table());
  }

  private static Listing members(List<ClusterMember> members) {
    Listing listing =
        new Listing("node", "state", "alive", "address", "incarnation", "generation", "partitions");
    members.forEach(
        one ->
            listing.add(
                one.node(),
                one.state(),
                one.alive(),
                one.address(),
                one.incarnation(),
                one.generation(),
                one.partitions()));
    return listing;
  }

  private static Listing routing(RoutingTable table) {
    Listing listing =
        new Listing("version", "partition", "type", "start", "end", "node", "address", "epoch");
    for (Route route : table.routes()) {
      listing.add(
          table.version(),
          route.partition(),
          route.type(),
          KeyText.of(route.range().start()),
          route.range().end().map(KeyText::of),
          route.node(),
          route.address(),
          route.epoch());
    }
    return listing;
  }

  private static Listing loads(List<PartitionLoad> loads) {
    Listing listing =
        new Listing(
            "node",
            "partition",
            "type",
            "active",
            "rps",
            "keys",
            "bytes",
            "queued",
            "p50_micros",
            "p99_micros");
    for (PartitionLoad load : loads) {
      listing.add(
          load.node(),
          load.partition(),
          load.type(),
          load.active(),
          Double.valueOf(String.format(Locale.ROOT, "%.1f", load.requestsPerSecond())),
          load.keys().isPresent() ? Optional.of(load.keys().getAsLong()) : Optional.empty(),
          load.bytes(),
          load.queued(),
          load.p50().toNanos() / 1_000,
          load.p99().toNanos() / 1_000);
    }
    return listing;
  }

  private static Listing operations(List<PartitionOperation> operations) {
    Listing listing =
        new Listing(
            "id",
            "kind",
            "state",
            "step",
            "partition",
            "other",
            "node",
            "key",
            "attempts",
            "started",
            "error");
    operations.forEach(
        one ->
            listing.add(
                one.id(),
                one.kind(),
                one.state(),
                one.step(),
                one.partition(),
                one.other(),
                one.node(),
                one.key().map(KeyText::of),
                one.attempts(),
                one.started(),
                one.error()));
    return listing;
  }

  private static Listing explain(PartitionOperator operator, String partition) {
    PartitionOperator.Explanation known = operator.explain(partition);
    Listing listing = new Listing("partition", "node", "phase", "operation", "reason");
    List<String> reasons = known.reasons().isEmpty() ? List.of("-") : known.reasons();
    reasons.forEach(
        reason ->
            listing.add(partition, known.route().node(), known.phase(), known.operation(), reason));
    return listing;
  }
}
