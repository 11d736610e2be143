package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.changes.ChangeStreams;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The declaration of a change stream: which changes of which records it records, and for how long.
 *
 * @param name its name: a letter, then letters, digits and underscores, 100 characters at most
 * @param watched the types that it watches; empty for all, also types that are added to the schema
 *     later
 * @param capture which values are kept. Default {@link CaptureType#OLD_AND_NEW_VALUES}
 * @param exclusions changes that are not recorded. Default none
 * @param optOut whether a transaction may {@linkplain ChangeStreams#exclude exclude itself}.
 *     Default no
 * @param retention the shortest time for which a change is kept. Default 7 days
 */
public record ChangeStreamSpec(
    String name,
    List<Watched> watched,
    CaptureType capture,
    Set<Exclusion> exclusions,
    boolean optOut,
    Duration retention) {
  /** The default retention. */
  public static final Duration RETENTION_DEFAULT = Duration.ofDays(7);

  /** The largest number of streams of a store. */
  public static final int STREAMS_MAX = 10;

  private static final Duration RETENTION_MAX = Duration.ofDays(3650);
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,99}");

  /** Changes that a stream does not record. */
  public enum Exclusion {
    /** Records that are new. */
    INSERTS,
    /** Records that have other values. */
    UPDATES,
    /** Records that are deleted, expired ones too. */
    DELETES,
    /** Records that are deleted because they have expired, and those deleted along with them. */
    TTL_DELETES
  }

  /**
   * A type that is watched.
   *
   * @param type its name
   * @param fields the numbers of the watched fields, those of the primary key aside; empty for all.
   *     An update that changes none of them is not recorded
   */
  public record Watched(String type, Optional<Set<Integer>> fields) {
    /** Copies the set, in order. */
    public Watched {
      fields = fields.map(some -> Collections.unmodifiableSet(new TreeSet<>(some)));
    }

    /** All fields of the type called {@code name}. */
    public static Watched all(String name) {
      return new Watched(name, Optional.empty());
    }

    /** The fields called {@code names} of {@code type}; for none, only inserts and deletes. */
    public static Watched fields(TypeSpec type, String... names) {
      Set<Integer> numbers = new TreeSet<>();
      for (String name : names) {
        numbers.add(
            type.field(name)
                .map(FieldSpec::number)
                .orElseThrow(
                    () ->
                        new SchemaException(
                            "A change stream watches the field '%s' of %s, which has none; it has %s"
                                .formatted(
                                    name,
                                    type.name(),
                                    type.fields().stream().map(FieldSpec::name).toList()))));
      }
      return new Watched(type.name(), Optional.of(numbers));
    }

    /**
     * Parses what {@code text} watches of {@code types}: {@code Book} for a whole type, {@code
     * Book(title, year)} for some of its fields, {@code Book()} for its inserts and deletes.
     */
    public static Watched parse(Collection<TypeSpec> types, String text) {
      int open = text.indexOf('(');
      String name = (open < 0 ? text : text.substring(0, open)).strip();
      TypeSpec type =
          types.stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new SchemaException(
                          "A change stream watches '%s', which is no type; there are %s"
                              .formatted(name, types.stream().map(TypeSpec::name).toList())));
      if (open < 0) {
        return all(name);
      }
      String rest = text.substring(open + 1).strip();
      if (!rest.endsWith(")")) {
        throw new SchemaException(
            "A change stream watches '%s'; write Type, Type(field, field) or Type()"
                .formatted(text));
      }
      String list = rest.substring(0, rest.length() - 1).strip();
      return fields(type, list.isEmpty() ? new String[0] : list.split("\\s*,\\s*", -1));
    }
  }

  /** Copies the collections, and refuses values that make no sense. */
  public ChangeStreamSpec {
    watched = List.copyOf(watched);
    exclusions = exclusions.isEmpty() ? Set.of() : Collections.unmodifiableSet(copy(exclusions));
    if (!NAME.matcher(name).matches()) {
      throw new SchemaException(
          "A change stream is called '%s'; a name is a letter, then letters, digits and underscores, 100 characters at most"
              .formatted(name));
    }
    if (retention.compareTo(Duration.ofSeconds(1)) < 0 || retention.compareTo(RETENTION_MAX) > 0) {
      throw new SchemaException(
          "The change stream '%s' keeps changes for %s; give it between a second and %d days"
              .formatted(name, retention, RETENTION_MAX.toDays()));
    }
    Set<String> types = new HashSet<>();
    for (Watched each : watched) {
      if (!types.add(each.type())) {
        throw new SchemaException(
            "The change stream '%s' watches the type %s twice".formatted(name, each.type()));
      }
    }
  }

  private static EnumSet<Exclusion> copy(Set<Exclusion> exclusions) {
    return EnumSet.copyOf(exclusions);
  }

  /** A stream that watches everything, with the defaults for all else. */
  public static ChangeStreamSpec of(String name) {
    return new ChangeStreamSpec(
        name, List.of(), CaptureType.OLD_AND_NEW_VALUES, Set.of(), false, RETENTION_DEFAULT);
  }

  /** This stream with other types, or all for none. */
  public ChangeStreamSpec withWatched(Watched... types) {
    return new ChangeStreamSpec(name, List.of(types), capture, exclusions, optOut, retention);
  }

  /** This stream with other values kept. */
  public ChangeStreamSpec withCapture(CaptureType other) {
    return new ChangeStreamSpec(name, watched, other, exclusions, optOut, retention);
  }

  /** This stream without these changes. */
  public ChangeStreamSpec withExclusions(Exclusion... changes) {
    return new ChangeStreamSpec(name, watched, capture, Set.of(changes), optOut, retention);
  }

  /** This stream with or without transactions that may exclude themselves. */
  public ChangeStreamSpec withOptOut(boolean allowed) {
    return new ChangeStreamSpec(name, watched, capture, exclusions, allowed, retention);
  }

  /** This stream with another time for which changes are kept. */
  public ChangeStreamSpec withRetention(Duration time) {
    return new ChangeStreamSpec(name, watched, capture, exclusions, optOut, time);
  }

  /** How this stream watches the type called {@code type}, if it does. */
  public Optional<Watched> watches(String type) {
    return watched.isEmpty()
        ? Optional.of(Watched.all(type))
        : watched.stream().filter(each -> each.type().equals(type)).findFirst();
  }
}
