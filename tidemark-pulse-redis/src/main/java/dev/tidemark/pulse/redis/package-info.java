/** Streams, maps and pools on Redis. Start with {@code RedisPulse}. */
@NullMarked
package dev.tidemark.pulse.redis;

import org.jspecify.annotations.NullMarked;
