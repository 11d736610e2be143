package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.BulkProgress;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.Guide;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of docs/cursors.md. */
@Timeout(60)
class CursorsGuideTest {
  @Test
  void examplesDoWhatTheGuideSays() {
    try (Database db = EmbeddedDatabase.inMemory()) {
      Schema schema =
          Schema.of(1, List.of(Person.TYPE), List.of(Person.index("age", IndexKind.VALUE, "age")));
      RecordStore<Person> store =
          RecordSpace.open(db, schema, Subspace.of("people")).store(Person.TYPE);
      db.run(
          tx -> {
            for (int id = 0; id < 100; id++) {
              store.save(tx, Person.of(id, "Oslo", id % 2));
            }
          });
      Query<Person> query = store.query().where(PersonFields.AGE.eq(1));
      pages(db, query);
      List<Long> seen = new ArrayList<>();
      try (Stream<Person> all = query.autoContinue()) {
        all.forEach(person -> seen.add(person.id()));
      }
      assertThat(seen).hasSize(50);
      changes(db, store, query);
    }
  }

  private static void pages(Database db, Query<Person> query) {
    try (Transaction tx = db.begin()) {
      QueryLimits page = QueryLimits.NONE.withRows(20);
      Cursor<Person> cursor = query.cursor(tx, page);
      List<Person> first = new ArrayList<>();
      cursor.forEachRemaining(first::add);
      Continuation place = cursor.continuation();
      assertThat(first).hasSize(20);
      assertThat(cursor.stopReason()).isEqualTo(StopReason.ROW_LIMIT);

      Cursor<Person> next = query.resume(tx, page, place);
      assertThat(next.next()).isNotIn(first);
    }
  }

  private static void changes(Database db, RecordStore<Person> store, Query<Person> query) {
    Key placeKey = Subspace.of("places").pack("scores");
    BulkProgress deleted = query.delete();
    BulkProgress updated =
        store
            .query()
            .update(person -> person.withScore(0), BulkOptions.DEFAULTS.withRowsPerTransaction(50));
    assertThat(deleted.changed()).isEqualTo(50);
    assertThat(updated.found()).isEqualTo(50);

    BulkOptions options =
        BulkOptions.DEFAULTS.withInTransaction(
            (tx, progress) -> tx.set(placeKey, progress.continuation().toBytes()));
    store.query().update(person -> person.withScore(person.score() + 1), options);
    List<Person> all = db.read(tx -> store.query().list(tx));
    assertThat(all).hasSize(50).allMatch(person -> person.score() == 1);
  }

  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/cursors.md")
        .showsCodeOf(
            5, "tidemark-records/src/test/java/dev/tidemark/records/CursorsGuideTest.java");
  }
}
