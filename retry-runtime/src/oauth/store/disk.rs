//! The file of a [`FileStore`](super::FileStore): read, replaced in one step, and never open to others. All of it blocks.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::oauth::tokens::Tokens;

/// Reads the tokens; no file is no tokens.
pub(super) fn read(path: &Path) -> Result<Option<Tokens>, StoreError> {
    let failed = |error| failed("read", path, &error);
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if let Some(mode) = open_to_others(&file).map_err(failed)? {
        return Err(StoreError::broken(format!(
            "the token file {path} may be read or changed by others (mode {mode:o}); run `chmod 600 {path}`, and if others could have \
             read it, authorise the application again",
            path = path.display()
        )));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    serde_json::from_slice(&bytes).map(Some).map_err(|error| {
        // The errors of `Tokens` and of JSON's syntax quote nothing.
        StoreError::broken(format!(
            "the token file {} does not hold tokens ({error}); authorise the application again and save what `authorize` returns",
            path.display()
        ))
    })
}

/// Puts the tokens in the place of what is there, so that a reader sees either the old or the new and a power cut leaves one of them.
///
/// To be called by the owner of the lock alone.
pub(super) fn replace(path: &Path, tokens: &Tokens) -> Result<(), StoreError> {
    let failed = |error| failed("write", path, &error);
    let json = serde_json::to_vec_pretty(tokens).map_err(|error| failed(error.into()))?;
    // A name that is a link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let temporary = beside(&target, ".tmp");
    let written = write_new(&temporary, &json).and_then(|()| fs::rename(&temporary, &target));
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(failed(error));
    }
    sync_folder(&target).map_err(failed)
}

/// Opens the file that is locked. It stays when it is not locked: were it removed, two could lock two files of one name.
pub(super) fn open_lock(path: &Path) -> Result<File, StoreError> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let lock = beside(&target, ".lock");
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    for_owner_only(&mut options).open(&lock).map_err(|error| failed("open", &lock, &error))
}

fn failed(what: &str, path: &Path, error: &io::Error) -> StoreError {
    StoreError::broken(format!("can't {what} {}: {error}", path.display()))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // What a killed owner left behind; whatever its mode, the new one is ours alone.
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut file = for_owner_only(OpenOptions::new().write(true).create_new(true)).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn for_owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn for_owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// The mode, if it lets others in.
#[cfg(unix)]
fn open_to_others(file: &File) -> io::Result<Option<u32>> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&file.metadata()?.permissions()) & 0o7777;
    Ok(Some(mode).filter(|mode| mode & 0o077 != 0))
}

#[cfg(not(unix))]
fn open_to_others(_: &File) -> io::Result<Option<u32>> {
    Ok(None)
}

/// A rename is on the disk when its folder is.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder)?.sync_all() {
        // Some file systems cannot do that, and then need not.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
