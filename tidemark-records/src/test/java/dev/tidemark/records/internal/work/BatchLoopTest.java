package dev.tidemark.records.internal.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.model.ModelDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How large the batches of builds, scrubs and migrations become. Pauses pass at once. */
class BatchLoopTest {
  private final ManualTime time = ManualTime.selfAdvancing();
  private final ModelDatabase database = ModelDatabase.open(Limits.DEFAULTS, time);
  private final List<Integer> sizes = new ArrayList<>();

  @AfterEach
  void close() {
    database.close();
  }

  private BatchLoop loop(BuildOptions options) {
    return new BatchLoop(database, options);
  }

  /** Takes as many records as it may. */
  private int take(Allowance allowance) {
    while (!allowance.isSpent()) {
      allowance.spend();
    }
    sizes.add(allowance.spentRecords());
    return allowance.spentRecords();
  }

  private int takeButFail(Allowance allowance, int failures) {
    int taken = take(allowance);
    if (sizes.size() <= failures) {
      throw new ConflictException("Another writer was here");
    }
    return taken;
  }

  @Test
  void batchesAreHalvedByConflictsAndGrowAgainByAQuarter() {
    BatchLoop loop = loop(BuildOptions.DEFAULTS.withRecordsPerTransaction(1_000));

    loop.commit((tx, allowance) -> takeButFail(allowance, 3));
    assertThat(sizes).containsExactly(1_000, 500, 250, 125);

    for (int i = 0; i < 20; i++) {
      loop.commit((tx, allowance) -> take(allowance));
    }
    assertThat(sizes.subList(4, 8)).containsExactly(156, 195, 243, 303);
    assertThat(sizes.getLast()).isEqualTo(1_000);
  }

  @Test
  void batchIsGivenUpAfterItsRetries() {
    BatchLoop loop = loop(BuildOptions.DEFAULTS.withRetriesMax(4));

    assertThatThrownBy(
            () -> loop.commit((tx, allowance) -> takeButFail(allowance, Integer.MAX_VALUE)))
        .isInstanceOf(ConflictException.class);
    assertThat(sizes).hasSize(5);
  }

  @Test
  void batchEndsWhenItsTimeIsOver() {
    BatchLoop loop = loop(BuildOptions.DEFAULTS.withTimePerTransaction(Duration.ofMillis(100)));

    int taken =
        loop.commit(
            (tx, allowance) -> {
              while (!allowance.isSpent()) {
                allowance.spend();
                time.advance(Duration.ofMillis(7));
              }
              return allowance.spentRecords();
            });

    assertThat(taken).isEqualTo(15);
  }

  @Test
  void batchEndsBeforeItWritesMoreThanItMay() {
    BatchLoop loop = loop(BuildOptions.DEFAULTS.withBytesPerTransaction(10_000));
    List<Long> written = new ArrayList<>();

    loop.commit(
        (tx, allowance) -> {
          while (!allowance.isSpent()) {
            write(tx, allowance.spentRecords());
            allowance.spend();
          }
          written.add(tx.size());
          return true;
        });

    assertThat(written.getFirst()).isBetween(8_000L, 10_000L);
  }

  private static void write(Transaction tx, int number) {
    tx.set(Key.utf8("record %05d".formatted(number)), new byte[500]);
  }
}
