package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Guest} after somebody has put a check into its constructor. */
@Recordable(name = "Guest")
record StrictGuest(@PrimaryKey long id, @Nullable String name, @Nullable String town) {
  StrictGuest {
    Objects.requireNonNull(name, "a guest has a name");
  }
}
