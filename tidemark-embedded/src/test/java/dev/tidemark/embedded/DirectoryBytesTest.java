package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.directory.DirectoryAlreadyExistsException;
import com.apple.foundationdb.directory.DirectoryMoveException;
import com.apple.foundationdb.directory.DirectorySubspace;
import com.apple.foundationdb.directory.MismatchedLayerException;
import com.apple.foundationdb.directory.NoSuchDirectoryException;
import com.apple.foundationdb.subspace.Subspace;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.directory.Directory;
import dev.tidemark.kv.directory.DirectoryException;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The directory layer against fdb-java's own, which runs over the same store. */
class DirectoryBytesTest {
  private static final Pattern ROW = Pattern.compile("\\| `(fe[0-9a-f]*)` \\| `([0-9a-f]*)` \\|");
  private static final DirectoryLayer OURS = DirectoryLayer.DEFAULT.withManualPrefixes();
  private static final com.apple.foundationdb.directory.DirectoryLayer THEIRS =
      new com.apple.foundationdb.directory.DirectoryLayer(
          new Subspace(new byte[] {(byte) 0xfe}), new Subspace(), true);

  /** One step of a program. */
  private sealed interface Step {
    record CreateOrOpen(List<String> path, LayerId layer) implements Step {}

    record Create(List<String> path, LayerId layer, @Nullable Key prefix) implements Step {}

    record Open(List<String> path, LayerId layer) implements Step {}

    record Move(List<String> from, List<String> to) implements Step {}

    record Remove(List<String> path) implements Step {}

    record RemoveIfExists(List<String> path) implements Step {}

