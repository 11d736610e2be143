package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.Actor;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.Outcome;
import dev.tidemark.partitions.PartitionRange;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The meters of one partition. A reading changes the state in memory, and the entry of the actor's
 * log and the meter's record in one commit.
 */
final class MeterActor implements Actor<Message, String> {
  private final GridStore grid;
  private final NavigableMap<Long, MeterState> meters = new TreeMap<>();

  private MeterActor(GridStore grid) {
    this.grid = grid;
  }

  /** The type of the actors that save their meters in {@code grid}. */
  static ActorType<Message, String> type(GridStore grid) {
    return ActorType.of(
        "meter",
        Codec.of(Message::toBytes, bytes -> Message.parse(bytes).orElseThrow()),
        Codec.TEXT,
        context -> new MeterActor(grid));
  }

  /** Where {@code meter} is among the keys of the type. */
  static Key key(long meter) {
    return Key.of(Tuple.of(meter).pack());
  }

  @Override
  public Outcome<String> receive(Message message) {
    MeterState state = meters.computeIfAbsent(message.meter(), absent -> new MeterState());
    Optional<MeterState.Change> change = state.add(message);
    if (change.isEmpty()) {
      return Outcome.answer("known");
    }
    return Outcome.answer("counted")
        .log(message.toBytes())
        .effects(
            tx -> {
              grid.meter().save(tx, change.get().meter());
              change.get().past().ifPresent(day -> grid.dailyEnergy().save(tx, day));
            });
  }

  @Override
  public void replay(byte[] entry) {
    Message message = Message.parse(entry).orElseThrow();
    meters.computeIfAbsent(message.meter(), absent -> new MeterState()).add(message);
  }

  @Override
  public void export(PartitionRange range, OutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    for (Map.Entry<Long, MeterState> meter : meters.entrySet()) {
      if (range.contains(key(meter.getKey()))) {
        data.writeBoolean(true);
        data.writeLong(meter.getKey());
        meter.getValue().write(data);
      }
    }
    data.writeBoolean(false);
    data.flush();
  }

  @Override
  public void load(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    while (data.readBoolean()) {
      meters.put(data.readLong(), MeterState.read(data));
    }
  }

  @Override
  public OptionalLong keyCount() {
    return OptionalLong.of(meters.size());
  }
}
