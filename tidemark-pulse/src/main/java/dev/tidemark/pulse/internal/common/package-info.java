/**
 * Small parts that streams, maps and pools share: checks of options, open handles that are closed
 * with their owner, and the bytes of a list of texts. Every package of this layer may use them.
 * They know nothing of the rest of it.
 */
@NullMarked
package dev.tidemark.pulse.internal.common;

import org.jspecify.annotations.NullMarked;
