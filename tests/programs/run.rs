//! A program as a person runs it: a child process, what it prints, and how it ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs};

use retry_portal::Portal;

pub(crate) const SECRET: &str = "s3cretOfTheTest01";
pub(crate) const HEADER: &str = "order,customer,amount,currency,comment\n";

/// Builds the examples once, with the profile of this test, and gives the path of one.
pub(crate) fn example(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let own = env::current_exe().unwrap();
        let profile = own.ancestors().nth(2).unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--examples", "--manifest-path"]);
        build.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        build.arg("--target-dir").arg(profile.parent().unwrap());
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the examples do not build");
        profile.join("examples")
    });
    folder.join(name)
}

/// What a run has printed and how it has ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let run = Self { code: status.code().unwrap(), out: text(stdout), err: text(stderr) };
        assert!(!format!("{}{}", run.out, run.err).contains(SECRET), "a secret is printed: {run:?}");
        run
    }

    /// A line of the table.
    pub(crate) fn line(&self, what: &str) -> &str {
        let line = self.out.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(what)?.strip_suffix('|'));
        line.unwrap_or_else(|| panic!("no line {what:?} in:\n{}\n{}", self.out, self.err)).trim()
    }

    pub(crate) fn number(&self, what: &str) -> usize {
        self.line(what).parse().unwrap()
    }

    pub(crate) fn says(&self, text: &str) {
        assert!(self.out.contains(text) || self.err.contains(text), "no {text:?} in:\n{}\n{}", self.out, self.err);
    }
}

pub(crate) fn import(arguments: &[&str]) -> Run {
    Run::of(command().args(arguments))
}

/// Imports into the portal of a test.
pub(crate) fn import_into(portal: &Portal, arguments: &[&str]) -> Run {
    let mut command = command();
    command.args(arguments).env("BITRIX24_WEBHOOK", portal.webhook_url());
    Run::of(command.env("VIBE_KEY", portal.vibe_key()).env("VIBE_URL", portal.vibe_url()))
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(example("import_deals"));
    for name in ["BITRIX24_WEBHOOK", "BITRIX24_OAUTH_TOKENS", "BITRIX24_TOKEN_URL", "VIBE_KEY", "VIBE_URL"] {
        command.env_remove(name);
    }
    command
}

/// A file of this test alone.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import_deals");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.into_os_string().into_string().unwrap()
}

pub(crate) async fn portal() -> Portal {
    Portal::builder().secret(SECRET).vibe_api_key(format!("vibe_api_{SECRET}")).no_rate_limit().start().await.unwrap()
}

/// The keys of the deals that are there, in order of the keys.
pub(crate) fn orders(portal: &Portal) -> Vec<String> {
    let mut orders: Vec<_> =
        portal.records("deal").iter().map(|deal| deal.text("ORIGIN_ID").unwrap().to_owned()).collect();
    orders.sort();
    orders
}

pub(crate) fn some_orders(name: &str, orders: usize) -> String {
    let rows: Vec<String> = (1..=orders).map(|order| format!("N-{order},Ann,{order},EUR,\n")).collect();
    file(name, format!("{HEADER}{}", rows.concat()))
}
