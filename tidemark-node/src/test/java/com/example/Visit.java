package com.example;

import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import java.time.Instant;
import java.util.UUID;

@Recordable
@Index(fields = {"guest", "time"})
record Visit(@PrimaryKey UUID id, String guest, Instant time) {}
