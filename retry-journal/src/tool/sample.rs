//! An intent for the tests of this module.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use retry_runtime::journal::{Digest, Epoch, Intent, IntentId, State};
use retry_runtime::transport::Version;

pub(crate) fn intent(number: u64, method: &str, key: &str) -> Intent {
    let began = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    Intent {
        number,
        id: IntentId { portal: "acme.bitrix24.com:443".into(), method: method.into(), key: key.into() },
        stub: "shop::add_deal".into(),
        version: Version::Two,
        arguments: Some(Bytes::from_static(b"{}")),
        digest: Digest::of(b"{}"),
        idempotency_key: None,
        state: State::Manual { why: "two deals carry this key".into() },
        attempt: 1,
        epoch: Epoch(3),
        owner: None,
        began,
        sent: began,
        closed: Some(began),
    }
}