    record Look(List<String> path) implements Step {}
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void generatedProgramsLeaveTheSameTreesAndTheSameAnswers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database ours = EmbeddedDatabase.inMemory();
        Database theirs = EmbeddedDatabase.inMemory()) {
      Set<String> answers = new HashSet<>();
      for (int i = 0; i < 150; i++) {
        Step step = step(random, true);
        String answer = runOurs(ours, step);
        assertThat(answer).as("step %d, %s", i, step).isEqualTo(runTheirs(theirs, step));
        answers.add(answer.replaceAll("[ :].*", ""));
        if (i % 10 == 0) {
          assertThat(DirectoryDump.of(ours)).as("step %d", i).isEqualTo(DirectoryDump.of(theirs));
        }
      }
      assertThat(DirectoryDump.of(ours)).isEqualTo(DirectoryDump.of(theirs));
      assertThat(answers).contains("opened", "removed", "NOT_FOUND", "NO_MOVE", "ALREADY_EXISTS");
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {7, 8, 9})
  void withManualPrefixesTheBytesAreTheSame(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database ours = EmbeddedDatabase.inMemory();
        Database theirs = EmbeddedDatabase.inMemory()) {
      int executed = 0;
      for (int i = 0; i < 300; i++) {
        Step step = step(random, false);
        if (step instanceof Step.Create create && !parentExists(ours, create.path())) {
          continue; // the parent would get an automatic prefix
        }
        executed++;
        assertThat(runOurs(ours, step))
            .as("step %d, %s", i, step)
            .isEqualTo(runTheirs(theirs, step));
        assertThat(rows(ours)).as("step %d, %s", i, step).isEqualTo(rows(theirs));
      }
      assertThat(executed).isGreaterThan(150);
    }
  }

  private static boolean parentExists(Database db, List<String> path) {
    return OURS.exists(db, names(path.subList(0, path.size() - 1)));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {10, 11})
  void bothWorkOnOneTreeInTurns(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database shared = EmbeddedDatabase.inMemory();
        Database reference = EmbeddedDatabase.inMemory()) {
      for (int i = 0; i < 200; i++) {
        Step step = step(random, true);
        String answer = random.nextBoolean() ? runOurs(shared, step) : runTheirs(shared, step);
        assertThat(answer).as("step %d, %s", i, step).isEqualTo(runTheirs(reference, step));
      }
      assertThat(DirectoryDump.of(shared)).isEqualTo(DirectoryDump.of(reference));
    }
  }

  @Test
  void bothAllocateFromOneSetOfWindowsWithoutMeeting() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Set<Key> prefixes = new HashSet<>();
      for (int i = 0; i < 700; i++) {
        String name = "d" + i;
        Key prefix =
            i % 2 == 0
                ? OURS.create(db, name).subspace().prefix()
                : Key.of(theirs(db, tx -> THEIRS.create(tx, List.of(name)).join().getKey()));
        assertThat(prefixes.add(prefix)).as("%s is new", prefix).isTrue();
      }
      Directory opened = OURS.open(db, "d699");
      assertThat(prefixes).contains(opened.subspace().prefix());
      List<String> listed = theirs(db, tx -> THEIRS.list(tx).join());
      assertThat(listed).isEqualTo(OURS.list(db)).hasSize(700);
    }
  }

  @Test
  void theVectorOfThePageIsWhatIsStored() throws IOException {
    Path file = Path.of(System.getProperty("tidemark.root"), "docs/formats/directory.md");
    Map<String, String> page = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        page.put(row.group(1), row.group(2));
      }
    }
    try (Database db = EmbeddedDatabase.inMemory()) {
      OURS.createWithPrefix(db, Key.hex("aa"), LayerId.of("m"), "app");
      OURS.createWithPrefix(db, Key.hex("bb"), LayerId.NONE, "app", "users");
      assertThat(rows(db)).isEqualTo(page).hasSize(5);
    }
  }

  private static Map<String, String> rows(Database db) {
    Map<String, String> rows = new TreeMap<>();
    for (KeyValue row : db.read(tx -> tx.scan(KeyRange.ALL).list())) {
      rows.put(row.key().toHex(), HexFormat.of().formatHex(row.value()));
    }
    return rows;
  }

  private static Step step(SplittableRandom random, boolean automaticPrefixes) {
    List<String> path = path(random);
    int kinds = automaticPrefixes ? 10 : 8;
    return switch (random.nextInt(kinds)) {
      case 0, 1, 2 -> new Step.Create(path, layer(random), prefix(random));
      case 3 -> new Step.Open(path, layer(random));
      case 4 -> new Step.Move(path, path(random));
      case 5 -> new Step.Remove(path);
      case 6 -> new Step.RemoveIfExists(path);
      case 7 -> new Step.Look(path);
      case 8 -> new Step.Create(path, layer(random), null);
      default -> new Step.CreateOrOpen(path, layer(random));
    };
  }

  /** Sometimes overlapping: one or two bytes, none of which begins a packed integer. */
  private static Key prefix(SplittableRandom random) {
    byte[] prefix = new byte[random.nextInt(1, 3)];
    for (int i = 0; i < prefix.length; i++) {
      prefix[i] = (byte) (0x61 + random.nextInt(20));
    }
    return Key.of(prefix);
  }

  private static List<String> path(SplittableRandom random) {
    List<String> path = new ArrayList<>();
    int length = 1 + random.nextInt(3);
    for (int i = 0; i < length; i++) {
      path.add(List.of("a", "b", "c\0é").get(random.nextInt(3)));
    }
    return path;
  }

  private static LayerId layer(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> LayerId.PARTITION;
      case 1 -> LayerId.of("table");
      default -> LayerId.NONE;
    };
  }

  private static String runOurs(Database db, Step step) {
    try {
      return db.transact(tx -> runOurs(tx, step));
    } catch (DirectoryException failure) {
      return switch (failure.kind()) {
        case OTHER_LAYER -> "OTHER_LAYER: " + failure.layer().orElseThrow();
        case PREFIX_IN_USE -> "PREFIX";
        // A move from nowhere to another partition is both, and either may be said.
        case NOT_FOUND, INVALID_MOVE -> step instanceof Step.Move ? "NO_MOVE" : "NOT_FOUND";
        default -> failure.kind().name();
      };
    } catch (IllegalArgumentException failure) {
      return "PREFIX";
    }
  }

  private static String runOurs(Transaction tx, Step step) {
    return switch (step) {
      case Step.CreateOrOpen(var path, var layer) ->
          describe(tx, OURS.createOrOpen(tx, layer, names(path)));
      case Step.Create(var path, var layer, var prefix) ->
          describe(
              tx,
              prefix == null
                  ? OURS.create(tx, layer, names(path))
                  : OURS.createWithPrefix(tx, prefix, layer, names(path)));
      case Step.Open(var path, var layer) -> describe(tx, OURS.open(tx, layer, names(path)));
      case Step.Move(var from, var to) -> describe(tx, OURS.move(tx, from, to));
      case Step.Remove(var path) -> {
        OURS.remove(tx, names(path));
        yield "removed";
      }
      case Step.RemoveIfExists(var path) -> "was there: " + OURS.removeIfExists(tx, names(path));
      case Step.Look(var path) ->
          OURS.exists(tx, names(path)) ? "has " + OURS.list(tx, names(path)) : "not there";
    };
  }

  private static String[] names(List<String> path) {
    return path.toArray(String[]::new);
  }

  /** The directory in words; leaves a key in it. */
  private static String describe(Transaction tx, Directory directory) {
    if (!directory.layer().equals(LayerId.PARTITION)) {
      tx.set(directory.subspace().pack("data"), new byte[] {1});
    }
    return "opened %s %s".formatted(directory.path(), directory.layer());
  }

  private interface TheirBody<T> {
    T apply(com.apple.foundationdb.Transaction tx);
  }

  private static <T> T theirs(Database db, TheirBody<T> body) {
    return db.transact(tx -> body.apply(FdbTransactions.over(tx)));
  }

  private static String runTheirs(Database db, Step step) {
    try {
      return theirs(db, tx -> runTheirs(tx, step));
    } catch (CompletionException failure) {
      return switch (failure.getCause()) {
        case NoSuchDirectoryException e -> step instanceof Step.Move ? "NO_MOVE" : "NOT_FOUND";
        case DirectoryAlreadyExistsException e -> "ALREADY_EXISTS";
        case DirectoryMoveException e -> "NO_MOVE";
        case MismatchedLayerException e -> "OTHER_LAYER: " + LayerId.fromBytes(e.stored);
        case IllegalArgumentException e -> "PREFIX";
        case IllegalStateException e -> "PREFIX";
        case null, default -> throw failure;
      };
    }
  }

  private static String runTheirs(com.apple.foundationdb.Transaction tx, Step step) {
    return switch (step) {
      case Step.CreateOrOpen(var path, var layer) ->
          describe(tx, THEIRS.createOrOpen(tx, path, layer.toByteArray()).join());
      case Step.Create(var path, var layer, var prefix) ->
          describe(
              tx,
              prefix == null
                  ? THEIRS.create(tx, path, layer.toByteArray()).join()
                  : THEIRS.create(tx, path, layer.toByteArray(), prefix.toByteArray()).join());
      case Step.Open(var path, var layer) ->
          describe(tx, THEIRS.open(tx, path, layer.toByteArray()).join());
      case Step.Move(var from, var to) -> describe(tx, THEIRS.move(tx, from, to).join());
      case Step.Remove(var path) -> {
        THEIRS.remove(tx, path).join();
        yield "removed";
      }
      case Step.RemoveIfExists(var path) -> "was there: " + THEIRS.removeIfExists(tx, path).join();
      case Step.Look(var path) ->
          THEIRS.exists(tx, path).join() ? "has " + THEIRS.list(tx, path).join() : "not there";
    };
  }

  private static String describe(
      com.apple.foundationdb.Transaction tx, DirectorySubspace directory) {
    LayerId layer = LayerId.fromBytes(directory.getLayer());
    if (!layer.equals(LayerId.PARTITION)) {
      tx.set(directory.pack("data"), new byte[] {1});
    }
    return "opened %s %s".formatted(directory.getPath(), layer);
  }
}
