/**
 * What several rooms of the engine share: counters, hashes of keys, and the end of threads. Nothing
 * here knows of another room, and every room may use it.
 */
@NullMarked
package dev.tidemark.embedded.internal.common;

import org.jspecify.annotations.NullMarked;
