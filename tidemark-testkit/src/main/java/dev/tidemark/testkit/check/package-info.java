/**
 * Random programs whose answers are checked. A database and a seed come in; programs run on it, one
 * transaction at a time against a sorted map ({@code ModelCheck}) or many at once against every
 * serial order that real time allows ({@code SerializabilityCheck}). A wrong answer goes out as an
 * {@code AssertionError} that names the seed and prints the shortest program that still fails. The
 * conformance suites call both; tests of engines may call them with more seeds.
 */
@NullMarked
package dev.tidemark.testkit.check;

import org.jspecify.annotations.NullMarked;
