package dev.tidemark.records.processor.guide;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
record Author(@PrimaryKey String name) {}
