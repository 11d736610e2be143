package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

@Recordable
record Author(@PrimaryKey String name) {}
