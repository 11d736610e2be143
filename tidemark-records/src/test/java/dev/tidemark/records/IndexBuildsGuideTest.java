package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.ScrubOptions;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.maintenance.Violation;
import dev.tidemark.testkit.Guide;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of docs/index-builds.md. */
@Timeout(60)
class IndexBuildsGuideTest {
  @Test
  void examplesDoWhatTheGuideSays() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      BuildFixture fixture = new BuildFixture(db);
      RecordSpace space = fixture.space;
      fixture.fill(100);
      fixture.disable("person_email", "person_count_by_city");
      db.run(tx -> fixture.people.save(tx, BuildFixture.person(1).withEmail("p2@example.com")));

      Map<String, IndexState> states = db.read(tx -> space.indexes().states(tx));
      db.run(tx -> space.indexes().disable(tx, "person_by_city"));
      assertThat(states).containsEntry("person_email", IndexState.DISABLED);

      ByteArrayOutputStream shown = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
      try (OnlineIndexer indexer =
          OnlineIndexer.of(
              space,
              o ->
                  o.withIndexes("person_by_city", "person_count_by_city")
                      .withListener(progress -> out.println(progress.line(20))))) {
        indexer.build();
      }
      assertThat(shown.toString(StandardCharsets.UTF_8)).contains("100 of 100 records");
      fixture.build("person_email");
      List<Violation> violations =
          db.read(tx -> space.indexes().violations(tx, "person_email", 100));
      assertThat(violations).hasSize(1);
      db.run(tx -> fixture.people.delete(tx, 1L));
      IndexState state = db.transact(tx -> space.indexes().makeReadable(tx, "person_email"));
      assertThat(state).isEqualTo(IndexState.READABLE);

      ScrubReport report = Scrubber.of(space, o -> o.withMode(ScrubOptions.Mode.REPAIR)).run();
      assertThat(report.wrong()).isZero();
      fixture.assertRight("person_by_city", "person_count_by_city", "person_email");
    }
  }

  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/index-builds.md")
        .showsCodeOf(
            5, "tidemark-records/src/test/java/dev/tidemark/records/IndexBuildsGuideTest.java");
  }
}
