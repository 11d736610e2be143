package dev.tidemark.chaos.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.run.Findings;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The auditor is worth something only if it notices: each test breaks one promise by hand. */
class AuditTest {
  private static final Entry.Move MOVE = new Entry.Move(1, 2, 10);

  private static final Entry.Count COUNT = new Entry.Count(0, false, 5);

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final List<Message.Acknowledged> acknowledged = new ArrayList<>();

  @BeforeEach
  void commitThreeTransfers() {
    Accounts.openIn(database);
    for (int sequence = 1; sequence <= 3; sequence++) {
      transfer(sequence);
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void findsNothingWhereNothingIsWrong() {
    Audit.Result result = Audit.of(database, Ledger.empty(), acknowledged, 1);
    assertThat(result.findings().problems()).isEmpty();
    assertThat(result.ledger().commits()).isEqualTo(3);
    assertThat(Audit.complete(database, result.ledger()).problems()).isEmpty();
  }

  @Test
  void findsAnAcknowledgedCommitThatIsMissing() {
    acknowledged.add(new Message.Acknowledged(5, 1, Versionstamp.of(Long.MAX_VALUE, 0, 0)));
    assertThat(audit().lostCount()).isEqualTo(1);
  }

  @Test
  void findsAMissingLeg() {
    database.run(tx -> tx.set(Layout.account(2), Layout.balance(Layout.OPENING_BALANCE)));
    Findings findings = audit();
    assertThat(findings.tornCount()).isEqualTo(1);
    assertThat(findings.otherCount()).as("the sum").isEqualTo(1);
  }

  @Test
  void findsACounterThatMissedACommit() {
    database.run(tx -> tx.set(Layout.counter(0), Layout.count(10)));
    assertThat(audit().tornCount()).isEqualTo(1);
  }

  @Test
  void findsALogEntryWithoutItsIndex() {
    database.run(tx -> tx.clear(Layout.index(0, 3)));
    assertThat(audit().tornCount()).isPositive();
  }

  @Test
  void findsAnIndexEntryWithoutItsLog() {
    Versionstamp last = acknowledged.getLast().stamp();
    database.run(tx -> tx.clear(KeyRange.single(Layout.log(last))));
    assertThat(audit().tornCount()).isPositive();
    assertThat(audit().lostCount()).isEqualTo(1);
  }

  @Test
  void findsAGapInTheNumbersOfAWriter() {
    Versionstamp second = acknowledged.get(1).stamp();
    database.run(
        tx -> {
          tx.clear(Layout.log(second));
          tx.clear(Layout.index(0, 2));
        });
    assertThat(audit().problems()).anyMatch(problem -> problem.contains("after number 1"));
  }

  @Test
  void findsACommitThatWasDoneTwice() {
    database.run(tx -> new Deed(0, 3, true, MOVE, COUNT, 20).writeTo(tx));
    assertThat(audit().problems()).anyMatch(problem -> problem.contains("after number 3"));
  }

  @Test
  void findsVersionsThatGoBack() {
    Ledger later = Ledger.empty();
    later.add(Versionstamp.of(Long.MAX_VALUE, 0, 0), new Entry.Append(7, 1, COUNT, 0));
    assertThat(Audit.of(database, later, acknowledged, 1).findings().problems())
        .anyMatch(problem -> problem.contains("is not after"));
  }

  private Findings audit() {
    return Audit.of(database, Ledger.empty(), acknowledged, 1).findings();
  }

  private void transfer(long sequence) {
    try (Transaction tx = database.begin()) {
      new Deed(0, sequence, true, MOVE, COUNT, 20).writeTo(tx);
      tx.commit();
      acknowledged.add(new Message.Acknowledged(0, sequence, tx.versionstamp()));
    }
  }
}
