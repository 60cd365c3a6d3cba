//! A proc-macro crate can't be linked, so its modules are compiled into this one.
#![no_main]
#![allow(dead_code)]

#[path = "../../../retry-macros/src/args.rs"]
mod args;
#[path = "../../../retry-macros/src/catalogue/mod.rs"]
mod catalogue;
#[path = "../../../retry-macros/src/docs/mod.rs"]
mod docs;
#[path = "../../../retry-macros/src/entries.rs"]
mod entries;
#[path = "../../../retry-macros/src/errors.rs"]
mod errors;
#[path = "../../../retry-macros/src/expand.rs"]
mod expand;
#[path = "../../../retry-macros/src/fuzzed.rs"]
mod fuzzed;
#[path = "../../../retry-macros/src/idempotency.rs"]
mod idempotency;
#[path = "../../../retry-macros/src/journal.rs"]
mod journal;
#[path = "../../../retry-macros/src/method/mod.rs"]
mod method;
#[path = "../../../retry-macros/src/near.rs"]
mod near;
#[path = "../../../retry-macros/src/pages.rs"]
mod pages;
#[path = "../../../retry-macros/src/params.rs"]
mod params;
#[path = "../../../retry-macros/src/place.rs"]
mod place;
#[path = "../../../retry-macros/src/recovery.rs"]
mod recovery;
#[path = "../../../retry-macros/src/spell.rs"]
mod spell;
#[path = "../../../retry-macros/src/stub.rs"]
mod stub;
#[path = "../../../retry-macros/src/types.rs"]
mod types;
#[path = "../../../retry-macros/src/verifier/mod.rs"]
mod verifier;
#[path = "../../../retry-macros/src/written.rs"]
mod written;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    fuzzed::attribute(data);
    // Else what was ever read stays in memory.
    proc_macro2::extra::invalidate_current_thread_spans();
});
