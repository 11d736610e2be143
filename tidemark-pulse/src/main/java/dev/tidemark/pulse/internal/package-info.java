/**
 * The top of the layer: a {@code Pulse} over any backend. Calls of a program come in and go on to
 * the streams, maps and pools below. Only {@link dev.tidemark.pulse.Pulse} and the connectors may
 * use this package; nothing below it does.
 */
@NullMarked
package dev.tidemark.pulse.internal;

import org.jspecify.annotations.NullMarked;
