/**
 * The way to the server: connections, which may be to one server, to the one that Sentinels name or
 * to a cluster; commands, scripts and channels over them; and what a failure means.
 *
 * <p>A script with its arguments comes in, and its {@code Answer} goes out, once, also if the first
 * answer was lost ({@code Operations}). {@code RedisNames} says what keys and channels are called,
 * {@code RedisClock} what time it is at the server. The scripts themselves lie beside {@code
 * Script}. The rooms of streams, maps and rows call it; it knows none of them.
 */
@NullMarked
package dev.tidemark.pulse.redis.internal.link;

import org.jspecify.annotations.NullMarked;
