package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.EventId;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of the answer to a read of one stream as it comes in: a list with one stream, which
 * is its key and a list of entries, each of them an id and a list of fields.
 */
final class EntriesOutput extends CommandOutput<byte[], byte[], List<StreamEntry>> {
  /** How many lists are still open when an entry, or a stream, is complete. */
  private static final int ENTRY_DEPTH = 3;

  private static final int STREAM_DEPTH = 1;

  private final String stream;
  private boolean keySeen;
  private @Nullable EventId id;
  private RedisEvents.@Nullable Fields fields;

  /** The name of the field whose value comes next; null if a name does. */
  private @Nullable Byte field;

  EntriesOutput(String stream) {
    super(ByteArrayCodec.INSTANCE, new ArrayList<>());
    this.stream = stream;
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      // 6.2 answers a removed entry that was not acknowledged without its fields.
      return;
    }
    if (!keySeen) {
      keySeen = true;
    } else if (id == null) {
      id = new EventId(number(bytes), number(bytes));
    } else if (field == null) {
      field = bytes.remaining() == 1 ? bytes.get() : RedisEvents.Fields.OTHER;
    } else {
      take(field, bytes);
      field = null;
    }
  }

  /** The number up to the next dash or the end. */
  private static long number(ByteBuffer digits) {
    long number = 0;
    while (digits.hasRemaining()) {
      byte digit = digits.get();
      if (digit == '-') {
        break;
      }
      number = Math.addExact(Math.multiplyExact(number, 10), digit - '0');
    }
    return number;
  }

  private void take(byte name, ByteBuffer bytes) {
    RedisEvents.Fields known = fields;
    if (known == null) {
      known = new RedisEvents.Fields();
      fields = known;
    }
    byte[] value = new byte[bytes.remaining()];
    bytes.get(value);
    known.take(name, value);
  }

  @Override
  public void multi(int count) {}

  @Override
  public void complete(int depth) {
    if (depth == ENTRY_DEPTH && id != null) {
      output.add(new StreamEntry(id, fields == null ? null : fields.event(stream, id, 1)));
      id = null;
      fields = null;
    } else if (depth == STREAM_DEPTH) {
      keySeen = false;
    }
  }
}
