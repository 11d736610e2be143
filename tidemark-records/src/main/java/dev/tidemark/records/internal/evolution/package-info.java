/**
 * The rules by which a schema may follow another.
 *
 * <p>Two schemas come in, and reasons against it go out. {@code SchemaEvolution} says whether a
 * store may go from one to the other, {@code SideBySide} whether programs of the older one may go
 * on beside it. Nothing here reads or writes a store. {@code space} and {@code opening} call it.
 */
@NullMarked
package dev.tidemark.records.internal.evolution;

import org.jspecify.annotations.NullMarked;
