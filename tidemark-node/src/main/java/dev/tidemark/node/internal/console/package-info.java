/**
 * The terminal: rows, values and messages of commands come in; tables for people or JSON for
 * scripts go out, in colours only where somebody looks at them. {@code Console} has the streams of
 * one call, {@code Listing} the rows, {@code KeySyntax} says how keys are written, {@code Misuse}
 * what was wrong with the call. Every command uses it; it knows none of them and opens no store.
 */
@NullMarked
package dev.tidemark.node.internal.console;

import org.jspecify.annotations.NullMarked;
