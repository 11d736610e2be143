/**
 * The state machine of a pool: its rows and every transition between them. A transition takes the
 * rows of one optimistic step, checks what it relies on, and writes the next state; it never waits
 * and has no thread. Jobs, mail, answers, members, cron jobs and shared beats are here, and so is
 * the slots that spread keys over workers. Clients, workers and nodes call transitions; nothing
 * else changes a row of a pool.
 */
@NullMarked
package dev.tidemark.pulse.internal.pool.rows;

import org.jspecify.annotations.NullMarked;
