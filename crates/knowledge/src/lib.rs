//! Turns game records into knowledge.
