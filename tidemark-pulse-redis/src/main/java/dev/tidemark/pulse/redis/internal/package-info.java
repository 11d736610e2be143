/**
 * What Redis offers to pulse: {@code RedisBackend}, which opens {@code stream}, {@code map} and
 * {@code rows} over one {@code link} and closes them. Calls of programs come in through {@code
 * BackendPulse} of pulse; scripts and commands go out to the server. Only {@link
 * dev.tidemark.pulse.redis.RedisPulse} calls it. Not API: it changes without notice.
 */
@NullMarked
package dev.tidemark.pulse.redis.internal;

import org.jspecify.annotations.NullMarked;
