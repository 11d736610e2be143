package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Default;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Transient;
import dev.tidemark.records.annotation.Ttl;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Recordable
record Session(
    @PrimaryKey UUID id,
    @Default("now") @Nullable Instant started,
    @Default("GUEST") @Nullable Role role,
    @Ttl(after = "PT24H") @Nullable Instant lastSeen,
    @Transient boolean changed) {
  enum Role {
    GUEST,
    STAFF
  }
}
