/** The messages of the protocol, generated from {@code tidemark.proto}. */
@NullMarked
package dev.tidemark.remote.internal.wire;

import org.jspecify.annotations.NullMarked;
