//! A disk that is full, and one that fails.

use std::path::Path;
use std::process::Command;

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::journal::Journal as _;

use crate::child::{Told, command, heard};

/// The child stopped by itself and said why; nothing acknowledged is missing, and the file is good again.
async fn holds(path: &Path, told: &Told) {
    assert!(told.stopped.is_some(), "it stopped after {} intents", told.begun.len());
    assert!(!told.ended.is_empty(), "it had written before");
    let journal = SqliteJournal::open(path).unwrap();
    assert_eq!(told.missing(&journal).await, [""; 0]);
    assert_eq!(journal.suspicion(), None);
    let extra = journal.begin(&crate::kit::beginning("after it")).await.unwrap();
    assert!(matches!(extra, retry_runtime::journal::Begun::Yes(_)), "it writes again");
}

#[tokio::test]
async fn a_file_that_may_not_grow_stops_the_journal_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    // 512 blocks of 512 or 1024 bytes, as the shell counts; the write then fails instead of killing.
    let wrapper = ["sh", "-c", "trap '' XFSZ; ulimit -f 512; exec \"$@\"", "sh"];
    let told = heard(command(&wrapper, &path, "a").spawn().unwrap(), usize::MAX);
    holds(&path, &told).await;
}

#[tokio::test]
async fn a_full_disk_stops_the_journal_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let disk = directory.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&disk).status();
    if !mounted.is_ok_and(|status| status.success()) {
        println!("SKIPPED: a small disk can be mounted by root only; the file that may not grow is tested beside this");
        return;
    }
    let path = disk.join("journal");
    let told = heard(command(&[], &path, "a").spawn().unwrap(), usize::MAX);
    // Space is made, as a person would.
    let grown = Command::new("mount").args(["-o", "remount,size=64m"]).arg(&disk).status().unwrap();
    let done = tokio::spawn(async move {
        assert!(grown.success());
        holds(&path, &told).await;
    });
    let done = done.await;
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    done.unwrap();
}

/// From the first sync that fails on all fail, so that nothing may be acknowledged after it.
#[tokio::test]
async fn a_failing_sync_stops_the_journal_and_loses_nothing() {
    if Command::new("strace").arg("-V").output().is_err() {
        println!("SKIPPED: strace is not installed (apt-get install strace)");
        return;
    }
    for when in [24, 43, 88] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let inject = format!("inject=fsync,fdatasync:error=EIO:when={when}+");
        let wrapper = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", &inject];
        let told = heard(command(&wrapper, &path, "a").spawn().unwrap(), usize::MAX);
        holds(&path, &told).await;
    }
}
