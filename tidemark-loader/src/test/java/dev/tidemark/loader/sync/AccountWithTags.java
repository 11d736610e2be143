package dev.tidemark.loader.sync;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import java.util.List;

/** An account with a field that no column can hold. */
@Recordable(name = "Account")
record AccountWithTags(@PrimaryKey long id, String owner, long balance, List<String> tags) {}
