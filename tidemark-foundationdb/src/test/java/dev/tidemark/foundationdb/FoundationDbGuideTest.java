package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.TransactionContext;
import com.apple.foundationdb.directory.DirectoryLayer;
import com.apple.foundationdb.directory.DirectorySubspace;
import com.apple.foundationdb.tuple.Tuple;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.testkit.Guide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of docs/foundationdb.md. */
@Timeout(60)
class FoundationDbGuideTest {
  /** A layer: it knows FoundationDB and nothing of us. */
  static final class Visits {
    private final DirectorySubspace space;

    Visits(TransactionContext db) {
      space = DirectoryLayer.getDefault().createOrOpen(db, List.of("visits")).join();
    }

    void count(TransactionContext db, String page) {
      db.run(
          tx -> {
            tx.mutate(MutationType.ADD, space.pack(Tuple.from(page)), new byte[] {1, 0, 0, 0});
            return page;
          });
    }

    byte[] of(TransactionContext db, String page) {
      return db.run(tx -> tx.get(space.pack(Tuple.from(page))).join());
    }
  }

  @Test
  void visitsAreCounted() {
    try (EmbeddedDatabase store = EmbeddedDatabase.inMemory()) {
      Database db = FdbFacade.of(store);
      Visits visits = new Visits(db);
      visits.count(db, "/index");
      visits.count(db, "/index");
      assertThat(visits.of(db, "/index")).containsExactly(2, 0, 0, 0);
    }
  }

  @Test
  void layerOpensFoundationDbItself() {
    try (EmbeddedDatabase store = EmbeddedDatabase.inMemory()) {
      FdbFacade.install(store);
      try (Database db = FDB.selectAPIVersion(630).open()) {
        assertThat(new Visits(db).of(db, "/index")).isNull();
      }
    }
  }

  /** As pasted: a dependency without a version would need more of the reader's file. */
  @Test
  void guideNamesTheVersionOfThisBuild() throws Exception {
    String build = Files.readString(Path.of("pom.xml"));
    Matcher version =
        Pattern.compile("<artifactId>tidemark-parent</artifactId>\\s*(<version>.*?</version>)")
            .matcher(build);
    assertThat(version.find()).as("the parent's version in pom.xml").isTrue();
    Guide.read("docs/foundationdb.md")
        .part("## Your FoundationDB layer in a unit test, in one dependency")
        .showsOutput(
            "<artifactId>tidemark-foundationdb-local</artifactId>"
                + version.group(1)
                + "<type>pom</type>");
  }

  /** Every block of Java in the guide's part about the facade is part of this class. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/foundationdb.md")
        .part("## Your FoundationDB layer in a unit test, in one dependency")
        .showsCodeOf(
            2,
            "tidemark-foundationdb/src/test/java/dev/tidemark/foundationdb/FoundationDbGuideTest.java");
  }
}
