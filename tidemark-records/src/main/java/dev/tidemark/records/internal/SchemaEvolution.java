package dev.tidemark.records.internal;

import dev.tidemark.records.FieldSpec;
import dev.tidemark.records.FieldType;
import dev.tidemark.records.FormerIndex;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.Schema;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.TypeSpec;
import java.util.List;
import java.util.Optional;

/**
 * Which changes of a schema the stored records and indexes survive. Fields and columns go by their
 * numbers, so a rename is no change. Every refusal names its rule in brackets.
 */
final class SchemaEvolution {
  private final Schema stored;
  private final Schema wanted;

  private SchemaEvolution(Schema stored, Schema wanted) {
    this.stored = stored;
    this.wanted = wanted;
  }

  /** Refuses to take a store from {@code stored} to {@code wanted} if that would break it. */
  static void check(Schema stored, Schema wanted) {
    SchemaEvolution evolution = new SchemaEvolution(stored, wanted);
    stored.types().forEach(evolution::type);
    stored.indexes().forEach(evolution::index);
    wanted.indexes().forEach(evolution::since);
  }

  private void type(RecordType<?> old) {
    TypeSpec now =
        wanted
            .type(old.name())
            .map(RecordType::spec)
            .orElseThrow(
                () ->
                    refused("type-removed", "the type %s is gone; keep it".formatted(old.name())));
    fields(old.name(), old.spec().fields(), now.fields());
    if (!old.spec().primaryKey().equals(now.primaryKey())) {
      throw refused(
          "primary-key-changed",
          "the primary key of %s is another one; copy the records to a new type"
              .formatted(old.name()));
    }
    if (old.spec().versions() && !now.versions()) {
      throw refused(
          "versions-dropped",
          "%s no longer keeps versions; go on keeping them".formatted(old.name()));
    }
  }

  private void fields(String owner, List<FieldSpec> old, List<FieldSpec> now) {
    for (FieldSpec before : old) {
      FieldSpec after =
          now.stream()
              .filter(field -> field.number() == before.number())
              .findFirst()
              .orElseThrow(
                  () ->
                      refused(
                          "field-removed",
                          "%s.%s, number %d, is gone; keep it and do not use it"
                              .formatted(owner, before.name(), before.number())));
      String name = owner + "." + after.name();
      fieldType(name, before.type(), after.type());
      if (before.nullable() && !after.nullable()) {
        throw refused(
            "null-forbidden",
            "%s can no longer be null, but stored records may lack it".formatted(name));
      }
    }
  }

  private void fieldType(String name, FieldType old, FieldType now) {
    switch (old) {
      case FieldType.Scalar scalar -> {
        boolean wider =
            scalar.isWholeNumber()
                && now instanceof FieldType.Scalar other
                && other.isWholeNumber()
                && scalar.compareTo(other) <= 0;
        if (!wider && !old.equals(now)) {
          throw typeChanged(name, old, now);
        }
      }
      case FieldType.Constants constants -> {
        if (!(now instanceof FieldType.Constants other)) {
          throw typeChanged(name, old, now);
        }
        constants(name, constants, other);
      }
      case FieldType.Nested nested -> {
        if (!(now instanceof FieldType.Nested other)) {
          throw typeChanged(name, old, now);
        }
        fields(name, nested.fields(), other.fields());
      }
      case FieldType.ListOf list -> {
        if (!(now instanceof FieldType.ListOf other)) {
          throw typeChanged(name, old, now);
        }
        fieldType(name, list.element(), other.element());
      }
      case FieldType.SetOf set -> {
        if (!(now instanceof FieldType.SetOf other)) {
          throw typeChanged(name, old, now);
        }
        fieldType(name, set.element(), other.element());
      }
      case FieldType.MapOf map -> {
        if (!(now instanceof FieldType.MapOf other)) {
          throw typeChanged(name, old, now);
        }
        fieldType(name, map.key(), other.key());
        fieldType(name, map.value(), other.value());
      }
    }
  }

  private void constants(String name, FieldType.Constants old, FieldType.Constants now) {
    int known = old.constants().size();
    if (now.constants().size() < known
        || !now.constants().subList(0, known).equals(old.constants())) {
      throw refused(
          "enum-changed",
          "the constants of %s were %s and are %s; new ones go to the end, the others stay"
              .formatted(name, old.constants(), now.constants()));
    }
  }

  private SchemaException typeChanged(String name, FieldType old, FieldType now) {
    return refused(
        "type-changed",
        "%s was %s and is %s; whole numbers may become wider, all else stays. Add a new field"
            .formatted(name, old, now));
  }

  private void index(IndexSpec old) {
    Optional<IndexSpec> now = wanted.index(old.name());
    if (now.isEmpty()) {
      boolean listed =
          wanted.formerIndexes().stream().map(FormerIndex::name).anyMatch(old.name()::equals);
      if (!listed) {
        throw refused(
            "index-removed",
            "the index '%s' is gone; list it among the former indexes, so that its entries are removed"
                .formatted(old.name()));
      }
    } else if (!isSame(old, now.get()) && now.get().since() <= old.since()) {
      throw refused(
          "index-changed",
          "the index '%s' is defined in another way; say since = %d, so that it is built anew"
              .formatted(old.name(), wanted.version()));
    }
  }

  /**
   * Whether entries of {@code old} serve {@code now}; one that need not be unique any more does.
   */
  static boolean isSame(IndexSpec old, IndexSpec now) {
    IndexSpec comparable = now.withSince(old.since());
    return old.equals(comparable)
        || (old.unique() && !now.unique() && old.equals(comparable.asUnique(old.nullsEqual())));
  }

  private void since(IndexSpec index) {
    if (index.since() > wanted.version()) {
      throw refused(
          "index-since",
          "the index '%s' is there since version %d of a schema of version %d"
              .formatted(index.name(), index.since(), wanted.version()));
    }
  }

  private SchemaException refused(String rule, String what) {
    return new SchemaException(
        "The store cannot go from schema version %d to %d: %s [%s]"
            .formatted(stored.version(), wanted.version(), what, rule));
  }
}
