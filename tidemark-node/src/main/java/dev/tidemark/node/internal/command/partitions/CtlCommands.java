package dev.tidemark.node.internal.command.partitions;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.TokenFile;
import dev.tidemark.kv.Key;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.console.KeySyntax;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.node.internal.stores.Connection;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.PartitionOperator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** Operates a cluster of partitions. */
@Command(
    name = "ctl",
    description = "Operate a cluster of partitions.",
    footer = {
      "%nExit codes: 0 done, 1 failed or refused, 2 wrong usage, 3 no manager, 4 not found.",
      "%nExamples:",
      "  ./tidemark ctl members",
      "  ./tidemark ctl split kv-1-1 m",
      "  ./tidemark ctl ops --running --json"
    })
public final class CtlCommands {
  /** Where a cluster that was started without further words is. */
  private static final String DEFAULT_MANAGERS =
      "tidemark://127.0.0.1:7500,tidemark://127.0.0.1:7501";

  private static final int REFUSED = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Console console;

  @Option(
      names = "--manager",
      paramLabel = "A[,B]",
      scope = ScopeType.INHERIT,
      description = "Addresses of managers; else TIDEMARK_MANAGERS, else those of the example.")
  private Optional<String> managers = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "A file with the token to show, alone in a line.")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "Authorities that signed the certificates of the managers, PEM.")
  private Optional<Path> authorities = Optional.empty();

  @Option(names = "--json", scope = ScopeType.INHERIT, description = Format.DESCRIPTION)
  private boolean json;

  /** Prints to {@code console}. */
  public CtlCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "members",
      description = "Show the nodes with their states.",
      footer = {"%nExamples:", "  ./tidemark ctl members", "  ./tidemark ctl members --json"})
  int members() {
    return show(operator -> PartitionListings.members(operator.members()));
  }

  @Command(
      name = "routing",
      description = "Show the partitions with their keys and nodes.",
      footer = {"%nExamples:", "  ./tidemark ctl routing"})
  int routing() {
    return show(operator -> PartitionListings.routing(operator.routing()));
  }

  @Command(
      name = "stats",
      description = "Show what partitions did in the last minute.",
      footer = {"%nExamples:", "  ./tidemark ctl stats", "  ./tidemark ctl stats node-1"})
  int stats(
      @Parameters(arity = "0..1", paramLabel = "NODE", description = "Only this node.")
          Optional<String> node) {
    return with(
        operator -> {
          print(PartitionListings.loads(operator.statistics(node)));
          operator.silentNodes().stream()
              .filter(silent -> node.isEmpty() || node.get().equals(silent))
              .forEach(silent -> console.complain(silent + " has reported no statistics lately"));
          return 0;
        });
  }

  @Command(
      name = "explain",
      description = "Show where a partition is, and why the policy leaves it alone.",
      footer = {"%nExamples:", "  ./tidemark ctl explain kv-1-1"})
  int explain(
      @Parameters(paramLabel = "PARTITION", description = "Its id, as routing shows it.")
          String partition) {
    return show(operator -> PartitionListings.explain(operator, partition));
  }

  @Command(
      name = "split",
      description = "Split a partition at KEY, or where the actor or its keys say.",
      footer = {"%nExamples:", "  ./tidemark ctl split kv-1-1", "  ./tidemark ctl split kv-1-1 m"})
  int split(
      @Parameters(
              index = "0",
              paramLabel = "PARTITION",
              description = "Its id, as routing shows it.")
          String partition,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "KEY",
              description = "Text with \\xHH, or a tuple such as '(\"photos\", \"m\")'.")
          Optional<String> key,
      @Option(names = "--force", description = "Also while an automatic policy is active.")
          boolean force) {
    Optional<Key> where = key.map(KeySyntax::parse);
    return operate(operator -> operator.split(partition, where, force));
  }

  @Command(
      name = "merge",
      description = "Merge two neighbours on one node.",
      footer = {"%nExamples:", "  ./tidemark ctl merge kv-1-1 p-1-2"})
  int merge(
      @Parameters(
              index = "0",
              paramLabel = "LOWER",
              description = "The partition with the lower keys.")
          String lower,
      @Parameters(index = "1", paramLabel = "UPPER", description = "Its upper neighbour.")
          String upper,
      @Option(names = "--force", description = "Also while an automatic policy is active.")
          boolean force) {
    return operate(operator -> operator.merge(lower, upper, force));
  }

  @Command(
      name = "migrate",
      description = "Move a partition to another node.",
      footer = {"%nExamples:", "  ./tidemark ctl migrate p-1-2 node-3"})
  int migrate(
      @Parameters(
              index = "0",
              paramLabel = "PARTITION",
              description = "Its id, as routing shows it.")
          String partition,
      @Parameters(index = "1", paramLabel = "NODE", description = "Where to.") String node,
      @Option(names = "--force", description = "Also while an automatic policy is active.")
          boolean force) {
    return operate(operator -> operator.migrate(partition, node, force));
  }

  @Command(
      name = "drain",
      description = "Move everything away from a node.",
      footer = {"%nExamples:", "  ./tidemark ctl drain node-2"})
  int drain(@Parameters(paramLabel = "NODE", description = "Its name.") String node) {
    return operate(operator -> operator.drain(node));
  }

  @Command(
      name = "failover",
      description = "Move a partition whose node is gone.",
      footer = {"%nExamples:", "  ./tidemark ctl failover kv-1-1"})
  int failover(
      @Parameters(
              index = "0",
              paramLabel = "PARTITION",
              description = "Its id, as routing shows it.")
          String partition,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "NODE",
              description = "Where to; else the manager chooses.")
          Optional<String> node) {
    return operate(operator -> operator.failover(partition, node));
  }

  @Command(
      name = "ensure-type",
      description = "Give an actor type its first partition, on a node that has the type.",
      footer = {"%nExamples:", "  ./tidemark ctl ensure-type kv"})
  int ensureType(@Parameters(paramLabel = "TYPE", description = "Its name.") String type) {
    return with(
        operator -> {
          operator.ensureType(type);
          console.say(format(), type + ": has partitions", "ensure-type", "type", type);
          return 0;
        });
  }

  @Command(
      name = "ops",
      description = "Show, watch or cancel operations.",
      footer = {
        "%nExamples:",
        "  ./tidemark ctl ops list --running",
        "  ./tidemark ctl ops op-7",
        "  ./tidemark ctl ops watch",
        "  ./tidemark ctl ops watch op-7",
        "  ./tidemark ctl ops cancel op-7"
      })
  int ops(
      @Parameters(
              index = "0",
              arity = "0..1",
              paramLabel = "ID",
              description = "Only this one; or the word list, watch or cancel.")
          Optional<String> word,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "ID",
              description = "What to cancel or watch; else all that run are watched.")
          Optional<String> id,
      @Option(names = "--running", description = "Only those under way.") boolean running) {
    return switch (word.orElse("")) {
      case "cancel" -> {
        String which = id.orElseThrow(() -> new Misuse("cancel needs an ID"));
        yield show(operator -> PartitionListings.operations(List.of(operator.cancel(which))));
      }
      case "watch" -> with(operator -> new OperationWatch(operator, this::print).follow(id));
      default -> {
        if (id.isPresent()) {
          throw new Misuse("ops takes an ID, or watch or cancel and an ID");
        }
        Optional<String> only = word.filter(one -> !one.equals("list"));
        yield show(
            operator ->
                PartitionListings.operations(
                    only.map(one -> List.of(operator.operation(one)))
                        .orElseGet(() -> operator.operations(running))));
      }
    };
  }

  /** What to do with the policy. */
  enum PolicyVerb {
    get,
    apply,
    clear
  }

  @Command(
      name = "policy",
      description = "Show, replace or remove the policy: get, apply FILE or clear.",
      footer = {
        "%nExamples:",
        "  ./tidemark ctl policy get",
        "  ./tidemark ctl policy apply policy.yaml",
        "  ./tidemark ctl policy clear"
      })
  int policy(
      @Parameters(index = "0", paramLabel = "get|apply|clear", description = "What to do.")
          PolicyVerb verb,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "FILE",
              description = "The policy to apply.")
          Optional<Path> file) {
    if (file.isPresent() != (verb == PolicyVerb.apply)) {
      throw new Misuse("policy takes get, apply FILE or clear");
    }
    String policy = file.map(CtlCommands::read).orElse("");
    return with(
        operator -> {
          switch (verb) {
            case get -> show(operator.policy().map(String::stripTrailing));
            case apply -> {
              operator.applyPolicy(policy);
              console.say(format(), "applied", "apply");
            }
            case clear -> {
              operator.clearPolicy();
              console.say(format(), "cleared", "clear");
            }
          }
          return 0;
        });
  }

  private void show(Optional<String> policy) {
    if (json) {
      console.line(Json.of(Json.object("policy", policy)));
    } else {
      policy.ifPresent(console::line);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("Cannot read the policy in " + file, unreadable);
    }
  }

  /** What to do with a node. */
  enum NodeVerb {
    add,
    remove,
    reset
  }

  @Command(
      name = "node",
      description = "Add, remove or reset a node.",
      footer = {
        "%nExamples:",
        "  ./tidemark ctl node add node-4 tidemark://10.0.0.4:7600",
        "  ./tidemark ctl node reset node-1"
      })
  int node(
      @Parameters(index = "0", paramLabel = "add|remove|reset", description = "What to do.")
          NodeVerb verb,
      @Parameters(index = "1", paramLabel = "NODE", description = "Its name.") String node,
      @Parameters(
              index = "2",
              arity = "0..1",
              paramLabel = "ADDRESS",
              description = "Of a node to add.")
          Optional<String> address) {
    if (address.isPresent() && verb != NodeVerb.add) {
      throw new Misuse("node %s takes no ADDRESS".formatted(verb));
    }
    return with(
        operator -> {
          switch (verb) {
            case add -> operator.addNode(node, address.orElse(""));
            case remove -> operator.removeNode(node);
            case reset -> operator.resetNode(node);
          }
          console.say(format(), "%s: %s done".formatted(node, verb), verb.toString(), "node", node);
          return 0;
        });
  }

  private int operate(Function<PartitionOperator, PartitionOperation> what) {
    return with(
        operator -> {
          PartitionOperation operation = what.apply(operator);
          print(PartitionListings.operations(List.of(operation)));
          return operation.state() == PartitionOperation.State.DONE ? 0 : REFUSED;
        });
  }

  private int show(Function<PartitionOperator, Listing> what) {
    return with(
        operator -> {
          print(what.apply(operator));
          return 0;
        });
  }

  private void print(Listing listing) {
    console.show(format(), listing);
  }

  private Format format() {
    return Format.of(json);
  }

  private int with(Function<PartitionOperator, Integer> command) {
    String addresses =
        managers.orElseGet(
            () -> console.environment().getOrDefault("TIDEMARK_MANAGERS", DEFAULT_MANAGERS));
    List<String> each = List.of(addresses.split(",", -1));
    each.forEach(Connection::checkAddress);
    try (PartitionOperator operator = PartitionOperator.connect(each, channels(), PATIENCE)) {
      return command.apply(operator);
    }
  }

  private ChannelOptions channels() {
    ChannelOptions options = ChannelOptions.defaults();
    if (authorities.isPresent()) {
      options = options.withAuthorities(authorities.get());
    }
    if (tokenFile.isPresent()) {
      try {
        options = options.withToken(new TokenFile(tokenFile.get()).single());
      } catch (IOException unreadable) {
        throw new UncheckedIOException("Cannot read the token in " + tokenFile.get(), unreadable);
      }
    }
    return options;
  }
}
