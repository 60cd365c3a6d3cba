//! The program itself, beside a program that sends by the same file.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use retry_journal::sqlite::SqliteJournal;
use retry_runtime::journal::{
    Beginning, Begun, Change, Digest, Entry, Event, EventKind, How, Intent, IntentId, Journal as _, State,
};
use retry_runtime::transport::Version;
use tempfile::TempDir;

use crate::fixtures::EVIL;
use crate::http::{get, post};
use crate::memory::at;

const PROGRAM: &str = env!("CARGO_BIN_EXE_bitrix-journal");

/// A journal in a new file, with the program that sends by it still running: 1 applied, 2 and 3 manual, 4 being sent.
struct Running {
    journal: SqliteJournal,
    _folder: TempDir,
    path: PathBuf,
}

fn id(key: &str) -> IntentId {
    IntentId { portal: "acme.bitrix24.com:443".into(), method: "crm.deal.add".into(), key: key.into() }
}

impl Running {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("orders.journal");
        let journal = SqliteJournal::open(&path).unwrap();
        let running = Self { journal, _folder: folder, path };
        running.add("ORDER-1", Some(Change::Applied { how: How::Answer, result: "4690".into() }), "answered").await;
        running.add("ORDER-2", Some(Change::Manual { why: "two deals carry this key".into() }), "read back").await;
        running.add(EVIL, Some(Change::Manual { why: EVIL.into() }), EVIL).await;
        running.add("ORDER-4", None, "").await;
        running
    }

    async fn add(&self, key: &str, change: Option<Change>, text: &str) {
        let beginning = Beginning {
            id: id(key),
            stub: "shop::add_deal".into(),
            version: Version::Two,
            arguments: br#"{"fields":{"TITLE":"Private title"}}"#.to_vec().into(),
            digest: Digest::of(b"{}"),
            idempotency_key: None,
            expected: None,
            story: Vec::new(),
        };
        let Begun::Yes(held) = self.journal.begin(&beginning).await.unwrap() else { panic!("{key} is there") };
        if let Some(change) = change {
            let event = Event { at: at(0), kind: EventKind::Check, text: text.into(), detail: "{}".into() };
            self.journal.record(&Entry { held, change, story: vec![event] }).await.unwrap();
        }
    }

    /// What the program that sends sees.
    async fn look(&self, key: &str) -> Intent {
        self.journal.look(&id(key)).await.unwrap().unwrap()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.env_clear().env("USER", "ada").arg("--journal").arg(&self.path);
        command
    }

    fn run(&self, line: &[&str]) -> (i32, String, String) {
        told(&self.command().args(line).output().unwrap())
    }

    /// The same on a terminal, 120 letters wide.
    fn on_terminal(&self, line: &str, environment: &[(&str, &str)]) -> String {
        let typed = format!("stty cols 120; {PROGRAM} --journal {} {line}", self.path.display());
        let mut command = Command::new("script");
        command
            .args(["-qec", &typed, "/dev/null"])
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        let output = command.envs(environment.iter().copied()).output();
        told(&output.expect("`script` of util-linux plays the terminal: apt-get install -y bsdutils")).1
    }
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn a_person_settles_an_intent_beside_the_running_program_and_the_program_sees_it() {
    let running = Running::start().await;
    let (code, text, error) = running.run(&["list"]);
    let numbers: Vec<&str> = text.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!((code, &*numbers, &*error), (0, &["3", "2", "4", "1"][..], ""));
    assert!(!text.contains('\u{1b}') && text.lines().all(|line| line.split('\t').count() == 9), "{text}");

    let epoch = running.look("ORDER-2").await.epoch;
    let (code, text, _) =
        running.run(&["adopt", "2", "4711", "--note", "looked at it", "--epoch", &epoch.0.to_string()]);
    assert!(code == 0 && text.contains("Decided by ada: it is adopted"), "{code} {text}");
    let seen = running.look("ORDER-2").await;
    assert_eq!(seen.state, State::Applied { how: How::Person, result: "4711".into() });
    let (_, text, _) = running.run(&["show", "2"]);
    assert!(
        text.contains("https://acme.bitrix24.com/crm/deal/details/4711/") && text.contains("looked at it"),
        "{text}"
    );

    for (line, key, state) in [
        (["verify", "3"], EVIL, "unknown"),
        (["reject", "4"], "ORDER-4", "rejected"),
        (["allow-once", "4"], "ORDER-4", "not applied"),
    ] {
        let (code, _, error) = running.run(&[&line[..], &["--note", "n", "--name", "Grace"]].concat());
        assert_eq!((code, &*error), (0, ""), "{line:?}");
        assert_eq!(running.look(key).await.state.as_str(), state);
    }
}

