//! The portal's side: a process that tells what is applied.

use std::io::{Read as _, stdin};
use std::net::SocketAddr;
use std::time::Duration;

use retry_portal::Portal;
use tokio::process::Command;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::network::PORTAL;

const IS_THE_PORTAL: &str = "LATE_LANDING_IS_THE_PORTAL";
pub(crate) const SECRET: &str = "s3cretOfTheTest01";
/// Nothing else listens in the namespace.
pub(crate) const PORT: u16 = 8080;

pub(crate) const LISTENS: &str = "the portal listens";
pub(crate) const APPLIED: &str = "a deal is applied";

/// Makes the command start this side.
pub(crate) fn set(command: &mut Command) {
    command.args(["portal::tells_what_is_applied", "--exact", "--ignored", "--nocapture"]).env(IS_THE_PORTAL, "1");
}

#[ignore = "the portal of the stories, started by them as a process of its own"]
#[tokio::test]
async fn tells_what_is_applied() {
    assert!(std::env::var_os(IS_THE_PORTAL).is_some(), "it is started by the other tests");
    let address = SocketAddr::new(PORTAL.parse().unwrap(), PORT);
    let portal = Portal::builder().listen(address).secret(SECRET).start().await.unwrap();
    // The harness may have begun the line.
    println!("\n{LISTENS}");
    tokio::select! {
        () = tell(&portal) => {}
        // The pipe ends with the test, however that ends.
        _ = spawn_blocking(|| stdin().read_to_end(&mut Vec::new())) => {}
    }
}

async fn tell(portal: &Portal) {
    let mut told = 0;
    loop {
        let deals = portal.records("deal").len();
        for _ in told..deals {
            println!("{APPLIED}");
        }
        told = deals;
        sleep(Duration::from_millis(10)).await;
    }
}
