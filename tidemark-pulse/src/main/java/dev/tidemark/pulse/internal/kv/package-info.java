/**
 * Tidemark's own store as a backend. It gives each stream and each map its part of a subspace and
 * looks after those that expire. {@code Pulse} opens it; what it hands out is seen through {@code
 * spi} only.
 */
@NullMarked
package dev.tidemark.pulse.internal.kv;

import org.jspecify.annotations.NullMarked;
