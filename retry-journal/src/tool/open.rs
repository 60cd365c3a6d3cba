//! Which journal is meant, and how it is opened.

use std::path::Path;
use std::sync::Arc;

use super::plain::plain;
use super::{Ended, Options};
use crate::desk::Desk;

/// Opens the journal that the options name, beside the program that sends: a file, or PostgreSQL if it is the address of one.
///
/// # Errors
/// It can't be opened, none is named, or this `bitrix-journal` was built without its store.
pub async fn open(options: &Options) -> Result<Arc<dyn Desk>, Ended> {
    let Some(journal) = options.journal.clone().filter(|journal| !journal.is_empty()) else {
        return Err(Ended::Usage(
            "which journal? Name its file or its PostgreSQL with --journal, or in BITRIX_JOURNAL".to_owned(),
        ));
    };
    let key = options.key_file.as_deref().map(read_key).transpose()?;
    if journal.starts_with("postgres://") || journal.starts_with("postgresql://") {
        return in_postgres(&journal, options.schema.as_deref(), key).await;
    }
    // It reads the file, which may be large.
    tokio::task::spawn_blocking(move || in_file(&journal, key))
        .await
        .map_err(|error| Ended::NotDone(error.to_string()))?
}

#[cfg(feature = "sqlite")]
fn in_file(path: &str, key: Option<[u8; 32]>) -> Result<Arc<dyn Desk>, Ended> {
    use crate::sqlite::{Bodies, BodyKey, SqliteJournal};

    let mut builder = SqliteJournal::builder(path);
    if let Some(key) = key {
        builder = builder.bodies(Bodies::Encrypted(BodyKey::new(key)));
    }
    let desk = builder.desk().map_err(|error| Ended::NotDone(plain(&error.to_string())))?;
    Ok(Arc::new(desk))
}

#[cfg(not(feature = "sqlite"))]
fn in_file(_path: &str, _key: Option<[u8; 32]>) -> Result<Arc<dyn Desk>, Ended> {
    Err(not_built("sqlite"))
}

#[cfg(feature = "postgres")]
async fn in_postgres(address: &str, schema: Option<&str>, key: Option<[u8; 32]>) -> Result<Arc<dyn Desk>, Ended> {
    use crate::postgres::{Bodies, BodyKey, PostgresJournal};

    let mut builder = PostgresJournal::builder();
    if let Some(key) = key {
        builder = builder.bodies(Bodies::Encrypted(BodyKey::new(key)));
    }
    if let Some(schema) = schema {
        builder = builder.schema(schema);
    }
    let journal = builder.connect(address).await;
    Ok(Arc::new(journal.map_err(|error| Ended::NotDone(plain(&error.to_string())))?))
}

#[cfg(not(feature = "postgres"))]
fn in_postgres(
    _address: &str,
    _schema: Option<&str>,
    _key: Option<[u8; 32]>,
) -> std::future::Ready<Result<Arc<dyn Desk>, Ended>> {
    std::future::ready(Err(not_built("postgres")))
}

#[cfg(not(all(feature = "postgres", feature = "sqlite")))]
fn not_built(store: &str) -> Ended {
    Ended::Usage(format!(
        "this bitrix-journal was built without the feature `{store}`: cargo install --path retry-journal --features {store}"
    ))
}

fn read_key(path: &Path) -> Result<[u8; 32], Ended> {
    let named = plain(&path.display().to_string());
    let bytes = std::fs::read(path).map_err(|error| Ended::NotDone(format!("the key file {named}: {error}")))?;
    key(&bytes)
        .ok_or_else(|| Ended::Usage(format!("the key file {named} has neither 32 bytes nor 64 hexadecimal digits")))
}

fn key(bytes: &[u8]) -> Option<[u8; 32]> {
    if let Ok(key) = bytes.try_into() {
        return Some(key);
    }
    let digits = bytes.trim_ascii();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut key = [0; 32];
    for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_32_bytes_or_64_digits_and_nothing_else() {
        assert_eq!(key(&[7; 32]), Some([7; 32]));
        assert_eq!(key(format!("{}\n", "0F".repeat(32)).as_bytes()), Some([15; 32]));
        for wrong in [&b""[..], &[7; 31], &[7; 64], "+f".repeat(32).as_bytes(), "0f".repeat(31).as_bytes()] {
            assert_eq!(key(wrong), None);
        }
    }
}
