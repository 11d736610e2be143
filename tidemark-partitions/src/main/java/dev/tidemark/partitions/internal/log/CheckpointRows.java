package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.Database;
import dev.tidemark.partitions.internal.log.Journal.CheckpointSource;
import dev.tidemark.partitions.internal.store.CheckpointHeadRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;

/** The chunks of checkpoints. Which checkpoint counts is written elsewhere, under the fence. */
final class CheckpointRows {
  private final Database database;
  private final PartitionKeys keys;

  CheckpointRows(Database database, PartitionKeys keys) {
    this.database = database;
    this.keys = keys;
  }

  /** Writes the chunks of a checkpoint, whose generation nobody has used. */
  CheckpointHeadRow write(String partition, String generation, long epoch, CheckpointSource source)
      throws Exception {
    long bytes = 0;
    for (int part = 0; part < source.parts().size(); part++) {
      ChunkWriter out = new ChunkWriter(database, keys, partition, generation, part);
      source.parts().get(part).write(out);
      out.finish();
      bytes += out.bytes();
    }
    return new CheckpointHeadRow(
        generation, source.lsn(), epoch, source.parts().size(), bytes, source.keys());
  }

  void read(String partition, CheckpointHeadRow head, JournalTarget target) throws Exception {
    for (int part = 0; part < head.parts(); part++) {
      ChunkReader in = new ChunkReader(database, keys, partition, head.generation(), part);
      if (part == 0) {
        target.answers(in);
      } else {
        target.state(in);
      }
    }
  }
}
