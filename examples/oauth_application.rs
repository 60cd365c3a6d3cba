//! An OAuth application: the authorisation code, the file of the tokens, and one renewal for all who wait.
//!
//! `cargo run --example oauth_application`

use std::error::Error;
use std::fs;

use retry_portal::Portal;
use retry_runtime::oauth::{Application, FileStore, TokenStore, authorize};
use retry_runtime::{CallError, Client, Reader, bitrix_method};
use serde::Deserialize;
use tokio::task::JoinSet;

/// The user that the token belongs to.
#[bitrix_method(name = "profile", kind = read)]
async fn profile(reader: &Reader) -> Result<Profile, CallError>;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Profile {
    name: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let portal = Portal::builder().no_rate_limit().start().await?;

    // From the registration of the application. A real one needs no `server`: the usual token server is the default.
    let (client_id, client_secret) = portal.oauth_application();
    let application = Application::new(client_id, client_secret).server(&portal.token_url())?;

    // The user has let the application in, and the portal has sent the browser back with a code.
    let code = portal.authorization_code();
    let tokens = authorize(&application, &code).await?;

    // First of all they are kept, in a file that only its owner can read. Other processes may share it.
    let folder = std::env::temp_dir().join(format!("oauth_application-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let file = folder.join("acme.tokens.json");
    FileStore::new(&file).save(tokens.clone()).await?;
    println!("the code gave tokens, which are in a file");

    // A later start of the program needs nothing but the application and the file.
    let client = Client::oauth(application, FileStore::new(&file)).await?;
    println!("hello, {}", profile(&client).await?.name);

    // An hour later the access token has expired, and 20 calls find out at once.
    portal.expire_tokens();
    let before = portal.count("oauth.token");
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let client = client.clone();
        calls.spawn(async move { profile(&client).await });
    }
    while let Some(call) = calls.join_next().await {
        call??;
    }
    println!("20 calls on an expired token: all answered, renewed {} time", portal.count("oauth.token") - before);

    // The new tokens were in the file before any call used them.
    let kept = FileStore::new(&file).load().await?;
    println!("the file holds the new ones: {}", kept.is_some_and(|kept| kept != tokens));
    fs::remove_dir_all(&folder)?;
    Ok(())
}
