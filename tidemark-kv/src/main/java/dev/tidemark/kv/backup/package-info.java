/**
 * Backups of stores that keep files. A {@link dev.tidemark.kv.backup.BackupSource} hands its files,
 * as they are at one moment, to a {@link dev.tidemark.kv.backup.BackupTarget}, one after the other.
 * The usual target is a directory; a served store sends the files to its client, which writes the
 * same directory. The file that makes a backup whole comes last, so a backup that was cut short is
 * never taken for one.
 */
@NullMarked
package dev.tidemark.kv.backup;

import org.jspecify.annotations.NullMarked;
