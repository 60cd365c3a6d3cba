//! The examples as a person runs them: child processes, what they print, and how they end.

// Says to clippy that a broken expectation may end the test from a helper function too.
#![cfg(test)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs, thread};

use retry_portal::{Answer, Coded, Fault, Outcome, Portal, Raw};
use retry_runtime::oauth::{FileStore, TokenStore, Tokens};
use serde_json::json;

const SECRET: &str = "s3cretOfTheTest01";
const HEADER: &str = "order,customer,amount,currency,comment\n";

/// Builds the examples once, with the profile of this test, and gives the path of one.
fn example(name: &str) -> PathBuf {
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
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let run = Self { code: status.code().unwrap(), out: text(stdout), err: text(stderr) };
        assert!(!format!("{}{}", run.out, run.err).contains(SECRET), "a secret is printed: {run:?}");
        run
    }

    /// A line of the table.
    fn line(&self, what: &str) -> &str {
        let line = self.out.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(what)?.strip_suffix('|'));
        line.unwrap_or_else(|| panic!("no line {what:?} in:\n{}\n{}", self.out, self.err)).trim()
    }

    fn number(&self, what: &str) -> usize {
        self.line(what).parse().unwrap()
    }

    fn says(&self, text: &str) {
        assert!(self.out.contains(text) || self.err.contains(text), "no {text:?} in:\n{}\n{}", self.out, self.err);
    }
}

fn import(arguments: &[&str]) -> Run {
    Run::of(command().args(arguments))
}

/// Imports into the portal of a test.
fn import_into(portal: &Portal, arguments: &[&str]) -> Run {
    let mut command = command();
    command.args(["--pace", "60000"]).args(arguments).env("BITRIX24_WEBHOOK", portal.webhook_url());
    Run::of(command.env("VIBE_KEY", portal.vibe_key()).env("VIBE_URL", portal.vibe_url()))
}

fn command() -> Command {
    let mut command = Command::new(example("import_deals"));
    for name in ["BITRIX24_WEBHOOK", "BITRIX24_OAUTH_TOKENS", "BITRIX24_TOKEN_URL", "VIBE_KEY", "VIBE_URL"] {
        command.env_remove(name);
    }
    command
}

/// A file of this test alone.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import_deals");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.into_os_string().into_string().unwrap()
}

async fn portal() -> Portal {
    Portal::builder().secret(SECRET).vibe_api_key(format!("vibe_api_{SECRET}")).no_rate_limit().start().await.unwrap()
}

/// The keys of the deals that are there, in order of the keys.
fn orders(portal: &Portal) -> Vec<String> {
    let mut orders: Vec<_> =
        portal.records("deal").iter().map(|deal| deal.text("ORIGIN_ID").unwrap().to_owned()).collect();
    orders.sort();
    orders
}

const SEEDS: [&str; 3] = ["3", "7", "11"];

#[test]
fn p1_p2_each_order_is_one_record_through_each_api_that_loses_a_third_of_its_answers() {
    let run = |api, seed| thread::spawn(move || (api, import(&["--api", api, "--faults", "0.3", "--seed", seed])));
    let runs = ["rest2", "rest3", "vibe"].into_iter().flat_map(|api| ["3", "7"].map(|seed| run(api, seed)));
    for (api, run) in runs.collect::<Vec<_>>().into_iter().map(|run| run.join().unwrap()) {
        let on_the_portal = (run.line("orders on the portal"), run.number("duplicates on the portal"));
        assert_eq!(on_the_portal, ("298 of 298", 0), "{run:?}");
        let by_key = ["found by its idempotency key", "resent with its idempotency key"];
        let by_read_back = ["found by read-back", "resent after proof of absence"];
        let [found, resent] = if api == "rest3" { by_key } else { by_read_back };
        let ended = ["created", found, resent, "already there"].map(|end| run.number(end));
        assert_eq!(ended.iter().sum::<usize>(), 299, "every good row has ended: {run:?}");
        // The order that is in the file twice may find its first task by its key after a loss of its own.
        let stories = if api == "rest3" { &ended[..3] } else { &ended };
        assert!(stories.iter().all(|rows| *rows > 0), "every story is told: {run:?}");
        assert_eq!(run.code, 0, "{run:?}");
    }
}

