/**
 * A map as a hash whose changes are published on a channel. A write comes in as one script ({@code
 * map.lua}); {@code RedisMapFeed} follows the channel and loads the map again when a revision is
 * missing. Only the backend calls it.
 */
@NullMarked
package dev.tidemark.pulse.redis.internal.map;

import org.jspecify.annotations.NullMarked;