#[tokio::test]
async fn the_exit_code_says_how_it_ended() {
    let running = Running::start().await;
    let note = ["--note", "n"];
    for (line, code, told) in [
        (&["show", "99"][..], 1, "there is no intent 99"),
        (&["reject", "99", "--note", "n"], 1, "there is no intent 99"),
        (&["reject", "2", "--note", "n", "--epoch", "77"], 1, "has changed since epoch 77"),
        (&["verify", "1", "--note", "n"], 1, "nothing was decided"),
        (&["reject", "2"], 2, "--note"),
        (&["reject", "2", "--note", ""], 2, "needs a note"),
        (&["reject", "two", "--note", "n"], 2, "invalid value"),
        (&["adopt", "2", "--note", "n"], 2, "RECORD"),
        (&["adopt", "2", "", "--note", "n"], 2, "RECORD"),
        (&["list", "--state", "lost"], 2, "possible values"),
        (&["list", "--limit", "0"], 2, "limit"),
        (&["export"], 2, "--json"),
        (&["serve", "--listen", "0.0.0.0:0"], 2, "BITRIX_JOURNAL_TOKEN"),
        (&["destroy"], 2, "unrecognized"),
        (&["stats", "--check"], 3, "2 of the intents"),
    ] {
        let (got, _, error) = running.run(line);
        assert!(got == code && error.contains(told), "{line:?}: {got} {error}");
    }
    let nobody = running.command().env_remove("USER").args(["reject", "2"]).args(note).output().unwrap();
    assert!(told(&nobody).0 == 2 && told(&nobody).2.contains("--name"), "{nobody:?}");
    let unnamed = Command::new(PROGRAM).env_clear().arg("list").output().unwrap();
    assert!(told(&unnamed).0 == 2 && told(&unnamed).2.contains("BITRIX_JOURNAL"), "{unnamed:?}");
    let wrong = running.path.with_file_name("other.journal");
    let missing = Command::new(PROGRAM).env_clear().env("BITRIX_JOURNAL", &wrong).arg("list").output().unwrap();
    assert!(
        told(&missing).0 == 1 && told(&missing).2.contains("there is no journal") && !wrong.exists(),
        "{missing:?}"
    );
    assert_eq!(running.look("ORDER-2").await.state.as_str(), "manual");
}

#[tokio::test]
async fn a_terminal_has_a_table_with_colours_unless_they_are_not_wanted_and_nothing_steers_it() {
    let running = Running::start().await;
    let coloured = running.on_terminal("list", &[]);
    assert!(coloured.contains("STATE") && coloured.contains("4 of 4") && coloured.contains("\u{1b}["), "{coloured}");
    assert!(coloured.contains("\\u{1b}[2J") && !coloured.contains("\u{1b}[2J"), "{coloured}");
    for line in ["list", "show 3", "stats"] {
        let bare = running.on_terminal(line, &[("NO_COLOR", "1")]);
        assert!(!bare.contains('\u{1b}') && !bare.contains('\u{9b}') && bare.lines().count() > 3, "{bare}");
    }
    let hints = running.on_terminal("show 2", &[("NO_COLOR", "1")]);
    assert!(hints.contains("adopt 2 RECORD --epoch") && hints.contains("What you can decide"), "{hints}");
}

#[tokio::test]
async fn a_reader_that_has_seen_enough_is_no_failure() {
    let running = Running::start().await;
    let mut child =
        running.command().args(["export", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((told(&output).0, told(&output).2), (0, String::new()));
}

#[tokio::test]
async fn the_page_of_the_program_decides_and_ends_with_ctrl_c() {
    let running = Running::start().await;
    let mut child = running.command().arg("serve").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line
        .trim()
        .strip_prefix("http://127.0.0.1:")
        .map(|port| format!("127.0.0.1:{}", port.trim_end_matches('/')))
        .unwrap();
    let page = get(&address, "/intents/2");
    assert!(page.body.contains("two deals carry this key"), "{}", page.body);
    let (form, epoch) = (page.field("form"), page.field("epoch"));
    let fields = [("form", &*form), ("epoch", &epoch), ("name", "Ada"), ("note", "looked"), ("record", "4711")];
    assert_eq!(post(&address, "/intents/2/adopt", &fields).status, 303);
    assert_eq!(running.look("ORDER-2").await.state, State::Applied { how: How::Person, result: "4711".into() });
    let metrics = get(&address, "/metrics").body;
    assert!(metrics.contains("bitrix_journal_intents{state=\"manual\"} 1"), "{metrics}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
}
