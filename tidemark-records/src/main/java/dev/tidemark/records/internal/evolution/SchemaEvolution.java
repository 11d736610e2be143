package dev.tidemark.records.internal.evolution;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules for changes of a schema that stored records and indexes survive. Numbers identify
 * fields and columns, so a rename is no change; a name at another number is not a rename. Every
 * refusal names its rule in brackets.
 */
public final class SchemaEvolution {
  private final Schema stored;
  private final Schema wanted;
  private final List<Refusal> refusals = new ArrayList<>();

  /**
   * A refused change.
   *
   * @param rule the name of the rule
   * @param what what is wrong and what to do
   */
  public record Refusal(String rule, String what) {
    @Override
    public String toString() {
      return "%s [%s]".formatted(what, rule);
    }
  }

  private SchemaEvolution(Schema stored, Schema wanted) {
    this.stored = stored;
    this.wanted = wanted;
  }

  /** Refuses to take a store from {@code stored} to {@code wanted} if that would break it. */
  public static void check(Schema stored, Schema wanted) {
    List<Refusal> refusals = refusals(stored, wanted);
    if (!refusals.isEmpty()) {
      throw new SchemaException(
          "The store cannot go from schema version %d to %d: %s"
              .formatted(
                  stored.version(),
                  wanted.version(),
                  String.join("; ", refusals.stream().map(Refusal::toString).toList())));
    }
  }

  /** The refusals of a change from {@code stored} to {@code wanted}. */
  public static List<Refusal> refusals(Schema stored, Schema wanted) {
    SchemaEvolution evolution = new SchemaEvolution(stored, wanted);
    stored.types().forEach(evolution::type);
    stored.indexes().forEach(evolution::index);
    wanted.indexes().forEach(evolution::since);
    return List.copyOf(evolution.refusals);
  }

  private void refuse(String rule, String what) {
    refusals.add(new Refusal(rule, what));
  }

  private void type(RecordType<?> old) {
    Optional<TypeSpec> found = wanted.type(old.name()).map(RecordType::spec);
    if (found.isEmpty()) {
      refuse("type-removed", "the type %s is gone; keep it".formatted(old.name()));
      return;
    }
    TypeSpec now = found.get();
    Path path = new Path(old.name(), List.of());
    fields(old.name(), old.spec().fields(), now.fields(), now.reserved(), path);
    reserved(old.name(), old.spec().reserved(), now.reserved());
    if (!old.spec().primaryKey().equals(now.primaryKey())) {
      refuse(
          "primary-key-changed",
          "the primary key of %s is another one; copy the records to a new type"
              .formatted(old.name()));
    }
    if (old.spec().versions() && !now.versions()) {
      refuse(
          "versions-dropped",
          "%s no longer keeps versions; go on keeping them".formatted(old.name()));
    }
  }

  /** The path of a field: the type, and the numbers of the fields that lead to it. */
  private record Path(String type, List<Integer> fields) {
    Path to(int field) {
      List<Integer> longer = new ArrayList<>(fields);
      longer.add(field);
      return new Path(type, longer);
    }

    boolean leadsTo(ColumnSpec column) {
      List<Integer> path = column.path().stream().map(ColumnSpec.Step::field).toList();
      return path.size() >= fields.size() && path.subList(0, fields.size()).equals(fields);
    }
  }

  /** Stored values under a number that is no longer reserved would be read as another field's. */
  private void reserved(String owner, List<Integer> old, List<Integer> now) {
    List<Integer> lost = new ArrayList<>(old);
    lost.removeAll(now);
    if (!lost.isEmpty()) {
      refuse(
          "reserved-removed",
          "the numbers %s of %s were reserved and are not any more, but stored records may still have values under them; keep them in @Reserved"
              .formatted(lost, owner));
    }
  }

  private void fields(
      String owner, List<FieldSpec> old, List<FieldSpec> now, List<Integer> reserved, Path path) {
    for (FieldSpec before : old) {
      Optional<FieldSpec> moved = moved(before, now);
      Optional<FieldSpec> found =
          now.stream().filter(field -> field.number() == before.number()).findFirst();
      if (moved.isPresent()) {
        refuse(
            "field-moved",
            "%s.%s had number %d and has %d, where stored records have another field or none; append new components, and keep its number with @FieldOrder or @Attribute(number = %d)"
                .formatted(
                    owner, before.name(), before.number(), moved.get().number(), before.number()));
      } else if (found.isEmpty()) {
        removed(owner, before, reserved);
      } else {
        field(owner + "." + found.get().name(), before, found.get(), path.to(before.number()));
      }
    }
  }

  private void removed(String owner, FieldSpec field, List<Integer> reserved) {
    if (!reserved.contains(field.number())) {
      refuse(
          "field-removed",
          "%s.%s, number %d, is gone, and its number could be used again; put it into @Reserved(%d), or keep the field and do not use it"
              .formatted(owner, field.name(), field.number(), field.number()));
    }
  }

  /**
   * The field of {@code others} with the name of {@code field} and another number, if there is one.
   */
  public static Optional<FieldSpec> moved(FieldSpec field, List<FieldSpec> others) {
    return others.stream()
        .filter(other -> other.name().equals(field.name()) && other.number() != field.number())
        .findFirst();
  }

