package com.example;

import dev.tidemark.records.Index;
import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;
import java.time.Instant;
import java.util.UUID;

@Recordable
@Index(fields = {"guest", "time"})
record Visit(@PrimaryKey UUID id, String guest, Instant time) {}
