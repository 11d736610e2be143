/**
 * What a BigQuery warehouse is made of: the statements of a table, rows as a query parameter, jobs
 * by id, and what failures mean. Tables and rows of the loader come in; statements, parameters and
 * outcomes of merges go out. Only the warehouse and the command in the package above call it.
 */
@NullMarked
package dev.tidemark.loader.gcp.internal.bigquery;

import org.jspecify.annotations.NullMarked;
