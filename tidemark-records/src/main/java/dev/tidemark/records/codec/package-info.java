/**
 * How a record becomes bytes, in protobuf's wire format.
 *
 * <p>A {@link dev.tidemark.records.codec.RecordCodec} writes the fields of one type to a {@link
 * dev.tidemark.records.codec.RecordWriter} and reads them from a {@link
 * dev.tidemark.records.codec.RecordReader}. Generated code implements it, one codec a type.
 * Programs meet this package only if they write a codec by hand.
 */
@NullMarked
package dev.tidemark.records.codec;

import org.jspecify.annotations.NullMarked;
