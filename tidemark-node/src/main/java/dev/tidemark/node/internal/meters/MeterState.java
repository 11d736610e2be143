package dev.tidemark.node.internal.meters;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What an actor keeps of one meter. A reading that comes again, or late, is counted once: all
 * numbers below {@code next} were seen, and those in {@code ahead}.
 */
final class MeterState {
  private final NavigableSet<Long> ahead = new TreeSet<>();
  private long next;
  private long timestamp;
  private long power;
  private long readings;
  private long watts;

  /** Counts {@code message}; false if it was counted before. */
  boolean add(Message message) {
    long number = LoadCurve.number(message.timestamp());
    if (number < next || !ahead.add(number)) {
      return false;
    }
    while (ahead.remove(next)) {
      next++;
    }
    readings++;
    watts += message.power();
    if (message.timestamp() > timestamp) {
      timestamp = message.timestamp();
      power = message.power();
    }
    return true;
  }

  Meter toRecord(long meter) {
    return new Meter(meter, LoadCurve.area(meter), timestamp, power, readings, watts);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(next);
    out.writeLong(timestamp);
    out.writeLong(power);
    out.writeLong(readings);
    out.writeLong(watts);
    out.writeInt(ahead.size());
    for (long number : ahead) {
      out.writeLong(number);
    }
  }

  static MeterState read(DataInputStream in) throws IOException {
    MeterState state = new MeterState();
    state.next = in.readLong();
    state.timestamp = in.readLong();
    state.power = in.readLong();
    state.readings = in.readLong();
    state.watts = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      state.ahead.add(in.readLong());
    }
    return state;
  }
}
