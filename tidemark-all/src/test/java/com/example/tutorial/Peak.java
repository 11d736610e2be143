package com.example.tutorial;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
record Peak(@PrimaryKey String meter, long watts) {}
