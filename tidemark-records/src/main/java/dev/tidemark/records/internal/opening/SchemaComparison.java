package dev.tidemark.records.internal.opening;

import dev.tidemark.records.internal.evolution.SchemaEvolution;
import dev.tidemark.records.internal.format.DynamicValues;
import dev.tidemark.records.internal.format.SchemaBytes;
import dev.tidemark.records.maintenance.BuildProgress.Certainty;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.maintenance.SchemaDiff.Build;
import dev.tidemark.records.maintenance.SchemaDiff.Change;
import dev.tidemark.records.maintenance.SchemaDiff.Kind;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Computes the differences between a stored schema and another one. */
public final class SchemaComparison {
  private static final String NO_REWRITE = "no record and no index is rewritten";

  private final Schema stored;
  private final Schema wanted;
  private final SchemaCosts costs;
  private final List<Change> changes = new ArrayList<>();

  private SchemaComparison(Schema stored, Schema wanted, SchemaCosts costs) {
    this.stored = stored;
    this.wanted = wanted;
    this.costs = costs;
  }

  /** The difference between {@code stored} and {@code wanted}. */
  public static SchemaDiff of(Schema stored, Schema wanted, SchemaCosts costs) {
    SchemaComparison comparison = new SchemaComparison(stored, wanted, costs);
    comparison.refusals();
    wanted.types().forEach(comparison::type);
    wanted.indexes().forEach(comparison::index);
    stored.indexes().forEach(comparison::removed);
    comparison.streams();
    return new SchemaDiff(stored.version(), wanted.version(), comparison.changes);
  }

  private void add(Kind kind, String subject, String detail) {
    changes.add(new Change(kind, subject, detail, Optional.empty()));
  }

  private void refusals() {
    boolean same = Arrays.equals(SchemaBytes.encode(stored), SchemaBytes.encode(wanted));
    if (wanted.version() < stored.version()) {
      add(Kind.REFUSED, "version-stale", "version %d is stale".formatted(wanted.version()));
    } else if (wanted.version() == stored.version() && !same) {
      add(
          Kind.REFUSED,
          "version-not-raised",
          "something changes; raise the version to %d".formatted(stored.version() + 1));
    }
    for (SchemaEvolution.Refusal refusal : SchemaEvolution.refusals(stored, wanted)) {
      add(Kind.REFUSED, refusal.rule(), refusal.what());
    }
  }

  // ---- types and fields

  private void type(RecordType<?> type) {
    TypeSpec now = type.spec();
    Optional<TypeSpec> found = stored.type(type.name()).map(RecordType::spec);
    if (found.isEmpty()) {
      add(Kind.TYPE_ADDED, type.name(), "it has no records yet");
      return;
    }
    TypeSpec old = found.get();
    fields(type.name(), old.fields(), now.fields());
    if (!old.versions() && now.versions()) {
      add(Kind.VERSIONS_ADDED, type.name(), "records saved before have none");
    }
    if (!old.expiry().equals(now.expiry())) {
      add(
          Kind.EXPIRY_CHANGED,
          type.name(),
          now.expiry().isPresent()
              ? "records count as expired by it from then on"
              : "records do not expire any more");
    }
  }

  private void fields(String owner, List<FieldSpec> old, List<FieldSpec> now) {
    for (FieldSpec field : now) {
      if (SchemaEvolution.moved(field, old).isPresent()) {
        continue; // it is refused, so it is not a change
      }
      String name = owner + "." + field.name();
      old.stream()
          .filter(other -> other.number() == field.number())
          .findFirst()
          .ifPresentOrElse(
              before -> field(name, before, field),
              () ->
                  add(
                      Kind.FIELD_ADDED,
                      name,
                      "stored records read as %s; %s".formatted(absent(field), NO_REWRITE)));
    }
    removedFields(owner, old, now);
  }

  private void removedFields(String owner, List<FieldSpec> old, List<FieldSpec> now) {
    for (FieldSpec field : old) {
      if (now.stream().noneMatch(other -> other.number() == field.number())
          && SchemaEvolution.moved(field, now).isEmpty()) {
        add(
            Kind.FIELD_REMOVED,
            owner + "." + field.name(),
            "number %d; stored values stay and are not read".formatted(field.number()));
      }
    }
  }

  private static String absent(FieldSpec field) {
    Object value = field.absent().orElse("empty");
    return value.equals((char) 0) ? "\\0" : DynamicValues.text(value);
  }

