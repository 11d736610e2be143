/**
 * Reads the keys that a plan asks for.
 *
 * <p>{@code AccessRanges} makes spans of keys of an access and the values of one call. A {@code
 * KeySource} gives the keys of such spans in order: of one span, of many, of points, or those that
 * several have in common. {@code Meter} and {@code Counts} keep to the limits and count what is
 * read. Keys stay bytes here: {@code Packed} compares them without decoding. {@code match} and
 * {@code run} call it.
 */
@NullMarked
package dev.tidemark.records.internal.query.scan;

import org.jspecify.annotations.NullMarked;
