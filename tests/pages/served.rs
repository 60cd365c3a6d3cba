//! Against the local portal.
