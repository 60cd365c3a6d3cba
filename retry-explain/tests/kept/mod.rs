//! Files that are kept in the repository and made by a program.

use std::path::Path;

/// Compares a file of the workspace with what it should be; with `EXPLAIN_WRITE` set, writes it.
pub(crate) fn compare(file: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    if std::env::var_os("EXPLAIN_WRITE").is_some() {
        std::fs::write(&path, wanted).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(wanted.lines()).find(|(kept, wanted)| kept != wanted);
    assert!(
        kept == wanted,
        "{file} is not what it should be: {differs:?}\n`EXPLAIN_WRITE=1 cargo test -p retry-explain` writes it anew"
    );
}
