//! `profile` and `server.time`.

use serde_json::json;

use crate::clock::{unix_seconds, wall};
use crate::crm::Context;
use crate::dates;
use crate::refusal::Answered;

pub(crate) fn profile(context: &Context<'_>) -> Answered {
    Answered::plain(json!({
        "ID": context.user.to_string(),
        "ADMIN": true,
        "NAME": "Portal",
        "LAST_NAME": "Administrator",
        "PERSONAL_GENDER": "",
        "TIME_ZONE": "",
    }))
}

pub(crate) fn server_time() -> Answered {
    Answered::plain(dates::iso(unix_seconds(wall())))
}
