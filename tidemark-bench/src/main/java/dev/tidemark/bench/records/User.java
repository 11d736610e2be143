package dev.tidemark.bench.records;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Unique;
import dev.tidemark.records.schema.IndexKind;
import java.time.Instant;

/** What everybody stores in {@code bench records}: found by key, by email, by city and age. */
@Recordable
@Unique(fields = "email", name = User.BY_EMAIL)
@Index(
    fields = {"city", "age"},
    name = User.BY_CITY_AND_AGE)
@Index(fields = "city", kind = IndexKind.COUNT, name = User.COUNT_BY_CITY)
public record User(@PrimaryKey long userId, String email, String city, int age, Instant createdAt) {
  static final String BY_EMAIL = "user_email";
  static final String BY_CITY_AND_AGE = "user_city_age";
  static final String COUNT_BY_CITY = "user_city_count";
}
