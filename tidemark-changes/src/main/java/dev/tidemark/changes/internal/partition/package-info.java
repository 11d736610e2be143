/**
 * States of partitions: the pure transition function over rows, and the changes of a run that use
 * it. Rows of a metadata store come in, the next rows go out. The engine and the transactional
 * delivery call this package; nothing else changes a row.
 */
@NullMarked
package dev.tidemark.changes.internal.partition;

import org.jspecify.annotations.NullMarked;
