package com.example.desk;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
record Order(@PrimaryKey String id, String item, long count) {}
