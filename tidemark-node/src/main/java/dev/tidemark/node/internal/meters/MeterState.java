package dev.tidemark.node.internal.meters;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an actor keeps of one meter. A reading that comes again, or late, is counted once: all
 * numbers below {@code next} were seen, and those in {@code ahead}. Days that can still change have
 * the sum of their readings in {@code days}.
 */
final class MeterState {
  private final NavigableSet<Long> ahead = new TreeSet<>();
  private final NavigableMap<Long, Long> days = new TreeMap<>();
  private long next;
  private long timestamp;
  private long power;
  private long readings;
  private long watts;

  /**
   * What a reading has changed.
   *
   * @param meter the meter, as it is now
   * @param past the energy of an earlier day, if it is known only now
   */
  record Change(Meter meter, Optional<DailyEnergy> past) {}

  /** Counts {@code message}; empty if it was counted before. */
  Optional<Change> add(Message message) {
    long number = LoadCurve.number(message.timestamp());
    if (number < next || !ahead.add(number)) {
      return Optional.empty();
    }
    while (ahead.remove(next)) {
      next++;
    }
    readings++;
    watts += message.power();
    long day = LoadCurve.day(message.timestamp());
    long latest = LoadCurve.day(timestamp);
    days.merge(day, message.power(), Long::sum);
    if (message.timestamp() > timestamp) {
      timestamp = message.timestamp();
      power = message.power();
    }
    long past = Math.min(day, latest);
    Optional<DailyEnergy> energy =
        day == latest || !days.containsKey(past)
            ? Optional.empty()
            : Optional.of(new DailyEnergy(message.meter(), past, energy(past)));
    forgetCompleteDays();
    return Optional.of(new Change(toRecord(message.meter()), energy));
  }

  private long energy(long day) {
    return LoadCurve.energy(days.getOrDefault(day, 0L));
  }

  /** All readings of the days before that of {@code next} have come. */
  private void forgetCompleteDays() {
    long open = LoadCurve.day(LoadCurve.timestamp(next));
    days.headMap(Math.min(open, LoadCurve.day(timestamp))).clear();
  }

  private Meter toRecord(long meter) {
    return new Meter(
        meter,
        LoadCurve.area(meter),
        timestamp,
        power,
        energy(LoadCurve.day(timestamp)),
        readings,
        watts);
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
    out.writeInt(days.size());
    for (Map.Entry<Long, Long> day : days.entrySet()) {
      out.writeLong(day.getKey());
      out.writeLong(day.getValue());
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
    for (int left = in.readInt(); left > 0; left--) {
      state.days.put(in.readLong(), in.readLong());
    }
    return state;
  }
}
