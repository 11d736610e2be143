package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What layers attach to a transaction, and what they do before its commit. */
abstract class CommitActionConformance extends ConformanceSuite {
  private static final AttachmentKey<List<String>> NOTES =
      AttachmentKey.of("notes", ArrayList::new);

  CommitActionConformance(DatabaseConformance engine) {
    super(engine);
  }

  @Test
  void attachmentIsMadeOnceForEachTransaction() {
    try (Transaction tx = db.begin();
        Transaction other = db.begin()) {
      tx.attachment(NOTES).add("a");
      tx.attachment(NOTES).add("b");

      assertThat(tx.attachment(NOTES)).containsExactly("a", "b");
      assertThat(other.attachment(NOTES)).isEmpty();
      assertThat(tx.attachment(AttachmentKey.of("notes", () -> "another key")))
          .isEqualTo("another key");
    }
  }

  @Test
  void bodyThatJoinsATransactionSeesItsAttachments() {
    db.run(
        tx -> {
          tx.attachment(NOTES).add("outer");
          tx.run(inner -> assertThat(inner.attachment(NOTES)).containsExactly("outer"));
        });
  }

  @Test
  void eachAttemptHasAttachmentsAndActionsOfItsOwn() {
    AtomicInteger attempts = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    db.run(
        tx -> {
          tx.attachment(NOTES).add("attempt");
          assertThat(tx.attachment(NOTES)).hasSize(1);
          tx.beforeCommit(committing -> runs.incrementAndGet());
          tx.get(key("a"));
          write(tx, "b=1");
          if (attempts.incrementAndGet() == 1) {
            given("a=1");
          }
        });
    assertThat(attempts).hasValue(2);
    assertThat(runs).hasValue(2);
  }

  @Test
  void actionsRunOnceInTheOrderOfTheirRegistration() {
    List<String> order = new ArrayList<>();
    db.run(
        tx -> {
          order.clear();
          tx.beforeCommit(committing -> order.add("first"));
          tx.beforeCommit(committing -> order.add("second"));
          write(tx, "a=1");
        });
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void actionReadsOwnWritesAndItsOwnAreCommittedWithThem() {
    db.run(
        tx -> {
          tx.beforeCommit(committing -> write(committing, "b=" + text(committing.get(key("a")))));
          write(tx, "a=1");
        });
    assertThat(stored()).isEqualTo("a=1 b=1");
  }

  @Test
  void actionMayBeAllThatATransactionWrites() {
    db.run(tx -> tx.beforeCommit(committing -> write(committing, "a=1")));
    long version = commit(tx -> tx.beforeCommit(committing -> write(committing, "b=1")));

    assertThat(stored()).isEqualTo("a=1 b=1");
    assertThat(version).isPositive();
  }

  @Test
  void whatAnActionReadsConflicts() {
    try (Transaction tx = db.begin()) {
      tx.readVersion();
      tx.beforeCommit(
          committing -> {
            committing.get(key("a"));
            write(committing, "b=1");
          });
      given("a=1");

      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void actionThatAnActionAddsRunsToo() {
    db.run(
        tx -> {
          tx.beforeCommit(committing -> committing.beforeCommit(later -> write(later, "later=1")));
          write(tx, "a=1");
        });
    assertThat(stored()).isEqualTo("a=1 later=1");
  }

  @Test
  void failedActionFailsTheCommitAndNothingIsWritten() {
    AtomicInteger later = new AtomicInteger();
    IllegalStateException failure = new IllegalStateException("not today");
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
      tx.beforeCommit(
          committing -> {
            write(committing, "b=1");
            throw failure;
          });
      tx.beforeCommit(committing -> later.incrementAndGet());

      assertThatThrownBy(tx::commit).isSameAs(failure);
      assertThatThrownBy(tx::commit).isInstanceOf(TransactionClosedException.class);
      assertThatThrownBy(() -> write(tx, "c=1")).isInstanceOf(TransactionClosedException.class);
    }
    assertThatThrownBy(
            () ->
                db.run(
                    tx -> {
                      write(tx, "a=1");
                      tx.beforeCommit(
                          committing -> {
                            throw failure;
                          });
                    }))
        .isSameAs(failure);
    assertThat(later).hasValue(0);
    assertThat(stored()).isEmpty();
  }

  @Test
  void preparedActionsDoNotRunAgainAtTheCommit() {
    AtomicInteger runs = new AtomicInteger();
    try (Transaction tx = db.begin()) {
      tx.beforeCommit(
          committing -> {
            runs.incrementAndGet();
            write(committing, "a=1");
          });
      assertThat(tx.hasWrites()).isFalse();
      tx.prepareCommit();
      assertThat(tx.hasWrites()).isTrue();
      tx.commit();
    }
    assertThat(runs).hasValue(1);
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void transactionThatIsNotCommittedRunsNoAction() {
    AtomicInteger runs = new AtomicInteger();
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
      tx.beforeCommit(committing -> runs.incrementAndGet());
    }
    assertThat(runs).hasValue(0);
  }

  @Test
  void endedTransactionTakesNoAction() {
    try (Transaction tx = db.begin()) {
      write(tx, "a=1");
      tx.commit();

      assertThatThrownBy(() -> tx.beforeCommit(committing -> {}))
          .isInstanceOf(TransactionClosedException.class);
      assertThatThrownBy(tx::prepareCommit).isInstanceOf(TransactionClosedException.class);
    }
  }
}
