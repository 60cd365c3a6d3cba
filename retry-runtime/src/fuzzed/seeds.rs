//! The inputs of `fuzz/seeds`: written by hand, and those that a fuzzer has found something with.

use std::path::PathBuf;

use super::text::shown;

/// Runs a check on all inputs of its target. The last name that a failure prints is the input it fails with.
fn holds(target: &str, check: fn(&[u8])) {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../fuzz/seeds", target].iter().collect();
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 3, "too few inputs for {target}");
    for file in files {
        println!("{}", file.display());
        check(&std::fs::read(file).unwrap());
    }
}

#[test]
fn p2_no_answer_of_bitrix24_is_mistaken() {
    holds("rest_envelope", super::rest_envelope);
}

#[test]
fn p2_no_answer_of_the_gateway_is_mistaken() {
    holds("gateway_envelope", super::gateway_envelope);
}

#[test]
fn p2_each_call_of_a_batch_has_its_own_answer() {
    holds("batch", super::batch);
}

#[test]
fn p3_only_a_whole_list_is_complete() {
    holds("page", super::page);
}

#[test]
fn p5_no_pause_overflows() {
    holds("hint", super::hint);
}

#[test]
fn p7_settings_send_and_show_no_secret_elsewhere() {
    holds("address", super::address);
}

#[test]
fn p7_no_answer_of_a_token_server_is_mistaken() {
    holds("token_answer", super::token_answer);
}

#[test]
fn what_arrives_of_a_batched_call_is_what_was_meant() {
    holds("command", super::command);
}

#[test]
fn the_checks_see_what_must_not_be_shown() {
    shown("fine", 4);
    for wrong in ["five5", "a\nb", "\u{1b}[", "\u{2028}", "s3cr3t", "s3cr…"] {
        let most = if wrong == "five5" { 4 } else { 20 };
        assert!(std::panic::catch_unwind(|| shown(wrong, most)).is_err(), "{wrong:?}");
    }
}
