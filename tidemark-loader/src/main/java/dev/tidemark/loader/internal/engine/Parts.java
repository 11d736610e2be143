package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.DeadLetters;
import dev.tidemark.loader.LoaderOptions;
import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.MessageSource;
import dev.tidemark.loader.Warehouse;

/** What a loader is made of. */
record Parts(
    MessageSource source,
    Warehouse warehouse,
    Mapping mapping,
    DeadLetters letters,
    LoaderOptions options,
    Ids ids,
    Counters counters) {}
