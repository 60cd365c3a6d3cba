//! One sending process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::error::OpenError;

/// The right to send by a journal, for as long as it lives. The system takes it back when its process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// Takes `FILE.lock`. The file itself stays: to remove it would let two in.
    pub(super) fn take(path: &Path) -> Result<Self, OpenError> {
        let io = |doing| move |source| OpenError::Io { path: path.into(), doing, source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(beside(path, ".lock"))
            .map_err(io("its lock file could not be opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse { path: path.into(), by: who(&mut file) }),
            Err(TryLockError::Error(source)) => return Err(io("its lock file could not be locked")(source)),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()))
            .map_err(io("its lock file could not be written"))?;
        Ok(Self { file })
    }
}

impl Drop for Lock {
    /// Said and not only left to the closing of the file: a process that is being started just now has a copy of the open file for a moment.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

fn who(file: &mut File) -> Box<str> {
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) if text.trim().parse::<u32>() == Ok(std::process::id()) => {
            "this very process, which opened it before".into()
        }
        Ok(_) if !text.trim().is_empty() => format!("process {}", text.trim()).into(),
        Ok(_) | Err(_) => "another process".into(),
    }
}

/// The file that is called like this one and has a further ending.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
