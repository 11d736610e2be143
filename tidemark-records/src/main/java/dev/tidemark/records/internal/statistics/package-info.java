/**
 * What is known about the values in keys: how many rows a type or an index has, how many different
 * values, which are common and how they are spread. Collected by sampling, kept in the store.
 */
@NullMarked
package dev.tidemark.records.internal.statistics;

import org.jspecify.annotations.NullMarked;
