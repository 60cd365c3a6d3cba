//! The stores that are compared with: as little as makes a pair durable, committed in the same groups.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use rusqlite::{Connection, params};
use tokio::sync::oneshot;

const GROUP: usize = 512;

/// Gets a first command and all that have gathered meanwhile.
fn group<T>(asked: &Receiver<T>) -> Option<Vec<T>> {
    let mut group = vec![asked.recv().ok()?];
    group.extend(asked.try_iter().take(GROUP - 1));
    Some(group)
}

enum Ask {
    Insert(String, Vec<u8>),
    Update(i64),
}

/// A table with a unique key: an insert, then an update.
pub(crate) struct Bare(Sender<(Ask, oneshot::Sender<i64>)>);

impl Bare {
    pub(crate) fn open(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                 CREATE TABLE intent (number INTEGER PRIMARY KEY, key TEXT UNIQUE, body BLOB, state INTEGER, result BLOB);",
            )
            .unwrap();
        let (commands, asked) = channel::<(Ask, oneshot::Sender<i64>)>();
        std::thread::spawn(move || {
            while let Some(group) = group(&asked) {
                connection.execute_batch("BEGIN IMMEDIATE").unwrap();
                let mut answers = Vec::new();
                for (ask, answer) in group {
                    let number = match ask {
                        Ask::Insert(key, body) => {
                            let sql = "INSERT INTO intent (key, body, state) VALUES (?, ?, 1)";
                            connection.prepare_cached(sql).unwrap().execute(params![key, body]).unwrap();
                            connection.last_insert_rowid()
                        }
                        Ask::Update(number) => {
                            let sql = "UPDATE intent SET state = 13, body = NULL, result = '4711' WHERE number = ?";
                            connection.prepare_cached(sql).unwrap().execute([number]).unwrap();
                            number
                        }
                    };
                    answers.push((answer, number));
                }
                connection.execute_batch("COMMIT").unwrap();
                for (answer, number) in answers {
                    let _ = answer.send(number);
                }
            }
        });
        Self(commands)
    }

    pub(crate) async fn insert(&self, key: String, body: Vec<u8>) -> i64 {
        self.ask(Ask::Insert(key, body)).await
    }

    pub(crate) async fn update(&self, number: i64) {
        self.ask(Ask::Update(number)).await;
    }

    async fn ask(&self, ask: Ask) -> i64 {
        let (answer, answered) = oneshot::channel();
        self.0.send((ask, answer)).unwrap();
        answered.await.unwrap()
    }
}

/// A file that only grows.
pub(crate) struct Append(Sender<(Vec<u8>, oneshot::Sender<()>)>);

impl Append {
    pub(crate) fn open(path: &Path) -> Self {
        let mut file = File::create(path).unwrap();
        let (commands, asked) = channel::<(Vec<u8>, oneshot::Sender<()>)>();
        std::thread::spawn(move || {
            while let Some(group) = group(&asked) {
                let (lines, answers): (Vec<_>, Vec<_>) = group.into_iter().unzip();
                file.write_all(&lines.concat()).unwrap();
                file.sync_data().unwrap();
                for answer in answers {
                    let _ = answer.send(());
                }
            }
        });
        Self(commands)
    }

    pub(crate) async fn line(&self, line: Vec<u8>) {
        let (answer, answered) = oneshot::channel();
        self.0.send((line, answer)).unwrap();
        answered.await.unwrap();
    }
}
