package dev.tidemark.records.internal.evolution;

import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/*
 * What has to hold for a program of the old schema that goes on beside programs of the new one:
 *
 *   - it reads every record that they write: fields keep their types, constants and nulls, and one that
 *     they no longer write reads as something;
 *   - they read every record that it writes: a new field is null, empty or has a default without it;
 *   - it loses nothing: fields that it does not know survive its saves, but not in elements of collections;
 *   - it does what a save and a delete have to do: versions, expiry and delete rules are the same. Indexes
 *     that it does not know it keeps by the stored description, so they may be any.
 *
 * Each is an equality, or forbids what no later version can bring back, so it holds from the first to the
 * third version if it holds from the first to the second and from the second to the third. The header
 * therefore hands its list of older versions on.
 */

/** The rules by which programs with an older schema may use a store that has a newer one. */
public final class SideBySide {
  private final Schema old;
  private final List<String> reasons = new ArrayList<>();

  private SideBySide(Schema old) {
    this.old = old;
  }

  /** The reasons against it, for a change from {@code old} to {@code now} that is not refused. */
  public static List<String> reasons(Schema old, Schema now) {
    SideBySide both = new SideBySide(old);
    now.types().forEach(both::type);
    return List.copyOf(both.reasons);
  }

  private void type(RecordType<?> type) {
    TypeSpec after = type.spec();
    Optional<TypeSpec> found = old.type(type.name()).map(RecordType::spec);
    if (found.isEmpty()) {
      newRelations(after);
      return;
    }
    TypeSpec before = found.get();
    fields(type.name(), before.fields(), after.fields(), true);
    if (before.versions() != after.versions()) {
      reasons.add("%s keeps versions, which older programs do not write".formatted(type.name()));
    }
    if (!before.expiry().equals(after.expiry())) {
      reasons.add("%s expires at another time".formatted(type.name()));
    }
    if (!before.relationships().equals(after.relationships())) {
      reasons.add("%s has other relationships".formatted(type.name()));
    }
  }

  /** A program that deletes a record has to know all types that refer to it. */
  private void newRelations(TypeSpec type) {
    for (TypeSpec.Relation relation : type.relationships()) {
      if (relation.onDelete() != DeleteRule.NO_ACTION && old.type(relation.target()).isPresent()) {
        reasons.add(
            "the new type %s refers to %s, which older programs would delete without regard to it"
                .formatted(type.name(), relation.target()));
      }
    }
  }

  private void fields(
      String owner, List<FieldSpec> before, List<FieldSpec> after, boolean unknownSurvive) {
    for (FieldSpec field : before) {
      Optional<FieldSpec> same = find(after, field.number());
      if (same.isPresent()) {
        field(owner + "." + same.get().name(), field, same.get(), unknownSurvive);
      } else if (!readsWithout(field)) {
        reasons.add(
            "%s.%s is gone, and older programs cannot do without it"
                .formatted(owner, field.name()));
      }
    }
    for (FieldSpec field : after) {
      if (find(before, field.number()).isEmpty()) {
        if (!unknownSurvive) {
          reasons.add(
              "%s.%s is new in records that are elements of a collection, where it does not survive a save by an older program"
                  .formatted(owner, field.name()));
        } else if (!readsWithout(field)) {
          reasons.add(
              "%s.%s is new and has no value in records that older programs write; let it be null, or give it a default"
                  .formatted(owner, field.name()));
        }
      }
    }
  }

  private static Optional<FieldSpec> find(List<FieldSpec> fields, int number) {
    return fields.stream().filter(field -> field.number() == number).findFirst();
  }

  private static boolean readsWithout(FieldSpec field) {
    return field.nullable() || field.absent().isPresent() || isCollection(field.type());
  }

  private static boolean isCollection(FieldType type) {
    return type instanceof FieldType.ListOf
        || type instanceof FieldType.SetOf
        || type instanceof FieldType.MapOf;
  }

  private void field(String name, FieldSpec before, FieldSpec after, boolean unknownSurvive) {
    fieldType(name, before.type(), after.type(), unknownSurvive);
    if (!before.nullable() && after.nullable()) {
      reasons.add("%s may be null".formatted(name));
    }
    if (!SchemaEvolution.readAlike(before, after)) {
      reasons.add("%s has another default".formatted(name));
    }
  }

  private void fieldType(String name, FieldType before, FieldType after, boolean unknownSurvive) {
    if (before instanceof FieldType.Nested one && after instanceof FieldType.Nested other) {
      fields(name, one.fields(), other.fields(), unknownSurvive);
    } else if (before instanceof FieldType.ListOf one && after instanceof FieldType.ListOf other) {
      fieldType(name, one.element(), other.element(), false);
    } else if (before instanceof FieldType.SetOf one && after instanceof FieldType.SetOf other) {
      fieldType(name, one.element(), other.element(), false);
    } else if (before instanceof FieldType.MapOf one && after instanceof FieldType.MapOf other) {
      fieldType(name, one.key(), other.key(), false);
      fieldType(name, one.value(), other.value(), false);
    } else if (before instanceof FieldType.Constants one
        && after instanceof FieldType.Constants other) {
      if (!one.constants().equals(other.constants())) {
        reasons.add("%s may be a constant that older programs do not know".formatted(name));
      }
    } else if (!before.equals(after)) {
      reasons.add("%s was %s and is %s".formatted(name, before, after));
    }
  }

  /** Why a program with {@code mine} may not use a store with the newer schema {@code stored}. */
  public static String refusal(Schema mine, Schema stored) {
    Optional<String> wrong =
        SchemaEvolution.refusals(mine, stored).stream()
            .findFirst()
            .map(SchemaEvolution.Refusal::toString);
    List<String> reasons = wrong.map(List::of).orElseGet(() -> reasons(mine, stored));
    return reasons.isEmpty()
        ? "the store was closed to older versions, or this schema is not the one of version %d that it had"
            .formatted(mine.version())
        : String.join("; ", reasons);
  }
}
