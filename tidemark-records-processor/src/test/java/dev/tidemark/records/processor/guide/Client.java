package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Default;
import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Recordable.Former;
import org.jspecify.annotations.Nullable;

@Recordable(
    name = "Client",
    version = 2,
    formerIndexes = @Former(name = "client_by_city", removed = 2))
@Directory({"shop", "clients"})
@Index(name = "client_by_name", fields = "fullName")
@Index(name = "client_by_level", fields = "level", since = 2)
record Client(
    @PrimaryKey long id, String fullName, String city, @Default("BASIC") @Nullable Level level) {
  enum Level {
    BASIC,
    GOLD
  }
}
