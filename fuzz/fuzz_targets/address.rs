#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| retry_runtime::fuzzed::address(data));
