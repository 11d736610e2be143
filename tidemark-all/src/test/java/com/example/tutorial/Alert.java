package com.example.tutorial;

import dev.tidemark.records.PrimaryKey;
import dev.tidemark.records.Recordable;

@Recordable
record Alert(@PrimaryKey long reading, String meter, long watts) {}
