package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.Attribute;
import dev.tidemark.records.annotation.Default;
import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Transient;
import dev.tidemark.records.annotation.Ttl;
import dev.tidemark.records.annotation.Unique;
import dev.tidemark.records.schema.IndexKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The record of the documentation, with most annotations. */
@Recordable(versions = true)
@Directory(
    value = {"tenants", "{tenant}", "users"},
    partition = 2)
@Unique(fields = "email")
@Index(
    fields = {"town", "age desc"},
    covering = "email")
@Index(fields = "town", kind = IndexKind.COUNT)
@Index(fields = "address.zip")
@Index(fields = "tags[]")
@Index(fields = "labels.keys[]")
@Index(name = "open_users", fields = "createdAt", where = "status = 'OPEN' and age >= 18")
public record User(
    @PrimaryKey long id,
    @Nullable String email,
    @Attribute(name = "city") @Nullable String town,
    @Default("18") int age,
    @Default("OPEN") @Nullable Status status,
    @Default("now") @Nullable Instant createdAt,
    @Nullable Address address,
    List<String> tags,
    Map<String, Integer> labels,
    Optional<String> nickname,
    @Ttl(after = "PT24H") @Nullable Instant lastSeen,
    @Transient boolean selected) {
  /** Whether a user may log in. */
  public enum Status {
    /** Yes. */
    OPEN,
    /** No. */
    CLOSED
  }

  /** Where a user lives. */
  public record Address(
      @Nullable String street, @Nullable String zip, @Default("CH") @Nullable String country) {}

  static User of(long id, @Nullable String email, @Nullable String town, int age) {
    return new User(
        id, email, town, age, null, null, null, List.of(), Map.of(), Optional.empty(), null, false);
  }
}
