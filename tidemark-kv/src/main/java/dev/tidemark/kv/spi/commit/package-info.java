/**
 * What a transaction writes, from the first call to the commit. A {@code WriteSet} collects {@code
 * Write}s by key and ranges that are cleared; a {@code Commit} is what goes to the engine, with the
 * places that a {@code StampTemplate} has it fill in, and {@code LaterClears} says which of them a
 * later clear takes away again. Calls come in from {@code kv.spi}, commits go out to engines and
 * the wire, which alone may use it. It is not API.
 */
@NullMarked
package dev.tidemark.kv.spi.commit;

import org.jspecify.annotations.NullMarked;
