/**
 * The keys and bytes of streams and maps on Tidemark's store, as docs/formats says. Values come in
 * and rows go out, and the other way round; nothing here waits, retries or decides when to write.
 * The packages for streams and maps on this store use it. A change here is a change of the format
 * on disk.
 */
@NullMarked
package dev.tidemark.pulse.internal.kv.rows;

import org.jspecify.annotations.NullMarked;
