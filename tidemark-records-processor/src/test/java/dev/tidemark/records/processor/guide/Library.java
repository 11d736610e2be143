package dev.tidemark.records.processor.guide;

import dev.tidemark.records.Directory;
import dev.tidemark.records.RecordSchema;

@RecordSchema(
    value = {Author.class, Work.class},
    version = 2)
@Directory({"libraries", "{city}"})
interface Library {}