#[test]
fn the_plain_loop_makes_duplicates_with_the_same_seeds() {
    let runs = SEEDS.map(|seed| thread::spawn(move || import(&["--faults", "0.3", "--seed", seed, "--blind"])));
    for run in runs.map(|run| run.join().unwrap()) {
        assert!(run.number("duplicates on the portal") > 30, "{run:?}");
        assert_eq!(run.code, 0, "{run:?}");
    }
}

#[test]
fn with_every_first_answer_lost_each_order_is_one_task() {
    let run = import(&["--api", "rest3", "--lose-first", &some_orders("lost.csv", 40)]);
    let on_the_portal = (run.line("orders on the portal"), run.number("duplicates on the portal"));
    assert_eq!((run.code, on_the_portal), (0, ("40 of 40", 0)), "{run:?}");
    assert_eq!((run.number("found by its idempotency key"), run.number("requests sent")), (40, 80), "{run:?}");
}

#[test]
fn the_plain_loop_makes_duplicates_through_the_gateway_too() {
    let run = import(&["--api", "vibe", "--faults", "0.3", "--seed", "3", "--blind"]);
    assert!(run.code == 0 && run.number("duplicates on the portal") > 10, "{run:?}");
}

fn some_orders(name: &str, orders: usize) -> String {
    let rows: Vec<String> = (1..=orders).map(|order| format!("N-{order},Ann,{order},EUR,\n")).collect();
    file(name, format!("{HEADER}{}", rows.concat()))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_file_again_creates_nothing_new_through_the_other_apis() {
    for (api, method, entity) in [("vibe", "crm.deal.add", "deal"), ("rest3", "tasks.task.add", "task")] {
        let portal = portal().await;
        let orders = some_orders(&format!("again_{api}.csv"), 30);
        let runs = [0, 30].map(|there| (there, import_into(&portal, &["--api", api, &orders])));
        for (there, run) in runs {
            let ended = (run.code, run.number("already there"), run.number("created"));
            assert_eq!(ended, (0, there, 30 - there), "{run:?}");
        }
        let sent = if api == "vibe" { 30 } else { 60 };
        assert_eq!((portal.records(entity).len(), portal.count(method)), (30, sent), "{api}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p1_a_deal_that_comes_back_without_its_key_ends_the_run_after_one_row() {
    let portal = portal().await;
    let echo = Raw::json(201, &json!({"success": true, "data": {"id": 1, "title": "Order N-1, Ann"}}));
    portal.script("crm.deal.add", [Fault::before(Answer::Raw(echo))]);
    let run = import_into(&portal, &["--api", "vibe", &some_orders("dropped.csv", 30)]);
    run.says("stopped: deal 1, made of line 2, came back without UF_CRM_IMPORT_ORDER");
    assert_eq!((run.code, portal.count("crm.deal.add")), (1, 1), "{run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_oauth_application_imports_with_the_file_of_its_tokens() {
    for (api, entity) in [("rest2", "deal"), ("rest3", "task")] {
        let portal = portal().await;
        let (access, refresh) = portal.oauth_tokens();
        let (id, secret) = portal.oauth_application();
        let path = file(&format!("oauth_{api}.json"), "");
        fs::remove_file(&path).unwrap();
        let tokens = Tokens::new(access.as_str(), refresh.as_str(), &portal.oauth_endpoint()).unwrap();
        FileStore::new(&path).save(tokens).await.unwrap();
        portal.expire_tokens();
        let mut command = command();
        command.args(["--api", api, "--pace", "60000", &some_orders(&format!("oauth_{api}.csv"), 30)]);
        command.env("BITRIX24_OAUTH_TOKENS", &path).env("BITRIX24_TOKEN_URL", portal.token_url());
        let run = Run::of(command.env("BITRIX24_CLIENT_ID", id).env("BITRIX24_CLIENT_SECRET", &secret));
        assert_eq!((run.code, portal.records(entity).len(), portal.count("oauth.token")), (0, 30, 1), "{run:?}");
        let printed = format!("{}{}", run.out, run.err);
        assert!([access, refresh, secret].iter().all(|secret| !printed.contains(secret)), "a secret is printed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_file_again_creates_nothing_new() {
    let portal = portal().await;
    let lost = [Answer::Close, Answer::Reset, Answer::HeadThenReset, Answer::Html(502)].map(Fault::before);
    portal.script("crm.deal.add", lost.iter().cycle().take(40).cloned());

    let first = import_into(&portal, &[]);
    assert_eq!(first.code, 0, "{first:?}");
    assert_eq!((first.number("found by read-back"), first.number("already there")), (40, 1), "{first:?}");
    assert_eq!((portal.records("deal").len(), portal.duplicates_by("deal", "ORIGIN_ID")), (298, Vec::new()));
    // P4: what the reports count is what came over the wire. The list at the end is not part of the import.
    let of_the_import = |request: &&retry_portal::Received| !request.params.contains_key("order");
    assert_eq!(portal.requests().iter().filter(of_the_import).count(), first.number("requests sent"));

    portal.clear_requests();
    let second = import_into(&portal, &[]);
    assert_eq!((second.code, second.number("already there"), second.number("created")), (0, 299, 0), "{second:?}");
    assert_eq!(second.line("orders on the portal"), "298 of 298");
    assert_eq!((portal.records("deal").len(), portal.count("crm.deal.add")), (298, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_rows_are_named_by_their_line_and_the_good_ones_go() {
    let mut text = HEADER.as_bytes().to_vec();
    text.extend(
        b"1,Ann,\"1 250,50\",EUR,\"two\nlines, \"\"quoted\"\"\"\r\n\r\n,Bob,1,EUR,\n3,Cid,1.2.3,EUR,\n4,Dan,1,euro,\n",
    );
    text.extend(b"5,Eve,1,EUR\n6,Fay,1,EUR,a,b\n7,\xc3\xed,1,EUR,\n1,Gus,1,EUR,\n8,Hal,,EUR,\n9,Ida,\"1,250\",EUR,\n");
    text.extend("10,Юлия,7,EUR,\"open\n11,Zoë,8.5,EUR,\n11,Zoë,8.5,EUR,\n12,Kim,9,EUR,\"open too\n".as_bytes());
    let portal = portal().await;
    let run = import_into(&portal, &[&file("bad_rows.csv", text)]);
    for problem in [
        "bad_rows.csv: 14 rows, 3 good, 11 bad",
        "line 5: the order number is empty",
        "line 6: the amount \"1.2.3\" is no number",
        "line 7: the currency \"euro\" is not a code such as EUR",
        "line 8: it has 4 fields, not 5",
        "line 9: it has 6 fields, not 5",
        "line 10: the customer is not UTF-8",
        "line 11: order 1 is on line 2 already, with other content",
        "line 12: the amount is empty",
        "line 13: the amount \"1,250\" can be read in two ways",
        "line 14: a quote is never closed",
        "line 16: the same as line 15, so both are one deal",
        "line 17: a quote is never closed",
    ] {
        run.says(problem);
    }
    assert_eq!((run.code, run.number("bad rows, not sent")), (0, 11), "{run:?}");
    assert_eq!(orders(&portal), ["1", "11"]);
    let deal = &portal.records("deal").into_iter().find(|deal| deal.text("ORIGIN_ID") == Some("1")).unwrap();
    assert_eq!(deal.text("OPPORTUNITY"), Some("1250.50"));
    assert_eq!(deal.text("COMMENTS"), Some("two\nlines, \"quoted\""));
}

#[test]
fn a_file_that_is_no_export_is_refused_in_words() {
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(HEADER.bytes().flat_map(|byte| [byte, 0])).collect();
    for (path, problem) in [
        ("no/such.csv".to_owned(), "no/such.csv can't be read: No such file"),
        (env!("CARGO_MANIFEST_DIR").to_owned(), "can't be read: "),
        (file("empty.csv", ""), "empty.csv, line 1: the file is empty: its first line must name the columns"),
        (file("binary.csv", b"\x7fELF\x02\x01\0\0\n\0"), "binary.csv, line 1: this is not a CSV file"),
        (file("cyrillic.csv", b"\xe7\xe0\xea\xe0\xe7,x\n"), "line 1: this is not a CSV file in UTF-8"),
        (file("utf16.csv", utf16), "utf16.csv, line 1: this is UTF-16: save the file as UTF-8"),
        (file("columns.csv", "order,client,amount\n1,a,2\n"), "line 1: there is no column customer, currency, comment"),
        (file("semicolons.csv", HEADER.replace(',', ";")), "line 1: the columns are separated by ';'"),
        (file("all_bad.csv", format!("{HEADER},,,,\n")), "no row of the file can be sent"),
    ] {
        let run = import(&[&path]);
        run.says(problem);
        assert_eq!(run.code, 2, "{run:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_sends_nothing() {
    let portal = portal().await;
    let run = import_into(&portal, &["--dry-run"]);
    run.says("leads.csv: 300 rows, 299 good, 1 bad");
    run.says("nothing was sent");
    assert_eq!((run.code, portal.requests().len()), (0, 0), "{run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn p2_what_is_in_doubt_is_told_in_full_and_is_exit_code_1() {
    let portal = portal().await;
    portal.script("crm.deal.add", [Fault::before(Answer::Close)]);
    let another =
        Raw::json(200, &json!({"result": [{"ID": "9", "ORIGINATOR_ID": "web-shop", "ORIGIN_ID": "another"}]}));
    portal.script("crm.deal.list", [Fault::none(), Fault::never(Answer::Raw(another))]);
    let run = import_into(&portal, &[&file("doubt.csv", format!("{HEADER}A-1,Ann,1,EUR,\n"))]);
    run.says("line 2: crm.deal.add is in doubt: the read-back proves nothing");
    run.says("did it happen: unknown");
    run.says("key: A-1");
    // Loopback is no cloud: the hint names the option.
    run.says("--settle SECONDS");
    assert_eq!((run.code, run.number("in doubt"), run.number("created")), (1, 1, 0), "{run:?}");
    assert_eq!(portal.requests().iter().filter(|request| request.effect == Outcome::Before).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn p2_what_is_refused_is_told_by_its_reason_and_lines() {
    let portal = portal().await;
    let refused = Fault::never(Answer::Coded(Coded::new(403, "insufficient_scope").description("more rights")));
    portal.script("crm.deal.add", vec![refused; 2]);
    let run = import_into(&portal, &[&file("refused.csv", format!("{HEADER}A-1,Ann,1,EUR,\nA-2,Bob,1,EUR,\n"))]);
    run.says("refused\n  code insufficient_scope: more rights\n  lines 2, 3\n");
    assert_eq!((run.code, run.number("refused"), run.line("orders on the portal")), (1, 2, "0 of 2"), "{run:?}");
}

#[test]
fn options_that_do_not_go_together_are_usage_errors() {
    let cloud = format!("https://acme.bitrix24.com/rest/1/{SECRET}/");
    for (webhook, arguments, problem) in [
        ("", &["--faults", "1.5"][..], "it must be from 0 to 1"),
        ("", &["--settle", "60"], "set BITRIX24_WEBHOOK"),
        ("", &["--blind", "--dry-run"], "cannot be used with"),
        (&cloud, &["--seed", "1"], "unset BITRIX24_WEBHOOK"),
        (&cloud, &["--blind"], "a portal on this machine only"),
        ("", &["--api", "vibe", "--pace", "9"], "set VIBE_KEY"),
        ("", &["--api", "rest3", "--blind"], "--blind is for rest2 and vibe"),
        (&cloud.replace("https", "http"), &[], "BITRIX24_WEBHOOK: the webhook URL must begin with https://"),
    ] {
        let run = Run::of(command().args(arguments).env("BITRIX24_WEBHOOK", webhook));
        run.says(problem);
        assert_eq!(run.code, 2, "{run:?}");
    }
}

#[test]
fn each_small_example_tells_its_story() {
    for (name, story) in [
        ("read_with_retries", &["it took 4 requests", "all its 4 attempts are used up", "X-Request-Id"][..]),
        ("unverifiable_write", &["im.message.add is in doubt", "did it happen: unknown", "Order 1017 has arrived"]),
        ("watch_decisions", &["decision=ReadBack", "proves=true", "1018: done, 2 sends", "its answer came after all"]),
        ("oauth_application", &["all answered, renewed 1 time", "the file holds the new ones: true"]),
        ("comment_by_marker", &["was found by its marker, after 2 sends in all"]),
    ] {
        let run = Run::of(&mut Command::new(example(name)));
        assert_eq!(run.code, 0, "{name}: {run:?}");
        for text in story {
            run.says(text);
        }
    }
}