  private void field(String name, FieldSpec old, FieldSpec now) {
    if (!old.name().equals(now.name())) {
      add(
          Kind.FIELD_RENAMED,
          name,
          "was %s, number %d; %s".formatted(old.name(), old.number(), NO_REWRITE));
    }
    if (!old.defaultText().equals(now.defaultText()) || !SchemaEvolution.readAlike(old, now)) {
      add(
          Kind.DEFAULT_CHANGED,
          name,
          "records that lack the field read as %s".formatted(absent(now)));
    }
    boolean wider = old.type() instanceof FieldType.Scalar && !old.type().equals(now.type());
    if (wider || (!old.nullable() && now.nullable())) {
      add(
          Kind.FIELD_WIDENED,
          name,
          "was %s%s; %s".formatted(old.type(), old.nullable() ? "" : ", never null", NO_REWRITE));
    }
    nested(name, old.type(), now.type());
  }

  private void nested(String name, FieldType old, FieldType now) {
    if (old instanceof FieldType.Nested before && now instanceof FieldType.Nested after) {
      fields(name, before.fields(), after.fields());
    } else if (old instanceof FieldType.ListOf before && now instanceof FieldType.ListOf after) {
      nested(name, before.element(), after.element());
    } else if (old instanceof FieldType.SetOf before && now instanceof FieldType.SetOf after) {
      nested(name, before.element(), after.element());
    } else if (old instanceof FieldType.MapOf before && now instanceof FieldType.MapOf after) {
      nested(name, before.value(), after.value());
    } else if (old instanceof FieldType.Constants before
        && now instanceof FieldType.Constants after
        && after.constants().size() > before.constants().size()) {
      List<String> more =
          after.constants().subList(before.constants().size(), after.constants().size());
      add(Kind.FIELD_WIDENED, name, "may also be %s; %s".formatted(more, NO_REWRITE));
    }
  }

  // ---- indexes

  private void index(IndexSpec index) {
    Optional<IndexSpec> found = stored.index(index.name());
    if (found.isEmpty()) {
      build(Kind.INDEX_ADDED, index, "");
    } else if (index.since() != found.get().since()) {
      build(Kind.INDEX_REDEFINED, index, "its entries are erased; ");
    } else if (found.get().unique() && !index.unique()) {
      add(Kind.INDEX_RELAXED, index.name(), "it need not be unique any more and is not built anew");
    }
  }

  private void build(Kind kind, IndexSpec index, String before) {
    Build build = costs.build(index.type());
    String detail =
        build.atOnce()
            ? "built when the store is opened"
            : "disabled until an OnlineIndexer has built it";
    changes.add(new Change(kind, index.name(), before + detail, Optional.of(build)));
  }

  private void removed(IndexSpec index) {
    if (wanted.index(index.name()).isEmpty()) {
      OptionalLong bytes = costs.bytes(index.name());
      add(
          Kind.INDEX_REMOVED,
          index.name(),
          bytes.isPresent()
              ? "its entries, about %s bytes, are erased when the store is opened"
                  .formatted(String.format(Locale.ROOT, "%,d", bytes.getAsLong()))
              : "its entries are erased when the store is opened");
    }
  }

  // ---- change streams

  private void streams() {
    Map<String, ChangeStreamSpec> before = byName(stored);
    Map<String, ChangeStreamSpec> after = byName(wanted);
    after.forEach(
        (name, stream) -> {
          ChangeStreamSpec old = before.get(name);
          if (old == null) {
            add(
                Kind.STREAM_ADDED,
                name,
                "it records changes from then on; older libraries refuse the store");
          } else if (!old.equals(stream)) {
            add(
                Kind.STREAM_CHANGED,
                name,
                "its log is kept, and changes from then on are recorded in the new way");
          }
        });
    before.forEach(
        (name, stream) -> {
          if (!after.containsKey(name)) {
            add(Kind.STREAM_KEPT, name, "it goes on recording until it is removed from the store");
          }
        });
  }

  private static Map<String, ChangeStreamSpec> byName(Schema schema) {
    Map<String, ChangeStreamSpec> streams = new TreeMap<>();
    schema.changeStreams().forEach(stream -> streams.put(stream.name(), stream));
    return streams;
  }

  // ---- text

  /** {@code change} as a line of text. */
  public static String line(Change change) {
    return String.format(
        Locale.ROOT,
        "%-16s %-32s %s%s",
        change.kind(),
        change.subject(),
        change.detail(),
        change.build().map(SchemaComparison::text).orElse(""));
  }

  private static String text(Build build) {
    if (build.certainty() == Certainty.UNKNOWN) {
      return "";
    }
    Duration time = build.time();
    return String.format(
        Locale.ROOT,
        ": %s%,d records, %d:%02d:%02d",
        build.certainty() == Certainty.ESTIMATED ? "about " : "",
        build.records(),
        time.toHours(),
        time.toMinutesPart(),
        time.toSecondsPart());
  }
}
