package dev.tidemark.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.directory.Directory;
import dev.tidemark.kv.directory.DirectoryException;
import dev.tidemark.kv.directory.DirectoryException.Kind;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryTest {
  private static final DirectoryLayer ROOT = DirectoryLayer.DEFAULT;
  private static final LayerId TABLE = LayerId.of("table");
  private static final byte[] VALUE = {1};

  private final Database db = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void aDirectoryIsTheSameWheneverItIsOpened() {
    Directory users = ROOT.createOrOpen(db, TABLE, "app", "users");
    assertThat(users.path()).containsExactly("app", "users");
    assertThat(users.layer()).isEqualTo(TABLE);
    assertThat(users.subspace().prefix().size()).isBetween(1, 2);
    assertThat(ROOT.open(db, "app", "users")).isEqualTo(users).hasSameHashCodeAs(users);
    assertThat(ROOT.open(db, "app").open(db, TABLE, "users")).isEqualTo(users);
    assertThat(ROOT.createOrOpen(db, "app", "users")).isEqualTo(users);
    assertThat(ROOT.open(db, "app").layer()).isEqualTo(LayerId.NONE);
  }

  @Test
  void operationsJoinATransactionAndVanishWithIt() {
    try (Transaction tx = db.begin()) {
      Directory users = ROOT.create(tx, "users");
      tx.set(users.subspace().pack(1), VALUE);
      assertThat(ROOT.exists(tx, "users")).isTrue();
      assertThat(ROOT.list(tx)).containsExactly("users");
      assertThat(ROOT.exists(db, "users")).isFalse();
    }
    assertThat(ROOT.list(db)).isEmpty();
    assertThat(db.<Boolean, RuntimeException>read(tx -> tx.scan(KeyRange.ALL).first().isEmpty()))
        .isTrue();
  }

  @Test
  void namesAreListedInOrder() {
    for (String name : List.of("b", "", "a\0", "a", "ä")) {
      ROOT.create(db, "top", name);
    }
    assertThat(ROOT.list(db, "top")).containsExactly("", "a", "a\0", "b", "ä");
    assertThat(ROOT.open(db, "top").list(db)).hasSize(5);
    assertThat(ROOT.list(db)).containsExactly("top");
  }

  @Test
  void errorsCarryWhatTheyAreAbout() {
    ROOT.create(db, TABLE, "a");
    fails(Kind.ALREADY_EXISTS, () -> ROOT.create(db, "a"));
    fails(Kind.NOT_FOUND, () -> ROOT.open(db, "a", "b"));
    fails(Kind.NOT_FOUND, () -> ROOT.remove(db, "b"));
    fails(Kind.NOT_FOUND, () -> ROOT.list(db, "b"));
    fails(Kind.ROOT, () -> ROOT.open(db));
    fails(Kind.ROOT, () -> ROOT.createOrOpen(db));
    fails(Kind.ROOT, () -> ROOT.remove(db));
    fails(Kind.ROOT, () -> ROOT.moveTo(db, "x"));
    fails(Kind.NO_CONTENTS, ROOT::subspace);
    assertThatExceptionOfType(DirectoryException.class)
        .isThrownBy(() -> ROOT.createOrOpen(db, LayerId.of("queue"), "a"))
        .withMessage("The directory /a belongs to the layer \"table\", not to \"queue\"")
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.OTHER_LAYER);
              assertThat(failure.path()).containsExactly("a");
              assertThat(failure.layer()).contains(TABLE);
            });
  }

  @Test
  void movingKeepsTheKeysAndTheDirectoriesInside() {
    Directory inner = ROOT.create(db, TABLE, "a", "b", "c");
    db.run(tx -> tx.set(inner.subspace().pack("k"), VALUE));
    ROOT.create(db, "x");

    Directory moved = ROOT.open(db, "a", "b").moveTo(db, "x", "y");

    assertThat(moved.path()).containsExactly("x", "y");
    assertThat(ROOT.list(db, "a")).isEmpty();
    Directory found = ROOT.open(db, TABLE, "x", "y", "c");
    assertThat(found.subspace()).isEqualTo(inner.subspace());
    assertThat(
            db.<Boolean, RuntimeException>read(
                tx -> tx.get(found.subspace().pack("k")).isPresent()))
        .isTrue();
    assertThat(inner.exists(db)).isFalse();
    fails(Kind.NOT_FOUND, () -> ROOT.move(db, List.of("nowhere"), List.of("z")));
    fails(Kind.NOT_FOUND, () -> ROOT.move(db, List.of("a"), List.of("nowhere", "z")));
    fails(Kind.ALREADY_EXISTS, () -> ROOT.move(db, List.of("a"), List.of("x")));
    fails(Kind.INVALID_MOVE, () -> ROOT.move(db, List.of("x"), List.of("x", "y", "z")));
    fails(Kind.INVALID_MOVE, () -> ROOT.move(db, List.of("x"), List.of("x")));
  }

  @Test
  void removingTakesTheKeysAndTheDirectoriesInside() {
    Directory keep = ROOT.create(db, "keep");
    Directory outer = ROOT.create(db, "a");
    Directory inner = ROOT.create(db, "a", "b", "c");
    db.run(
        tx -> {
          for (Directory directory : List.of(keep, outer, inner)) {
            tx.set(directory.subspace().prefix(), VALUE);
            tx.set(directory.subspace().pack("k"), VALUE);
          }
        });

    assertThat(outer.removeIfExists(db)).isTrue();
    assertThat(outer.removeIfExists(db)).isFalse();

    fails(Kind.NOT_FOUND, () -> outer.remove(db));
    assertThat(ROOT.list(db)).containsExactly("keep");
    assertThat(count(outer.subspace()) + count(inner.subspace())).isZero();
    assertThat(count(keep.subspace())).isEqualTo(2);
  }

  @Test
  void aPartitionIsOneRangeOfKeysWithoutKeysOfItsOwn() {
    Directory tenant = ROOT.create(db, LayerId.PARTITION, "tenants", "t1");
    Directory users = tenant.createOrOpen(db, "app", "users");
    assertThat(users.path()).containsExactly("tenants", "t1", "app", "users");
    assertThat(ROOT.open(db, "tenants", "t1", "app", "users")).isEqualTo(users);
    assertThat(ROOT.list(db, "tenants", "t1")).containsExactly("app");
    assertThat(tenant.list(db)).containsExactly("app");
    assertThat(tenant.exists(db)).isTrue();
    assertThat(tenant.exists(db, "app", "users")).isTrue();
    assertThatExceptionOfType(DirectoryException.class)
        .isThrownBy(tenant::subspace)
        .withMessage(
            "/tenants/t1 holds directories and no keys of its own;"
                + " create a directory in it for your keys")
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.NO_CONTENTS);
              assertThat(failure.layer()).contains(LayerId.PARTITION);
            });
    ROOT.create(db, "elsewhere");
    fails(Kind.INVALID_MOVE, () -> users.moveTo(db, "elsewhere", "users"));
    fails(
        Kind.INVALID_MOVE,
        () -> ROOT.move(db, List.of("elsewhere"), List.of("tenants", "t1", "x")));
    assertThat(users.moveTo(db, "tenants", "t1", "people").subspace()).isEqualTo(users.subspace());

    db.run(tx -> tx.set(users.subspace().pack(1), VALUE));
    assertThat(tenant.moveTo(db, "t1").list(db)).containsExactly("app", "people");
    ROOT.remove(db, "t1");
    assertThat(count(users.subspace())).isZero();
    assertThat(ROOT.list(db)).containsExactly("elsewhere", "tenants");
  }

  @Test
  void anOpenPartitionIsUsableAfterItWasMoved() {
    Directory tenant = ROOT.create(db, LayerId.PARTITION, "t1");
    Directory users = tenant.create(db, "users");
    tenant.moveTo(db, "t2");
    assertThat(tenant.open(db, "users").subspace()).isEqualTo(users.subspace());
    assertThat(tenant.exists(db)).isFalse();
  }

  @Test
  void manualPrefixesMustBeAllowedAndFree() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ROOT.createWithPrefix(db, Key.utf8("p"), LayerId.NONE, "a"))
        .withMessageContaining("use withManualPrefixes()");
    DirectoryLayer manual = ROOT.withManualPrefixes();
    Directory a = manual.createWithPrefix(db, Key.utf8("pp"), TABLE, "a");
    assertThat(a.subspace()).isEqualTo(Subspace.fromPrefix(Key.utf8("pp")));
    for (String prefix : List.of("7070", "70", "707001", "", "fe", "fe01", "ff", "ff01")) {
      fails(
          Kind.PREFIX_IN_USE,
          () -> manual.createWithPrefix(db, Key.hex(prefix), LayerId.NONE, "b"));
    }
    manual.create(db, LayerId.PARTITION, "t");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> manual.createWithPrefix(db, Key.utf8("q"), LayerId.NONE, "t", "x"))
        .withMessageContaining("in a partition");
    assertThat(manual.list(db)).containsExactly("a", "t");
  }

  @Test
  void anAutomaticPrefixIsNotPutOverKeysThatAreThere() {
    db.run(
        tx -> {
          for (int i = 0; i < 64; i++) {
            tx.set(Tuple.of(i, "taken").toKey(), VALUE);
          }
        });
    fails(Kind.PREFIX_IN_USE, () -> ROOT.create(db, "a"));
    assertThat(ROOT.list(db)).isEmpty();
  }

  @Test
  void anotherVersionOfTheLayerIsNotTouched() {
    Key version =
        Subspace.fromPrefix(Key.hex("fe"))
            .pack(new byte[] {(byte) 0xfe}, new byte[] {'v', 'e', 'r', 's', 'i', 'o', 'n'});
    ROOT.create(db, "a");
    db.run(tx -> tx.set(version, new byte[] {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}));
    assertThat(ROOT.list(db)).containsExactly("a");
    fails(Kind.UNKNOWN_VERSION, () -> ROOT.create(db, "b"));
    fails(Kind.UNKNOWN_VERSION, () -> ROOT.remove(db, "a"));
    db.run(tx -> tx.set(version, new byte[] {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    fails(Kind.UNKNOWN_VERSION, () -> ROOT.list(db));
    db.run(tx -> tx.set(version, new byte[] {1}));
    fails(Kind.UNKNOWN_VERSION, () -> ROOT.open(db, "a"));
  }

  @Test
  void concurrentCreatorsGetPrefixesOfTheirOwn() throws Exception {
    List<Directory> made =
        inParallel(
            8,
            worker -> {
              List<Directory> mine = new ArrayList<>();
              for (int i = 0; i < 40; i++) {
                mine.add(ROOT.createOrOpen(db, "w" + worker, "d" + i));
                ROOT.createOrOpen(db, "shared", "s" + i % 5);
              }
              return mine;
            });
    assertThat(made).hasSize(320);
    assertThat(made.stream().map(Directory::subspace).distinct()).hasSize(320);
    assertThat(ROOT.list(db)).hasSize(9);
    assertThat(ROOT.list(db, "shared")).containsExactly("s0", "s1", "s2", "s3", "s4");
    for (int worker = 0; worker < 8; worker++) {
      assertThat(ROOT.list(db, "w" + worker)).hasSize(40);
    }
    assertThat(made)
        .allSatisfy(d -> assertThat(ROOT.open(db, d.path().toArray(String[]::new))).isEqualTo(d));
  }

  @Test
  void creatorsOfDifferentDirectoriesRarelyConflict() {
    ROOT.create(db, "first");
    int conflicts = 0;
    for (int i = 0; i < 10; i++) {
      try (Transaction one = db.begin();
          Transaction two = db.begin()) {
        ROOT.create(one, "one" + i);
        ROOT.create(two, "two" + i);
        one.commit();
        two.commit();
      } catch (ConflictException sameNumber) {
        conflicts++;
      }
    }
    // 21 allocations stay in the first window, where two choose the same of 64 numbers by chance.
    assertThat(conflicts).isLessThan(4);
  }

  @ParameterizedTest(name = "{0} added to the automatic prefix")
  @ValueSource(ints = {-1, 0, 1})
  void anAutomaticAndAManualPrefixThatMeetAreAConflict(int longer) {
    ROOT.removeIfExists(db, "none"); // writes the version, so that this is not what conflicts
    try (Transaction automatic = db.begin();
        Transaction manual = db.begin()) {
      byte[] prefix = ROOT.create(automatic, "a").subspace().prefix().toByteArray();
      Key meeting = Key.of(Arrays.copyOf(prefix, Math.max(1, prefix.length + longer)));
      ROOT.withManualPrefixes().createWithPrefix(manual, meeting, LayerId.NONE, "m");
      manual.commit();
      assertThatExceptionOfType(ConflictException.class).isThrownBy(automatic::commit);
    }
  }

  @Test
  void threadsThatShareATransactionGetPrefixesOfTheirOwn() throws Exception {
    ROOT.create(db, "first");
    try (Transaction tx = db.begin()) {
      List<Directory> made =
          inParallel(
              4,
              worker ->
                  IntStream.range(0, 10).mapToObj(i -> ROOT.create(tx, worker + "-" + i)).toList());
      tx.commit();
      assertThat(made.stream().map(Directory::subspace).distinct()).hasSize(40);
    }
    assertThat(ROOT.list(db)).hasSize(41);
  }

  private interface Work {
    List<Directory> apply(int worker);
  }

  private static List<Directory> inParallel(int workers, Work work)
      throws InterruptedException, ExecutionException {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Directory>>> running = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        int worker = i;
        running.add(executor.submit(() -> work.apply(worker)));
      }
      List<Directory> results = new ArrayList<>();
      for (Future<List<Directory>> one : running) {
        results.addAll(one.get());
      }
      return results;
    }
  }

  private long count(Subspace space) {
    return db.read(tx -> tx.scan(space.prefixRange()).stream().count());
  }

  private static void fails(Kind kind, ThrowingCallable action) {
    assertThatExceptionOfType(DirectoryException.class)
        .isThrownBy(action)
        .satisfies(failure -> assertThat(failure.kind()).isEqualTo(kind));
  }
}
