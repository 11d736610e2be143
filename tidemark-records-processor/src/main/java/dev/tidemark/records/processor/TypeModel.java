package dev.tidemark.records.processor;

import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.lang.model.element.TypeElement;

/**
 * A record type as declared by its annotations.
 *
 * @param record its components
 * @param name its stored name
 * @param version the version of its schema when it is stored alone
 * @param versions whether records keep versionstamps
 * @param primaryKey the components of the key, in order
 * @param expiry when records expire
 * @param relations the references to other types
 * @param indexes its indexes
 * @param formerIndexes indexes that it had once
 */
record TypeModel(
    RecordModel record,
    String name,
    int version,
    boolean versions,
    List<Component> primaryKey,
    Optional<TypeSpec.Expiry> expiry,
    List<TypeSpec.Relation> relations,
    List<IndexSpec> indexes,
    List<FormerIndex> formerIndexes) {
  TypeElement element() {
    return record.element();
  }

  TypeModel withIndexes(List<IndexSpec> others) {
    return new TypeModel(
        record,
        name,
        version,
        versions,
        primaryKey,
        expiry,
        relations,
        List.copyOf(others),
        formerIndexes);
  }

  /** Whether it refers to no other type, so that it can be stored alone. */
  boolean standsAlone() {
    return relations.stream().allMatch(relation -> relation.target().equals(name));
  }

  /** The type in a schema. */
  TypeSpec spec() {
    return spec(Component::storedName, relations);
  }

  TypeSpec spec(Function<Component, String> naming, List<TypeSpec.Relation> which) {
    return new TypeSpec(
        name,
        record.fields(naming),
        primaryKey.stream().map(Component::number).toList(),
        versions,
        expiry,
        which,
        record.reserved());
  }
}
