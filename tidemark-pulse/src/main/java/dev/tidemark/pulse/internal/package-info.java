/** What streams, maps and pools are made of, and what a backend has to offer. Not API. */
@NullMarked
package dev.tidemark.pulse.internal;

import org.jspecify.annotations.NullMarked;
