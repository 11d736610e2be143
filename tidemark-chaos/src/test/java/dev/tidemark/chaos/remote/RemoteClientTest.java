package dev.tidemark.chaos.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.chaos.ledger.Committer;
import dev.tidemark.chaos.ledger.Deed;
import dev.tidemark.chaos.ledger.Writer;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RemoteClientTest {
  @Test
  void writerThatTheDiskStopsIsComplainedOf() {
    List<Message> told = new ArrayList<>();
    Committer failing =
        deed -> {
          throw new StorageException(StorageException.Kind.IO_ERROR, "the disk is gone", null);
        };
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      Writer writer =
          new Writer(
              told::add, database, failing, 7, 0, new Deed.Kind(10, 0), new SplittableRandom(1));
      RemoteClient.run(writer, 7, told::add);
    }
    assertThat(told).singleElement().isInstanceOf(Message.Complaint.class);
    assertThat(told.getFirst().line()).contains("Writer 7").contains("the disk is gone");
  }
}
