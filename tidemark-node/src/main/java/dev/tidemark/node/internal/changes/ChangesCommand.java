package dev.tidemark.node.internal.changes;

import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.DirectoryException;
import dev.tidemark.kv.Tuple;
import dev.tidemark.node.internal.ctl.Listing;
import dev.tidemark.records.RecordException;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shows and changes the change streams of record stores. */
public final class ChangesCommand {
  /** How it is used. */
  public static final String USAGE =
      """
      Usage: tidemark changes COMMAND STORE PATH STREAM [OPTIONS]
        tail                        the changes, in the order of their commits
            --from WHERE            beginning (default), now, a time or a position
            --until WHEN            now or a time; else a directory is read to its end, and a
                                    served store is followed until the program is stopped
            --limit N               ends after so many changes
        partitions                  the partitions with their ranges
        lineage                     which partition was split or merged into which
            --run NAME --readers P  with the state of a run, whose rows are in the directory
                                    or subspace P
        split TOKEN TYPE KEY...     at the record of TYPE with the primary key KEY
        merge TOKEN TOKEN           two neighbours
        STORE   a directory that no process has open, or tidemark://HOST:PORT of a served one
        PATH    the directory of the records, such as tenants/acme/users
        STREAM  the name of the change stream
        --json  one JSON object a line
        --token-file F, --tls-ca CA, --tls-cert C, --tls-key K   for a served store
        Exit codes: 0 done, 1 failed or refused, 2 wrong usage""";

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final PrintStream err;
  private final Function<String, Database> stores;
  private final BiFunction<Database, String, RecordSpace> spaces;

  /**
   * Prints to these.
   *
   * @param stores opens a STORE, which must be there
   * @param spaces opens the records at a PATH, with the schema that is stored there
   */
  public ChangesCommand(
      PrintStream out,
      PrintStream err,
      Function<String, Database> stores,
      BiFunction<Database, String, RecordSpace> spaces) {
    this.out = out;
    this.err = err;
    this.stores = stores;
    this.spaces = spaces;
  }

  /** Runs what stands behind {@code changes}, and answers the exit code. */
  public int run(List<String> args) {
    ChangesArguments arguments;
    try {
      if (args.equals(List.of("help")) || args.equals(List.of("--help"))) {
        out.println(USAGE);
        return 0;
      }
      arguments = ChangesArguments.parse(args);
      check(arguments);
    } catch (IllegalArgumentException wrong) {
      err.println("tidemark: " + wrong.getMessage());
      err.println(USAGE);
      return MISUSED;
    }
    try (Database database = stores.apply(arguments.word(1, "STORE"))) {
      run(arguments, database);
      return 0;
    } catch (DatabaseException
        | DirectoryException
        | RecordException
        | ChangeLogException
        | ChangeSourceException
        | ChangeReaderException
        | UncheckedIOException
        | IllegalArgumentException
        | IllegalStateException failure) {
      err.println("tidemark: " + failure.getMessage());
      return FAILED;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      err.println("tidemark: interrupted");
      return FAILED;
    }
  }

  /** Refuses what is wrong whatever the store holds, before it is opened. */
  private static void check(ChangesArguments args) {
    switch (args.words().getFirst()) {
      case "tail" -> {
        args.expectAtMost(0);
        args.from();
        args.limit();
      }
      case "split" -> {
        args.word(ChangesArguments.COMMON, "TOKEN");
        args.word(ChangesArguments.COMMON + 1, "TYPE");
        args.word(ChangesArguments.COMMON + 2, "KEY");
      }
      case "merge" -> {
        args.word(ChangesArguments.COMMON, "TOKEN");
        args.word(ChangesArguments.COMMON + 1, "The second TOKEN");
        args.expectAtMost(2);
      }
      default -> args.expectAtMost(0);
    }
  }

  private void run(ChangesArguments args, Database database) throws InterruptedException {
    RecordSpace space = spaces.apply(database, args.word(2, "PATH"));
    String stream = args.word(ChangesArguments.COMMON - 1, "STREAM");
    ChangeLog log = log(space, stream);
    List<String> rest = args.rest();
    switch (args.words().getFirst()) {
      case "tail" -> new Tail(RecordChangeSource.of(space, stream), args, out).run();
      case "lineage" -> show(args, new LineageView(database, log, args).listing());
      case "split" ->
          show(
              args,
              partitions(
                  log.split(
                      rest.get(0),
                      rest.get(1),
                      key(space, rest.get(1), rest.subList(2, rest.size())))));
      case "merge" -> show(args, partitions(List.of(log.merge(rest.get(0), rest.get(1)))));
      default -> show(args, partitions(log.partitions()));
    }
  }

  private static ChangeLog log(RecordSpace space, String stream) {
    List<String> names = space.changes().list().stream().map(each -> each.name()).toList();
    if (!names.contains(stream)) {
      throw new IllegalArgumentException(
          names.isEmpty()
              ? "These records have no change stream; declare one with @ChangeStream, or add it with ChangeStreams.add"
              : "There is no change stream %s; there is %s"
                  .formatted(stream, String.join(", ", names)));
    }
    return space.changes().log(stream);
  }

  private static Tuple key(RecordSpace space, String type, List<String> texts) {
    TypeSpec spec =
        space
            .schema()
            .type(type)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "There is no record type %s; there is %s"
                            .formatted(
                                type,
                                space.schema().types().stream()
                                    .map(each -> each.spec().name())
                                    .collect(Collectors.joining(", ")))))
            .spec();
    if (texts.size() > spec.primaryKey().size()) {
      throw new IllegalArgumentException(
          "The primary key of a %s has %d parts; %d were given"
              .formatted(type, spec.primaryKey().size(), texts.size()));
    }
    Object[] values = new Object[texts.size()];
    for (int i = 0; i < values.length; i++) {
      FieldSpec field = spec.field(spec.primaryKey().get(i)).orElseThrow();
      values[i] = field.type().parse(texts.get(i));
    }
    return spec.keyPrefix(values);
  }

  private void show(ChangesArguments args, Listing listing) {
    out.print(args.json() ? listing.jsonLines() : listing.table());
    out.flush();
  }

  private static Listing partitions(List<ChangePartition> partitions) {
    Listing listing = new Listing("token", "state", "begin", "end", "start", "ended", "children");
    partitions.forEach(
        each ->
            listing.add(
                each.token(),
                each.isActive() ? "ACTIVE" : "ENDED",
                bound(each.begin()),
                bound(each.end()),
                each.start(),
                each.ended(),
                each.children()));
    return listing;
  }

  /** A bound as people write it: the type, then the elements of the key. */
  static Optional<String> bound(Optional<ChangePartition.Bound> bound) {
    return bound.map(each -> each.type() + each.key());
  }
}
