/**
 * The rules by which a schema may follow another.
 *
 * <p>Two schemas come in, and reasons against the change go out. {@code SchemaEvolution} decides
 * whether a store may take the new schema, {@code SideBySide} whether programs with the old one may
 * still use it. Nothing here reads or writes a store. {@code space} and {@code opening} call it.
 */
@NullMarked
package dev.tidemark.records.internal.evolution;

import org.jspecify.annotations.NullMarked;
