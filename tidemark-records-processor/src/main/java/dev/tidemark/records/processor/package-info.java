/**
 * The annotation processor, which generates codecs, fields and stores of annotated records.
 *
 * <p>{@code RecordProcessor} is the entry point. {@code TypeReader}, {@code ModelReader} and {@code
 * SchemaReader} read annotated types into {@code TypeModel}s and report mistakes; {@code
 * FieldsWriter} with {@code CodecWriter}, and {@code StoreWriter}, write the classes. Only the
 * compiler calls it.
 */
@NullMarked
package dev.tidemark.records.processor;

import org.jspecify.annotations.NullMarked;
