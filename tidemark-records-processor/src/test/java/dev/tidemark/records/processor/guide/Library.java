package dev.tidemark.records.processor.guide;

import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.annotation.RecordSchema;

@RecordSchema(
    value = {Author.class, Work.class},
    version = 2)
@Directory({"libraries", "{city}"})
interface Library {}
