//! Torn files and flipped bits: each ends as complete, as damaged or under suspicion, and never as a journal that silently lacks a row.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use retry_journal::Desk;
use retry_journal::sqlite::{OpenError, SqliteJournal};
use retry_runtime::journal::Journal;
use tempfile::TempDir;

use crate::child::{Told, command, heard};
use crate::kit::{beside, copied, many};

/// A journal as a killed process left it.
struct Left {
    name: &'static str,
    directory: TempDir,
    told: Told,
}

impl Left {
    fn path(&self) -> PathBuf {
        self.directory.path().join("journal")
    }
}

/// All rows in the log; all rows in the file; half in each.
fn left() -> [Left; 3] {
    let run = |path: &Path, word| heard(command(&[], path, word).spawn().unwrap(), 150);
    ["log", "file", "both"].map(|name| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let mut told = run(&path, "a");
        if name != "log" {
            drop(SqliteJournal::open(&path).unwrap());
        }
        if name == "both" {
            told.add(run(&path, "b"));
        }
        assert!(told.begun.len() >= 50);
        Left { name, directory, told }
    })
}

/// Damages one of these files somewhere; says what was done.
fn harm(path: &Path, endings: &[&str], random: &mut Rng) -> String {
    let there: Vec<_> =
        endings.iter().filter(|ending| beside(path, ending).metadata().is_ok_and(|it| it.len() > 0)).collect();
    let ending = there[random.usize(..there.len())];
    let file = beside(path, ending);
    let mut bytes = std::fs::read(&file).unwrap();
    let at = random.usize(..bytes.len());
    let what = match random.u8(..4) {
        0 => {
            bytes.truncate(at);
            format!("journal{ending} cut off at {at}")
        }
        1 => {
            let end = bytes.len().min(at + 512);
            bytes[at..end].fill(0);
            format!("journal{ending} zeros at {at}")
        }
        _ => {
            bytes[at] ^= 1 << random.u8(..8);
            format!("journal{ending} a bit at {at}")
        }
    };
    std::fs::write(file, bytes).unwrap();
    what
}

#[derive(Debug, Default)]
struct Seen {
    complete: usize,
    refused: usize,
    suspicious: usize,
    /// Where a bare database would have lost rows without a word.
    silent: usize,
}

/// How many rows a bare database still has, if it opens.
fn bare(path: &Path) -> Option<usize> {
    let connection = rusqlite::Connection::open(path).ok()?;
    connection.query_row("SELECT count(*) FROM intent", (), |row| row.get::<_, u32>(0)).ok().map(|rows| rows as usize)
}

async fn opens(left: &Left, what: &str, path: &Path, seen: &mut Seen) {
    match SqliteJournal::open(path) {
        Err(OpenError::Journal(_) | OpenError::Newer { .. }) => seen.refused += 1,
        Err(other) => panic!("{} {what}: {other}", left.name),
        Ok(journal) if Journal::suspicion(&journal).is_some() => {
            seen.suspicious += 1;
            let told = Desk::suspicion(&journal).await.unwrap();
            assert_eq!(told.as_deref(), Journal::suspicion(&journal).as_deref());
        }
        Ok(journal) => {
            seen.complete += 1;
            assert_eq!(left.told.missing(&journal).await, [""; 0], "{} {what}", left.name);
        }
    }
}

/// `RETRY_JOURNAL_DAMAGES` sets how many places are tried of each journal; 60 by default.
#[tokio::test]
async fn no_damage_loses_a_row_silently() {
    let places = many("RETRY_JOURNAL_DAMAGES", 60);
    let mut seen = Seen::default();
    for left in left() {
        for seed in 0..places {
            let mut random = Rng::with_seed(seed as u64);
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("journal");
            copied(&left.path(), &path);
            let what = harm(&path, &["", "-wal"], &mut random);
            let other = directory.path().join("bare");
            copied(&path, &other);
            seen.silent += usize::from(bare(&other).is_some_and(|rows| rows < left.told.begun.len()));
            opens(&left, &what, &path, &mut seen).await;
        }
    }
    println!("{seen:?}");
    assert!(seen.refused > 0 && seen.suspicious > 0, "{seen:?}");
    assert!(seen.silent > 0, "the damage is of the kind that a bare database does not see: {seen:?}");
}

#[tokio::test]
async fn a_damaged_head_loses_nothing() {
    let left = left();
    let mut seen = Seen::default();
    for seed in 0..40 {
        for left in &left {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("journal");
            copied(&left.path(), &path);
            let what = harm(&path, &[".head"], &mut Rng::with_seed(seed));
            opens(left, &what, &path, &mut seen).await;
        }
    }
    assert_eq!((seen.refused, seen.complete + seen.suspicious), (0, 120), "{seen:?}");
}

#[tokio::test]
async fn a_suspicion_stays_until_a_person_trusts() {
    let [left, ..] = left();
    let path = left.path();
    std::fs::remove_file(beside(&path, "-wal")).unwrap();
    for _ in 0..2 {
        let journal = SqliteJournal::open(&path).unwrap();
        assert!(Journal::suspicion(&journal).is_some_and(|why| why.contains("missing")));
        crate::kit::begun(&journal, &fastrand::u64(..).to_string()).await;
    }
    let journal = SqliteJournal::open(&path).unwrap();
    let by = retry_journal::Signature::new("Anna", "compared with the portal").unwrap();
    journal.trust(&by).await.unwrap();
    assert_eq!(Journal::suspicion(&journal), None);
    drop(journal);
    assert_eq!(Journal::suspicion(&SqliteJournal::open(&path).unwrap()), None);
}
