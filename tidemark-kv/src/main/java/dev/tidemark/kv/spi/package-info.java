/**
 * What an engine builds on, so that all engines behave alike. A program's calls come in through
 * {@code Database} and {@code Transaction}: they are checked ({@code KeyChecks}), kept until the
 * commit ({@code WriteSet}, {@code ReadSet}), and laid over the engine's own reads ({@code
 * OverlaidReads}). A {@code Commit} goes out to the engine, and {@code RetryLoop} runs the body
 * again after a conflict. An engine extends {@code BufferedTransaction}; {@code
 * IdentifiedTransaction} if it keeps the ids of commits, {@code PromptTransaction} if it commits
 * without a thread that waits. Engines, the wire, the test kit and the layers listed in the
 * architecture tests may use it. It is not API: it changes without notice.
 */
@NullMarked
package dev.tidemark.kv.spi;

import org.jspecify.annotations.NullMarked;
