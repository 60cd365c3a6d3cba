//! A token file under fire: other processes, killed owners, torn writes, wide modes.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::*;
use crate::clock::SystemClock;
use crate::oauth::scripted::{Step, TokenEnd, tokens};
use crate::oauth::{Application, Renewal};

fn place() -> (TempDir, PathBuf, FileStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("acme.json");
    (folder, path.clone(), FileStore::new(path))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

async fn access(store: &FileStore) -> String {
    store.load().await.unwrap().unwrap().access_token().to_owned()
}

#[tokio::test]
async fn tokens_are_kept_and_no_file_is_no_tokens() {
    let (folder, path, store) = place();
    assert_eq!(store.load().await, Ok(None));
    for number in ["1", "2"] {
        store.save(tokens(number, number)).await.unwrap();
        assert_eq!(FileStore::new(&path).load().await, Ok(Some(tokens(number, number))));
    }
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["acme.json", "acme.json.lock"]);

    let error = FileStore::new(folder.path().join("none").join("acme.json")).save(tokens("1", "1")).await.unwrap_err();
    assert!(error.to_string().contains("acme.json.lock"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn p7_nobody_else_may_read_the_file() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let widen = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();

    let (folder, path, store) = place();
    // What a killed owner left behind, and with a wide mode.
    fs::write(beside(&path, ".tmp"), "x").unwrap();
    widen(&beside(&path, ".tmp"), 0o666);
    store.save(tokens("acc1", "ref1")).await.unwrap();
    assert_eq!((mode(&path), mode(&beside(&path, ".lock"))), (0o600, 0o600));

    for wide in [0o640, 0o604, 0o622] {
        widen(&path, wide);
        let error = store.load().await.unwrap_err().to_string();
        assert!(error.contains(&format!("mode {wide:o}")) && error.contains("chmod 600"), "{error}");
        assert_eq!(store.lock().await.unwrap().load().await.unwrap_err().to_string(), error);
    }
    store.save(tokens("acc2", "ref2")).await.unwrap();
    assert_eq!((mode(&path), access(&store).await.as_str()), (0o600, "acc2"));

    let link = folder.path().join("link.json");
    symlink(&path, &link).unwrap();
    FileStore::new(&link).save(tokens("acc3", "ref3")).await.unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(access(&store).await, "acc3");
}

#[tokio::test]
async fn a_torn_file_is_named_and_shows_no_token() {
    let (_folder, path, store) = place();
    store.save(tokens("acc3ss", "r3fresh")).await.unwrap();
    let whole = fs::read(&path).unwrap();
    for torn in [&whole[..whole.len() / 2], b"", b"\0\0\0", br#""acc3ss""#, br#"{"access_token":"acc3ss","expires":1}"#]
    {
        // In place, so that its mode stays.
        fs::write(&path, torn).unwrap();
        let error = store.load().await.unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(shown.contains("acme.json") && shown.contains("does not hold tokens"), "{shown}");
        assert!(!shown.contains("acc3ss") && !shown.contains("r3fresh"), "{shown}");
    }
    store.save(tokens("acc2", "ref2")).await.unwrap();
    assert_eq!(access(&store).await, "acc2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_sees_old_or_new_tokens_and_nothing_between() {
    let (_folder, path, store) = place();
    store.save(tokens("0", "0")).await.unwrap();
    let writing = tokio::spawn({
        let store = store.clone();
        async move {
            for number in 1..50 {
                store.save(tokens(&number.to_string(), &"r".repeat(100 * number))).await.unwrap();
            }
        }
    });
    let reader = FileStore::new(path);
    while !writing.is_finished() {
        let tokens = reader.load().await.unwrap().unwrap();
        let number: usize = tokens.access_token().parse().unwrap();
        assert_eq!(tokens.refresh_token().len(), if number == 0 { 1 } else { 100 * number });
    }
    writing.await.unwrap();
}

#[tokio::test]
async fn the_lock_is_exclusive_until_it_is_dropped() {
    let (_folder, path, store) = place();
    let held = store.lock().await.unwrap();
    let other = FileStore::new(path);
    assert!(timeout(Duration::from_millis(200), other.lock()).await.is_err());
    assert_eq!(other.load().await, Ok(None));
    drop(held);
    other.save(tokens("acc1", "ref1")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn p5_the_lock_is_waited_for_30_s() {
    let (_folder, _, store) = place();
    let held = store.lock().await.unwrap();
    let error = store.save(tokens("acc1", "ref1")).await.unwrap_err();
    assert!(
        matches!(&error, StoreError::Busy(why) if why.ends_with("acme.json.lock has been held for 30 s")),
        "{error}"
    );
    drop(held);
    assert_eq!(store.load().await, Ok(None));
}

#[tokio::test]
async fn a_save_that_nobody_waits_for_still_ends_before_the_lock_is_free() {
    let (_folder, _, store) = place();
    let mut saving = store.lock().await.unwrap().replace(tokens("acc1", "ref1"));
    // Begun, and given up.
    std::future::poll_fn(|context| std::task::Poll::Ready(saving.as_mut().poll(context).is_ready())).await;
    drop(saving);
    assert_eq!(store.lock().await.unwrap().load().await, Ok(Some(tokens("acc1", "ref1"))));
}

/// Set for the process that takes the lock and is killed with it.
const HOLD: &str = "RETRY_RUNTIME_TEST_HOLDS_THE_LOCK_OF";

#[tokio::test]
async fn case_b61_the_lock_of_a_killed_owner_is_taken_over() {
    if let Some(path) = env::var_os(HOLD) {
        let _held = FileStore::new(path).lock().await.unwrap();
        println!("held");
        sleep(Duration::from_mins(1)).await;
        return;
    }
    let (_folder, path, store) = place();
    let mut owner = Command::new(env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "oauth::store::tests::case_b61_the_lock_of_a_killed_owner_is_taken_over"])
        .env(HOLD, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = std::io::BufReader::new(owner.stdout.take().unwrap());
    let mut line = String::new();
    while !line.ends_with("held\n") {
        assert_ne!(std::io::BufRead::read_line(&mut said, &mut line).unwrap(), 0, "the owner ended: {line}");
    }
    assert!(timeout(Duration::from_millis(300), store.lock()).await.is_err());
    owner.kill().unwrap();
    owner.wait().unwrap();
    timeout(Duration::from_secs(5), store.save(tokens("acc1", "ref1"))).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn case_b61_two_clients_on_one_file_renew_once() {
    let (_folder, path, store) = place();
    store.save(tokens("acc1", "ref1")).await.unwrap();
    let server = TokenEnd::new([Step::grant("acc2", "ref2").after(Duration::from_millis(200))]);
    let client = || {
        let (application, file) = (Application::new("local.1", "s3cr3t"), Arc::new(FileStore::new(&path)));
        Renewal::new(application, file, tokens("acc1", "ref1"), Box::new(server.clone()), Arc::new(SystemClock))
    };
    let (first, second) = (client(), client());
    let renewed = tokio::join!(first.renew(1), first.renew(1), second.renew(1), second.renew(1));
    assert_eq!(renewed, (Ok(()), Ok(()), Ok(()), Ok(())));
    for client in [first, second] {
        assert_eq!(client.tokens().await.unwrap().0.access_token(), "acc2");
    }
    assert_eq!((access(&store).await.as_str(), server.refreshed()), ("acc2", vec!["ref1".to_owned()]));
}
