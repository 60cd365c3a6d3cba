#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| retry_runtime::fuzzed::rest_envelope(data));
