package dev.tidemark.changes.spanner;

import static dev.tidemark.testkit.Eventually.eventually;
import static dev.tidemark.testkit.spanner.SpannerScript.change;
import static dev.tidemark.testkit.spanner.SpannerScript.child;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.StartAt;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.Guide;
import dev.tidemark.testkit.spanner.FakeSpanner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The example of docs/changes-spanner.md. */
class SpannerGuideTest {
  private final List<String> printed = new CopyOnWriteArrayList<>();
  private final MetadataStore metadata = MetadataStore.inMemory(TimeSource.system());

  private EndReason follow(SpannerChangesOptions connection) throws Exception {
    ReaderOptions options =
        ReaderOptions.forRun("audit")
            .withStart(StartAt.time(Instant.now().minus(Duration.ofHours(1))));
    try (SpannerChanges changes = SpannerChanges.open(connection);
        ChangeReader reader = changes.reader(options, metadata)) {
      reader.start(delivery -> print(delivery.change()));
      onSignal(() -> reader.stop(Duration.ofSeconds(30)));
      return reader.await();
    }
  }

  /**
   * Runs {@code action} when the first change was printed, as if somebody had sent a signal then.
   */
  private void onSignal(Callable<EndReason> action) {
    Thread.startVirtualThread(
        () -> {
          eventually("a change is printed", () -> !printed.isEmpty());
          assertThatCode(action::call).doesNotThrowAnyException();
        });
  }

  private void print(DataChange change) {
    printed.add(
        "[%s] %s.%s: %s"
            .formatted(
                change.modType(),
                change.table(),
                change.mods().getFirst().keys().asMap(),
                change.mods().getFirst().newValues().asMap()));
  }

  @Test
  void programPrintsChangesUntilItIsToldToStop() throws Exception {
    try (FakeSpanner spanner =
        FakeSpanner.googleSql(
            (query, rows) -> {
              if (query.token().isEmpty()) {
                rows.record(child(query.start(), "first"));
              } else {
                rows.record(change(query.start().plusSeconds(1), 7, 100));
                rows.hang();
              }
            })) {
      SpannerChangesOptions connection =
          SpannerChangesOptions.forStream("projects/p/instances/i/databases/d", "ledger")
              .withEmulator(spanner.address())
              .withPartitions(20);
      assertThat(follow(connection)).isEqualTo(new EndReason.Stopped(true));
    }
    assertThat(printed).containsExactly("[INSERT] account.{id=7}: {balance=100}");
  }

  @Test
  void guideShowsThisExample() {
    Guide.read("docs/changes-spanner.md")
        .showsCodeOf(2, "tidemark-changes-spanner/src/test/java/dev/tidemark/changes/spanner");
  }
}
