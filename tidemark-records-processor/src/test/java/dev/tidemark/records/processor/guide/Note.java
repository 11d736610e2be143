package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

@Recordable
@Directory(
    value = {"tenants", "{tenant}", "notes"},
    partition = 2)
record Note(@PrimaryKey long id, String text) {}
