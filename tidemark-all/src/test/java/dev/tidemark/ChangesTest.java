package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChangesTest {
  @Test
  void readerFollowsTheRecords() throws Exception {
    try (Tidemark tidemark = Tidemark.open("memory:")) {
      LedgerStore ledger = tidemark.records(LedgerStore::open);
      LinkedBlockingQueue<Sale> seen = new LinkedBlockingQueue<>();
      ChangeReader reader =
          tidemark.reader(
              ledger.space(),
              "sales",
              ReaderOptions.forRun("audit").withStart(StartAt.beginning()));
      reader.start(
          delivery ->
              seen.add(RecordChangeSource.newRecord(delivery.change(), Sale_.TYPE).orElseThrow()));

      tidemark.run(tx -> ledger.sale().insert(tx, new Sale(1, 30)));

      assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo(new Sale(1, 30));
    }
  }
}
