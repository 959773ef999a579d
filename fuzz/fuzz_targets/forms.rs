#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gapless_fuzz::forms(data));
