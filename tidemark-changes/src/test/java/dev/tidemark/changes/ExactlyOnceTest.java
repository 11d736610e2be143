package dev.tidemark.changes;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects in the transaction that stores the position. */
class ExactlyOnceTest {
  private static final byte[] ONE =
      ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(1).array();
  private static final Subspace EFFECTS = Subspace.of("effects");

  private static ReaderOptions options() {
    return ReaderOptions.forRun("run")
        .withStart(StartAt.beginning())
        .withBatchSize(3)
        .withDetectionInterval(Duration.ofMillis(5))
        .withFlushInterval(Duration.ofMillis(5))
        .withLease(Duration.ofMillis(500));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void eachChangeHasOneEffectAlthoughCommitsAreInDoubtAndReadersAreKilled(long seed)
      throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    ScriptedSource source = new ScriptedSource(2, 8);
    try (FaultyDatabase database =
        FaultyDatabase.over(
            EmbeddedDatabase.inMemory(),
            FaultPlan.random(
                seed,
                0.1,
                Fault.CONFLICT,
                Fault.UNKNOWN_COMMITTED,
                Fault.UNKNOWN_NOT_COMMITTED,
                Fault.UNKNOWN_ON_ITS_WAY))) {
      MetadataStore store = MetadataStore.in(database, Subspace.of("readers"));
      for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 15; i++) {
          source.commit(random.nextInt(4), 4 + random.nextInt(4));
        }
        if (round % 2 == 0) {
          source.split(source.alive().getFirst());
        } else {
          source.merge(source.alive().getFirst(), source.alive().getLast());
        }
        int target = round == 5 ? source.committed().size() : 10 + round * 20;
        try (ChangeReader reader = ChangeReader.of(source, store, options())) {
          reader.startTransactional(
              (tx, batch) -> {
                batch.changes().forEach(change -> tx.mutate(MutationType.ADD, key(change), ONE));
              });
          eventually("effects of round", () -> effects(database) >= target);
          // Killed in the middle of whatever it does.
        }
      }
      for (DataChange change : source.committed()) {
        byte[] count = database.read(tx -> tx.get(key(change))).orElseThrow();
        assertThat(count).as("effects of " + change.id()).isEqualTo(ONE);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"UNKNOWN_COMMITTED", "UNKNOWN_NOT_COMMITTED"})
  void commitWhoseOutcomeAReaderDidNotLearnHasOneEffectAfterItIsKilled(Fault fault)
      throws Exception {
    ScriptedSource source = new ScriptedSource(1, 2);
    source.commit(0, 1);
    AtomicInteger left = new AtomicInteger(-1);
    FaultPlan plan =
        commit ->
            left.get() > 0 && left.decrementAndGet() >= 0 ? Optional.of(fault) : Optional.empty();
    try (FaultyDatabase database = FaultyDatabase.over(EmbeddedDatabase.inMemory(), plan)) {
      MetadataStore store = MetadataStore.in(database, Subspace.of("readers"));
      try (ChangeReader killed = ChangeReader.of(source, store, options())) {
        killed.startTransactional(
            (tx, batch) -> {
              batch.changes().forEach(change -> tx.mutate(MutationType.ADD, key(change), ONE));
              left.compareAndSet(-1, 3);
            });
        eventually("commits in doubt", () -> left.get() == 0);
      }
      try (ChangeReader next = ChangeReader.of(source, store, options())) {
        next.startTransactional(
            (tx, batch) ->
                batch.changes().forEach(change -> tx.mutate(MutationType.ADD, key(change), ONE)));
        source.commit(0);
        eventually("all effects", () -> effects(database) == 3);
      }
      for (DataChange change : source.committed()) {
        assertThat(database.read(tx -> tx.get(key(change))).orElseThrow())
            .as("effects of " + change.id())
            .isEqualTo(ONE);
      }
    }
  }

  private static Key key(DataChange change) {
    return EFFECTS.pack(change.id());
  }

  private static int effects(FaultyDatabase database) {
    return database.read(tx -> tx.scan(EFFECTS.range()).list().size());
  }

  @Test
  void storeWithoutADatabaseIsRefused() {
    ScriptedSource source = new ScriptedSource(1, 1);
    MetadataStore memory = MetadataStore.inMemory(TimeSource.system());
    try (ChangeReader reader = ChangeReader.of(source, memory, options())) {
      assertThatThrownBy(() -> reader.startTransactional((tx, batch) -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("MetadataStore.in");
    }
  }

  @Test
  void orderThatLetsBatchesOvertakeEachOtherIsRefused() {
    ScriptedSource source = new ScriptedSource(1, 1);
    MetadataStore memory = MetadataStore.inMemory(TimeSource.system());
    try (ChangeReader reader =
        ChangeReader.of(source, memory, options().withOrder(OrderMode.UNORDERED))) {
      assertThatThrownBy(() -> reader.startTransactional((tx, batch) -> {}))
          .hasMessageContaining("PARTITION");
    }
  }
}
