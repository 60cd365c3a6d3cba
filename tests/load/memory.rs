//! How much memory is in use: by the allocator's own account, and by the kernel's.

use std::alloc::System;
use std::fs;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The bytes that are allocated and not freed.
pub(crate) fn live() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated)
}

/// How often memory was asked for, growth of what was there included.
pub(crate) fn allocations() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations.saturating_add(stats.reallocations)
}

/// What the process has in memory, in kB; `None` where the system does not say.
pub(crate) fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
