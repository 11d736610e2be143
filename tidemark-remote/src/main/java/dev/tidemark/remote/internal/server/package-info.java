/**
 * A listening server and the sessions of its clients: what is behind {@link
 * dev.tidemark.remote.DatabaseServer}.
 *
 * <p>Frames come in on a thread of the network and {@code Session} sorts them: short reads ({@code
 * ServedReads}) and plain commits ({@code PromptCommits}) are done at once, long reads ({@code
 * LargeReads}), other commits, watches and backups on threads of their own. Replies go out as
 * frames through the session's outbox. Memory, patience and work under way are bounded per session
 * and per server. Only the public package calls it, through {@code StoreServer}.
 */
@NullMarked
package dev.tidemark.remote.internal.server;

import org.jspecify.annotations.NullMarked;