  private void field(String name, FieldSpec before, FieldSpec after, Path path) {
    fieldType(name, before.type(), after.type(), path);
    if (before.nullable() && !after.nullable()) {
      refuse(
          "null-forbidden",
          "%s can no longer be null, but stored records may lack it".formatted(name));
    }
    if (!readAlike(before, after)) {
      defaultOf(name, path);
    }
  }

  /** Whether indexes see the same value in records that lack the field. */
  public static boolean readAlike(FieldSpec before, FieldSpec after) {
    return Objects.deepEquals(absent(before), absent(after));
  }

  /** The element of a key, which does not change when a whole number becomes wider. */
  private static @Nullable Object absent(FieldSpec field) {
    return KeyElements.element(field.type(), field.absent().orElse(null));
  }

  /** Entries of records that lack a field were made with the old default. */
  private void defaultOf(String name, Path path) {
    for (IndexSpec index : wanted.indexes()) {
      boolean uses =
          index.type().equals(path.type())
              && Stream.of(
                      index.columns().stream(),
                      index.covering().stream(),
                      index.filter().comparisons().stream().map(IndexFilter.Comparison::column))
                  .flatMap(columns -> columns)
                  .anyMatch(path::leadsTo);
      boolean kept =
          stored.index(index.name()).filter(old -> old.since() == index.since()).isPresent();
      if (uses && kept) {
        refuse(
            "default-changed",
            "%s has another default, or can be null and was 0 or false without one, and the index '%s' has entries made with the old value; leave it, or say since = %d for the index, so that it is built anew"
                .formatted(name, index.name(), wanted.version()));
      }
    }
  }

  private void fieldType(String name, FieldType old, FieldType now, Path path) {
    switch (old) {
      case FieldType.Scalar scalar -> {
        boolean wider =
            scalar.isWholeNumber()
                && now instanceof FieldType.Scalar other
                && other.isWholeNumber()
                && scalar.compareTo(other) <= 0;
        if (!wider && !old.equals(now)) {
          typeChanged(name, old, now);
        }
      }
      case FieldType.Constants constants when now instanceof FieldType.Constants other ->
          constants(name, constants, other);
      case FieldType.Nested nested when now instanceof FieldType.Nested other -> {
        fields(name, nested.fields(), other.fields(), other.reserved(), path);
        reserved(name, nested.reserved(), other.reserved());
      }
      case FieldType.ListOf list when now instanceof FieldType.ListOf other ->
          fieldType(name, list.element(), other.element(), path);
      case FieldType.SetOf set when now instanceof FieldType.SetOf other ->
          fieldType(name, set.element(), other.element(), path);
      case FieldType.MapOf map when now instanceof FieldType.MapOf other -> {
        fieldType(name, map.key(), other.key(), path);
        fieldType(name, map.value(), other.value(), path);
      }
      case FieldType.Constants constants -> typeChanged(name, old, now);
      case FieldType.Nested nested -> typeChanged(name, old, now);
      case FieldType.ListOf list -> typeChanged(name, old, now);
      case FieldType.SetOf set -> typeChanged(name, old, now);
      case FieldType.MapOf map -> typeChanged(name, old, now);
    }
  }

  private void constants(String name, FieldType.Constants old, FieldType.Constants now) {
    int known = old.constants().size();
    if (now.constants().size() < known
        || !now.constants().subList(0, known).equals(old.constants())) {
      refuse(
          "enum-changed",
          "the constants of %s were %s and are %s; new ones go to the end, the others stay"
              .formatted(name, old.constants(), now.constants()));
    }
  }

  private void typeChanged(String name, FieldType old, FieldType now) {
    refuse(
        "type-changed",
        "%s was %s and is %s; whole numbers may become wider, all else stays. Add a new field"
            .formatted(name, old, now));
  }

  private void index(IndexSpec old) {
    Optional<IndexSpec> now = wanted.index(old.name());
    if (now.isEmpty()) {
      boolean listed =
          wanted.formerIndexes().stream().map(FormerIndex::name).anyMatch(old.name()::equals);
      if (!listed && !old.isImplied()) {
        refuse(
            "index-removed",
            "the index '%s' is gone; list it among the former indexes, so that its entries are removed"
                .formatted(old.name()));
      }
    } else if (!isSame(old, now.get()) && now.get().since() <= old.since()) {
      refuse(
          "index-changed",
          "the index '%s' is defined in another way; say since = %d, so that it is built anew"
              .formatted(old.name(), wanted.version()));
    }
  }

  /** Whether the entries of {@code old} are those of {@code now}, which may drop uniqueness. */
  static boolean isSame(IndexSpec old, IndexSpec now) {
    IndexSpec comparable = now.withSince(old.since());
    return old.equals(comparable)
        || (old.unique() && !now.unique() && old.equals(comparable.asUnique(old.nullsEqual())));
  }

  private void since(IndexSpec index) {
    if (index.since() > wanted.version()) {
      refuse(
          "index-since",
          "the index '%s' is there since version %d of a schema of version %d"
              .formatted(index.name(), index.since(), wanted.version()));
    }
    for (FormerIndex former : stored.formerIndexes()) {
      if (former.name().equals(index.name()) && index.since() < former.removed()) {
        refuse(
            "former-index-reused",
            "the index '%s' was removed with version %d; say since = %d for the new one, or choose another name"
                .formatted(index.name(), former.removed(), wanted.version()));
      }
    }
  }
}
