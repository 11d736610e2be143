package dev.tidemark.records.internal.format;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.ChangeStreamSpec.Exclusion;
import dev.tidemark.records.schema.ChangeStreamSpec.Watched;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A change stream in the header of a store.
 *
 * @param id its number in keys
 * @param spec its declaration
 */
public record StreamInfo(int id, ChangeStreamSpec spec) {
  /** The stream as an element of a header. */
  public Tuple toTuple() {
    return Tuple.of(id).nest(encode(spec));
  }

  /** The stream in an element of a header. */
  public static StreamInfo parse(Tuple tuple) {
    return new StreamInfo(tuple.getInt(0), decode(tuple.getTuple(1)));
  }

  /** The stored form of {@code spec}. */
  public static Tuple encode(ChangeStreamSpec spec) {
    Tuple watched = Tuple.EMPTY;
    for (Watched each : spec.watched()) {
      Tuple one = Tuple.of(each.type());
      watched =
          watched.nest(
              each.fields().isEmpty()
                  ? one
                  : one.nest(Tuple.copyOf(new ArrayList<>(each.fields().get()))));
    }
    int excluded = 0;
    for (Exclusion exclusion : spec.exclusions()) {
      excluded |= bit(exclusion);
    }
    return Tuple.of(
            spec.name(),
            Codes.CAPTURE_TYPES.of(spec.capture()),
            excluded,
            spec.optOut(),
            spec.retention().toSeconds())
        .nest(watched);
  }

  /** The declaration in the stored form. */
  public static ChangeStreamSpec decode(Tuple tuple) {
    int bits = tuple.getInt(2);
    Set<Exclusion> exclusions = EnumSet.noneOf(Exclusion.class);
    for (Exclusion exclusion : Exclusion.values()) {
      if ((bits & bit(exclusion)) != 0) {
        exclusions.add(exclusion);
      }
    }
    List<Watched> watched = new ArrayList<>();
    Tuple list = tuple.getTuple(5);
    for (int i = 0; i < list.size(); i++) {
      Tuple one = list.getTuple(i);
      watched.add(
          new Watched(
              one.getString(0),
              one.size() > 1 ? Optional.of(numbers(one.getTuple(1))) : Optional.empty()));
    }
    return new ChangeStreamSpec(
        tuple.getString(0),
        watched,
        Codes.CAPTURE_TYPES.constant(tuple.getInt(1)),
        exclusions,
        tuple.getBoolean(3),
        Duration.ofSeconds(tuple.getLong(4)));
  }

  private static Set<Integer> numbers(Tuple tuple) {
    Set<Integer> numbers = new TreeSet<>();
    for (int i = 0; i < tuple.size(); i++) {
      numbers.add(tuple.getInt(i));
    }
    return numbers;
  }

  /** The bit by which an exclusion is stored. */
  private static int bit(ChangeStreamSpec.Exclusion exclusion) {
    return switch (exclusion) {
      case INSERTS -> 1;
      case UPDATES -> 2;
      case DELETES -> 4;
      case TTL_DELETES -> 8;
    };
  }
}
