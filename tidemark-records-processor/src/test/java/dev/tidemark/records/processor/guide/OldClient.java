package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

/** {@link Client} as the first version of the program declared it. */
@Recordable(name = "Client")
@Directory({"shop", "clients"})
@Index(name = "client_by_name", fields = "name")
@Index(name = "client_by_city", fields = "city")
record OldClient(@PrimaryKey long id, String name, String city) {}
