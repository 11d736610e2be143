/**
 * Streams of Redis as the backend of a stream. Events come in and become entries ({@code
 * RedisEvents}); a {@code RedisGroup} claims them for a consumer, takes them over from others
 * ({@code RedisReclaim}) and makes a lost group anew; {@code RedisTail} follows the end. Reads that
 * wait have connections of their own. Only the backend calls it.
 */
@NullMarked
package dev.tidemark.pulse.redis.internal.stream;

import org.jspecify.annotations.NullMarked;
