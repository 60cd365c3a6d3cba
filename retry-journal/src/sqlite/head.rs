//! What the journal has reached, kept in a second place.
//!
//! `FILE.head` is written after each commit and before its answer, so that it is never behind what was acknowledged as long as the machine
//! runs: a killed process leaves it to the system. It is synced only with a checkpoint. After a power cut it may lag behind by what came
//! since; the commits themselves are synced, so that a lag alone forgets nothing. Only a power cut that also damages the very end of the log
//! behind the last checkpoint is not seen.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::lock::beside;

/// What a journal has reached: which file it is, and how many commits it has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) generation: i64,
    pub(super) sequence: i64,
}

/// Who writes. Each has two places of its own and takes turns, so that one torn write leaves the other, and a desk never undoes what the sender wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The process that sends.
    Sender,
    /// A person's.
    Desk,
}

/// One place in the file.
const PLACE: usize = 64;

/// The sidecar file.
#[derive(Debug)]
pub(super) struct Head {
    file: File,
    role: Role,
}

/// What the file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// There is none.
    Nothing,
    /// There is one, and it can't be read.
    Unreadable,
    /// The furthest it tells of.
    Reached(Reached),
}

/// Reads the file without changing it.
pub(super) fn found(path: &Path) -> io::Result<Found> {
    let mut bytes = Vec::new();
    match File::open(beside(path, ".head")) {
        Ok(mut file) => file.read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
    };
    let furthest = bytes.chunks(PLACE).filter_map(parsed).max_by_key(|reached| reached.sequence);
    Ok(furthest.map_or(Found::Unreadable, Found::Reached))
}

impl Head {
    /// Opens the file, or makes it.
    pub(super) fn open(path: &Path, role: Role) -> io::Result<Self> {
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(beside(path, ".head"))?;
        Ok(Self { file, role })
    }

    /// Writes how far it has come.
    pub(super) fn write(&mut self, reached: Reached) -> io::Result<()> {
        let place = u64::from(reached.sequence % 2 != 0) + if self.role == Role::Desk { 2 } else { 0 };
        self.file.seek(SeekFrom::Start(place * PLACE as u64))?;
        self.file.write_all(line(reached).as_bytes())
    }

    /// Makes sure that it outlives a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

fn line(reached: Reached) -> String {
    let said = format!("{:016x} {:016x}", reached.generation, reached.sequence);
    let check = check(&said);
    format!("{said} {check}{:1$}\n", "", PLACE - 1 - 33 - 1 - 16)
}

fn parsed(place: &[u8]) -> Option<Reached> {
    let text = std::str::from_utf8(place).ok()?;
    let (said, rest) = text.split_at_checked(33)?;
    if rest.trim() != check(said) {
        return None;
    }
    let (generation, sequence) = said.split_once(' ')?;
    let number = |text| u64::from_str_radix(text, 16).ok().map(u64::cast_signed);
    Some(Reached { generation: number(generation)?, sequence: number(sequence)? })
}

fn check(said: &str) -> String {
    use std::fmt::Write as _;
    Sha256::digest(said).iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_furthest_place_counts_and_a_torn_one_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        assert_eq!(found(&path).unwrap(), Found::Nothing);
        let reached = |sequence| Reached { generation: -7, sequence };
        let mut head = Head::open(&path, Role::Sender).unwrap();
        assert_eq!(found(&path).unwrap(), Found::Unreadable);
        for sequence in 1..=5 {
            head.write(reached(sequence)).unwrap();
            assert_eq!(found(&path).unwrap(), Found::Reached(reached(sequence)));
        }
        Head::open(&path, Role::Desk).unwrap().write(reached(6)).unwrap();
        head.write(reached(5)).unwrap();
        assert_eq!(found(&path).unwrap(), Found::Reached(reached(6)));

        let file = beside(&path, ".head");
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[2 * PLACE + 20] ^= 1;
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(found(&path).unwrap(), Found::Reached(reached(5)));
    }
}
