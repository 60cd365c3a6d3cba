//! The page in a real browser.

use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::json;
use tempfile::TempDir;

use crate::fixtures::journal;
use crate::memory::MemoryDesk;
use crate::serving::serve;

/// The driver; it ends with the test.
struct Driver {
    /// What the browsers keep; it goes with the driver.
    profiles: TempDir,
    child: Child,
    url: String,
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A driver that is gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Driver {
    /// Starts it, or says what to install.
    fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("chromedriver");
        command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| {
            panic!(
                "the page is tested in a real browser, and chromedriver does not start ({error}). \
                 Install it: apt-get install -y chromium chromium-driver. Without a browser: RETRY_JOURNAL_NO_BROWSER=1"
            )
        });
        Self { profiles: tempfile::tempdir().unwrap(), child, url: format!("http://127.0.0.1:{port}") }
    }
}

/// A browser with nothing in it, of this size.
async fn browser(driver: &Driver, width: u32, height: u32, is_phone: bool) -> Client {
    let profile = driver.profiles.path().join("profile");
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        &format!("--user-data-dir={}", profile.display()),
        &format!("--window-size={width},{height}"),
    ];
    let mut options = json!({"args": arguments});
    if is_phone {
        // Of the two colour schemes, one is looked at wide and one on the phone.
        options["args"].as_array_mut().unwrap().push(json!("--blink-settings=preferredColorScheme=0"));
        options["mobileEmulation"] =
            json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0, "touch": true}});
    }
    let capabilities = json!({"goog:chromeOptions": options}).as_object().unwrap().clone();
    let mut last = None;
    for _ in 0..100 {
        let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        match builder.capabilities(capabilities.clone()).connect(&driver.url).await {
            Ok(client) => return client,
            Err(error) => last = Some(error),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no browser starts: {last:?}. Install it: apt-get install -y chromium chromium-driver");
}

fn is_wanted() -> bool {
    let is_wanted = std::env::var_os("RETRY_JOURNAL_NO_BROWSER").is_none();
    if !is_wanted {
        // Past what the test harness keeps to itself.
        writeln!(std::io::stderr(), "\nRETRY_JOURNAL_NO_BROWSER is set: the page is NOT tested in a browser").unwrap();
    }
    is_wanted
}

fn pictures() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

async fn picture(browser: &Client, name: &str) {
    let bytes = browser.screenshot().await.unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    std::fs::write(pictures().join(format!("{name}.png")), bytes).unwrap();
}

/// Waits until this element of the page has this text. A click is answered before the next page is there.
async fn reads(browser: &Client, selector: &str, wanted: &str) {
    let mut last = String::new();
    for _ in 0..200 {
        let script = "return document.querySelector(arguments[0])?.innerText ?? 'nothing'";
        // While the page changes there is nobody to answer.
        if let Ok(text) = browser.execute(script, vec![json!(selector)]).await {
            last = text.as_str().unwrap().to_owned();
            if last.contains(wanted) {
                return;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{selector} is {last}, not {wanted}");
}

async fn fill(browser: &Client, choice: &str, fields: &[(&str, &str)]) {
    browser.find(Locator::Css(&format!("#{choice} summary"))).await.unwrap().click().await.unwrap();
    for (name, value) in fields {
        let field = browser.find(Locator::Css(&format!("#{choice} [name={name}]"))).await.unwrap();
        field.send_keys(value).await.unwrap();
    }
}

async fn press(browser: &Client, choice: &str) {
    browser.find(Locator::Css(&format!("#{choice} button"))).await.unwrap().click().await.unwrap();
}

const SIGNED: [(&str, &str); 2] = [("name", "Ada"), ("note", "looked at the portal")];

#[tokio::test(flavor = "multi_thread")]
async fn a_person_settles_intents_in_a_browser() {
    if !is_wanted() {
        return;
    }
    let driver = Driver::start();
    let desk: Arc<MemoryDesk> = Arc::new(journal());
    let address = serve(&desk, &[]);
    let browser = browser(&driver, 1_280, 1_000, false).await;

    browser.goto(&format!("http://{address}/")).await.unwrap();
    picture(&browser, "queue-wide").await;
    browser.find(Locator::Css("a[href='/intents/2']")).await.unwrap().click().await.unwrap();
    reads(&browser, "h1 .badge", "manual").await;
    picture(&browser, "intent-wide").await;
    assert_eq!(browser.find_all(Locator::Css("ol.story > li")).await.unwrap().len(), 4);

    // Without a record the browser does not even send the form.
    fill(&browser, "adopt", &SIGNED).await;
    press(&browser, "adopt").await;
    let asked =
        browser.execute("return document.activeElement.matches('[name=record]:invalid')", vec![]).await.unwrap();
    assert_eq!((asked, desk.get(2).intent.state.as_str()), (json!(true), "manual"));
    browser.find(Locator::Css("#adopt [name=record]")).await.unwrap().send_keys("4711").await.unwrap();
    picture(&browser, "adopt-wide").await;
    press(&browser, "adopt").await;
    reads(&browser, "h1 .badge", "applied").await;
    reads(&browser, ".news", "adopted").await;
    reads(&browser, "ol.story > li:last-child", "looked at the portal").await;
    picture(&browser, "adopted-wide").await;
    assert_eq!(desk.get(2).intent.state.as_str(), "applied");

    for (number, choice, state) in
        [(6, "reject", "rejected"), (3, "allow-once", "not applied"), (5, "verify", "unknown")]
    {
        browser.goto(&format!("http://{address}/intents/{number}")).await.unwrap();
        fill(&browser, choice, &SIGNED).await;
        press(&browser, choice).await;
        reads(&browser, "h1 .badge", state).await;
        assert_eq!(desk.get(number).intent.state.as_str(), state);
    }

    browser.goto(&format!("http://{address}/intents/7")).await.unwrap();
    fill(&browser, "reject", &SIGNED).await;
    desk.raise_epoch(7);
    press(&browser, "reject").await;
    reads(&browser, ".news", "Nothing was decided").await;
    assert_eq!(desk.get(7).intent.state.as_str(), "sending");
    picture(&browser, "stale-wide").await;
    browser.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_fits_a_phone_runs_no_script_and_opens_with_the_token() {
    if !is_wanted() {
        return;
    }
    let driver = Driver::start();
    let desk = Arc::new(journal());
    desk.suspect("an older copy of the file came back");
    let address = serve(&desk, &["--token", "a-token-of-the-tests"]);
    let browser = browser(&driver, 390, 1_500, true).await;

    browser.goto(&format!("http://{address}/")).await.unwrap();
    picture(&browser, "login-phone").await;
    let field = browser.find(Locator::Css("[name=token]")).await.unwrap();
    field.send_keys("a-token-of-the-tests").await.unwrap();
    browser.find(Locator::Css("main button")).await.unwrap().click().await.unwrap();
    reads(&browser, "h1", "Intents").await;
    for (path, name) in [
        ("/", "queue-phone"),
        ("/intents/2", "intent-phone"),
        ("/intents/5", "evil-phone"),
        ("/intents/99", "none-phone"),
    ] {
        browser.goto(&format!("http://{address}{path}")).await.unwrap();
        let over =
            browser.execute("return document.documentElement.scrollWidth - window.innerWidth", vec![]).await.unwrap();
        assert!(over.as_i64().unwrap() <= 0, "{path} is {over} pixels too wide");
        let scripts = browser.execute("return document.scripts.length", vec![]).await.unwrap();
        assert_eq!(scripts, json!(0), "{path}");
        let unnamed = "return [...document.querySelectorAll('main input:not([type=hidden]), main textarea')]\
                       .filter(field => !field.labels.length && !field.ariaLabel).length";
        assert_eq!(browser.execute(unnamed, vec![]).await.unwrap(), json!(0), "{path}: a field without a label");
        picture(&browser, name).await;
    }
    let dark = browser.execute("return matchMedia('(prefers-color-scheme: dark)').matches", vec![]).await.unwrap();
    assert_eq!(dark, json!(true));
    browser.close().await.unwrap();
}
