/**
 * Things that go wrong when a test says so. {@code FaultyDatabase} takes a database and a {@code
 * FaultPlan} and lets commits fail, hang or end unknown; {@code CuttingProxy} stands between
 * clients and a server and cuts their connections or swallows a reply. Each counts what it did, so
 * that a test can prove that the fault happened. Any test may use them.
 */
@NullMarked
package dev.tidemark.testkit.faults;

import org.jspecify.annotations.NullMarked;
