/**
 * JSON, read strictly and written. Bodies of messages come in as bytes and go out as values; dead
 * letters go out as text. Mappings and dead letters use this room; it uses no other.
 */
@NullMarked
package dev.tidemark.loader.internal.json;

import org.jspecify.annotations.NullMarked;
