package dev.tidemark.records.processor.guide;

import dev.tidemark.records.Directory;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
@Directory(
    value = {"tenants", "{tenant}", "notes"},
    partition = 2)
record Note(@PrimaryKey long id, String text) {}
