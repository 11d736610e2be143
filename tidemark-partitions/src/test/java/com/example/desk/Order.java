package com.example.desk;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

@Recordable
record Order(@PrimaryKey String id, String item, long count) {}
