/**
 * {@code bench pulse}: what streams, maps and pools cost on top of Redis, beside the bare commands
 * and Redisson, and what idle jobs cost in memory. The jobs run in a process of their own. Only the
 * command calls it.
 */
@NullMarked
package dev.tidemark.bench.pulse;

import org.jspecify.annotations.NullMarked;
