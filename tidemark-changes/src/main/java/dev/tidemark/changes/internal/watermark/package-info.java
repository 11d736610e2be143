/**
 * Frontiers of partitions and the watermarks that follow from them. Frontiers of all unfinished
 * partitions come in, the two global watermarks go out. The engine calls this package.
 */
@NullMarked
package dev.tidemark.changes.internal.watermark;

import org.jspecify.annotations.NullMarked;
