package dev.tidemark.records;

import dev.tidemark.kv.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Something a record store refuses. Nothing was written by the call that threw it. */
public abstract sealed class RecordException extends TidemarkException
    permits DamagedRecordException,
        IndexStateException,
        MigrationBusyException,
        RecordExistsException,
        RecordMissingException,
        RecordTooLargeException,
        RelationshipException,
        SchemaException,
        TooManyRecordsException,
        UniquenessException,
        UnfitRecordsException {
  RecordException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
