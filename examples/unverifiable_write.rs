//! A chat message has no key by which it could be found again. When its answer is lost, the call stops, and a person decides.
//!
//! `cargo run --example unverifiable_write`

use std::error::Error;

use retry_portal::{Answer, Fault, Portal};
use retry_runtime::{CallError, Client, Effect, Id, bitrix_method};

/// Writes into a chat.
#[bitrix_method(
    name = "im.message.add",
    kind = write,
    unverifiable = "a message has no field for a key of ours, and two equal texts may both be meant"
)]
async fn say(
    client: &Client,
    #[param(name = "DIALOG_ID")] dialog: &str,
    #[param(name = "MESSAGE")] message: &str,
) -> Result<Id, CallError>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let portal = Portal::builder().start().await?;
    let client = Client::webhook(&portal.webhook_url())?;

    // Refused before it ran, by the rate limit: sending again is safe, so that happens.
    let limit = retry_portal::Coded::new(503, "QUERY_LIMIT_EXCEEDED");
    portal.script("im.message.add", [Fault::never(Answer::Coded(limit))]);
    let id = say(&client, "chat17", "Order 1017 is on its way").await?;
    println!("message {id} is there, after {} requests\n", portal.count("im.message.add"));

    // The message is in the chat, its answer is not with us. Sending again would write it twice.
    portal.script("im.message.add", [Fault::before(Answer::Close)]);
    let Err(error) = say(&client, "chat17", "Order 1017 has arrived").await else {
        return Err("the answer was to be lost".into());
    };
    match error.effect() {
        Effect::Absent => println!("it was not written: say it again whenever you like"),
        Effect::Present => println!("it was written"),
        Effect::Unknown => {
            println!("nobody can tell from here whether it was written. What a person gets:\n\n{error}\n");
        }
    }
    // Errors print no personal data. What was sent is there for the person who has to look.
    println!("the request: {}", String::from_utf8_lossy(error.report().request()));

    let texts: Vec<_> = portal.records("message").iter().filter_map(|m| m.text("MESSAGE").map(str::to_owned)).collect();
    println!("in the chat: {texts:?}");
    Ok(())
}
