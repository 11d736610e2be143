/** Tests of tables that follow a record store. */
@org.jspecify.annotations.NullMarked
package dev.tidemark.loader.sync;
