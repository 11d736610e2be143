/** Loads messages from a queue or a change stream into a warehouse, exactly once, in batches. */
@NullMarked
package dev.tidemark.loader;

import org.jspecify.annotations.NullMarked;
