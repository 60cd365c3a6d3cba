//! What 500 stubs cost the compiler beside the same functions by hand.
//!
//! `cargo bench --bench stub_cost` writes two crates below the target directory, checks each once so that all dependencies are built, and then checks them in
//! turns. It prints the median of the paired ratios of the time of `cargo check`: what slows the machine down slows both of a pair.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tokio::time::Instant;

const STUBS: usize = 500;
const PAIRS: usize = 9;

/// What both crates share: the types of arguments and rows.
const TYPES: &str = r#"
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
pub struct NewDeal { #[serde(rename = "TITLE")] pub title: String, #[serde(rename = "ORIGIN_ID")] pub origin: String }

#[derive(Serialize)]
pub struct Filter<'a> { #[serde(rename = "ORIGIN_ID")] pub origin: &'a str }

#[derive(Deserialize)]
pub struct Row { #[serde(rename = "ID")] pub id: u64, #[serde(rename = "ORIGIN_ID")] pub origin: Option<String> }
"#;

fn generated() -> String {
    let mut code = format!(
        "{TYPES}
use retry_runtime::{{CallError, Client, Page, ReadBack, Reader, bitrix_method}};

pub async fn find(reader: &Reader, fields: &NewDeal) -> Result<ReadBack<u64>, CallError> {{
    let page = list_0(reader, &Filter {{ origin: &fields.origin }}, &[\"ID\"]).await?;
    Ok(ReadBack::by_key(page, |row| (row.origin.as_ref() == Some(&fields.origin)).then_some(row.id)))
}}
"
    );
    for number in 0..STUBS / 2 {
        let _ = write!(
            code,
            "
#[bitrix_method(name = \"crm.deal.list\", kind = read)]
pub async fn list_{number}(reader: &Reader, filter: &Filter<'_>, select: &[&str]) -> Result<Page<Row>, CallError>;

#[bitrix_method(name = \"crm.deal.add\", kind = write, verify = find)]
pub async fn add_{number}(client: &Client, fields: &NewDeal) -> Result<u64, CallError>;
"
        );
    }
    code
}

fn by_hand() -> String {
    let mut code = format!(
        "{TYPES}
use reqwest::Client;

#[derive(Debug)]
pub enum Error {{ Http(reqwest::Error), Json(serde_json::Error), Code(String) }}

#[derive(Deserialize)]
pub struct Envelope<T> {{ result: Option<T>, error: Option<String> }}

impl<T> Envelope<T> {{
    fn opened(self) -> Result<T, Error> {{
        self.result.ok_or_else(|| Error::Code(self.error.unwrap_or_default()))
    }}
}}
"
    );
    for number in 0..STUBS / 2 {
        for (name, arguments, body, result) in [
            ("list", "filter: &Filter<'_>, select: &[&str]", "\"filter\": filter, \"select\": select", "Vec<Row>"),
            ("add", "fields: &NewDeal", "\"fields\": fields", "u64"),
        ] {
            let _ = write!(
                code,
                "
pub async fn {name}_{number}(client: &Client, base: &str, {arguments}) -> Result<{result}, Error> {{
    let arguments = serde_json::json!({{{body}}});
    let answer = client.post(format!(\"{{base}}crm.deal.{name}\")).json(&arguments).send().await.map_err(Error::Http)?;
    let body = answer.bytes().await.map_err(Error::Http)?;
    serde_json::from_slice::<Envelope<{result}>>(&body).map_err(Error::Json)?.opened()
}}
"
            );
        }
    }
    code
}

/// Writes a crate with this code.
fn write_crate(home: &Path, name: &str, code: &str) -> Result<PathBuf, Box<dyn Error>> {
    let root = env!("CARGO_MANIFEST_DIR");
    let folder = home.join(name);
    fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         retry-runtime = {{ path = {:?} }}\nreqwest = {{ version = \"0.13\", default-features = false, features = [\"json\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n",
        format!("{root}/retry-runtime")
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), code)?;
    fs::copy(format!("{root}/Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

/// The time of one `cargo check` of a crate whose dependencies are built.
#[expect(clippy::disallowed_methods, reason = "it measures the machine")]
fn check(folder: &Path, home: &Path) -> Result<Duration, Box<dyn Error>> {
    let code = folder.join("src/lib.rs");
    fs::write(&code, fs::read(&code)?)?;
    let start = Instant::now();
    let mut cargo = Command::new(env!("CARGO"));
    let run =
        cargo.args(["check", "--quiet"]).current_dir(folder).env("CARGO_TARGET_DIR", home.join("target")).output()?;
    let time = start.elapsed();
    if run.status.success() { Ok(time) } else { Err(String::from_utf8_lossy(&run.stderr).into()) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stub-cost");
    let stubs = write_crate(&home, "stubs", &generated())?;
    let hand = write_crate(&home, "by-hand", &by_hand())?;
    check(&stubs, &home)?;
    check(&hand, &home)?;
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let (generated, by_hand) = (check(&stubs, &home)?, check(&hand, &home)?);
        let ratio = generated.as_secs_f64() / by_hand.as_secs_f64();
        println!("{STUBS} stubs {generated:>10.2?}   by hand {by_hand:>10.2?}   ratio {ratio:.2}");
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median ratio {:.2}", ratios[PAIRS / 2]);
    Ok(())
}
