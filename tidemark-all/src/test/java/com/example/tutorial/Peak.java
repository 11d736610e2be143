package com.example.tutorial;

import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;

@Recordable
record Peak(@PrimaryKey String meter, long watts) {}
