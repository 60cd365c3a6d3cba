//! The URL of an inbound webhook, taken apart.

use percent_encoding::percent_decode_str;
use url::Url;

use crate::secret::stays_secret;

/// What is wrong with a webhook URL. The secret is never part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// It does not parse at all.
    #[error("the webhook URL is not a URL: it should look like https://PORTAL/rest/USER/SECRET/")]
    NotAUrl,
    /// The scheme is not `https`, nor `http` to this very machine.
    #[error("the webhook URL must begin with https:// (http:// goes to a loopback address only)")]
    Scheme,
    /// There is a user or password before the host.
    #[error("the webhook URL must not carry a user or password before its host")]
    UserInfo,
    /// There is a query or fragment.
    #[error("the webhook URL must end after the secret: remove what follows `?` or `#`")]
    Query,
    /// The path does not begin with `/rest/`.
    #[error("the path of the webhook URL must begin with /rest/: https://PORTAL/rest/USER/SECRET/")]
    Path,
    /// The user is not a number.
    #[error("the part of the webhook URL after /rest/ must be the number of a user")]
    User,
    /// The secret is missing.
    #[error("the secret is missing in the webhook URL: https://PORTAL/rest/USER/SECRET/")]
    NoSecret,
    /// Something follows the secret.
    #[error("the webhook URL must end after the secret: remove the method or whatever follows it")]
    Rest,
}

pub(super) struct Webhook {
    /// The portal's address, `https://PORTAL/rest/`.
    pub(super) portal: Url,
    /// The path below it, `USER/SECRET/`.
    pub(super) user: String,
    /// The secret as it is, and as the URL spells it.
    pub(super) secret: String,
    pub(super) spelling: String,
}

/// Takes a webhook's URL apart, in its REST 2 form or its REST 3.0 form (`/rest/api/USER/SECRET/`).
pub(super) fn parse(text: &str) -> Result<Webhook, WebhookError> {
    let mut portal = Url::parse(text.trim()).map_err(|_| WebhookError::NotAUrl)?;
    if !stays_secret(&portal) {
        return Err(WebhookError::Scheme);
    }
    if !portal.username().is_empty() || portal.password().is_some() {
        return Err(WebhookError::UserInfo);
    }
    if portal.query().is_some() || portal.fragment().is_some() {
        return Err(WebhookError::Query);
    }
    let (user, spelling) = user_and_secret(&portal)?;
    portal.set_path("/rest/");
    let secret = percent_decode_str(&spelling).decode_utf8_lossy().into_owned();
    Ok(Webhook { portal, user: format!("{user}/{spelling}/"), secret, spelling })
}

fn user_and_secret(url: &Url) -> Result<(String, String), WebhookError> {
    let mut segments = url.path_segments().ok_or(WebhookError::Path)?.peekable();
    if segments.next() != Some("rest") {
        return Err(WebhookError::Path);
    }
    let _ = segments.next_if_eq(&"api");
    let user = segments.next().unwrap_or_default();
    if user.is_empty() || !user.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(WebhookError::User);
    }
    let secret = segments.next().unwrap_or_default();
    if secret.is_empty() {
        return Err(WebhookError::NoSecret);
    }
    if segments.any(|rest| !rest.is_empty()) {
        return Err(WebhookError::Rest);
    }
    Ok((user.to_owned(), secret.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> WebhookError {
        let error = parse(text).map(|_| ()).unwrap_err();
        assert!(!error.to_string().contains("s3cr3t"), "the secret shows: {error}");
        error
    }

    #[test]
    fn a_webhook_reads_with_and_without_its_last_slash() {
        for text in [
            "https://a.bitrix24.com/rest/1/s3cr3t/",
            " https://a.bitrix24.com/rest/1/s3cr3t",
            "https://a.bitrix24.com/rest/api/1/s3cr3t/",
            "http://127.0.0.1:80/rest/1/s3cr3t/",
            "http://[::1]/rest/1/s3cr3t/",
            "http://localhost/rest/1/s3cr3t",
        ] {
            let webhook = parse(text).unwrap();
            assert_eq!(webhook.secret, "s3cr3t");
            assert_eq!((webhook.portal.path(), webhook.user.as_str()), ("/rest/", "1/s3cr3t/"));
        }
    }

    #[test]
    fn p7_a_malformed_webhook_names_the_part_and_not_the_secret() {
        assert_eq!(wrong("s3cr3t"), WebhookError::NotAUrl);
        assert_eq!(wrong("http://a.bitrix24.com/rest/1/s3cr3t/"), WebhookError::Scheme);
        assert_eq!(wrong("ftp://a.bitrix24.com/rest/1/s3cr3t/"), WebhookError::Scheme);
        assert_eq!(wrong("https://u:s3cr3t@a.bitrix24.com/rest/1/s3cr3t/"), WebhookError::UserInfo);
        assert_eq!(wrong("https://a.bitrix24.com/rest/1/s3cr3t/?auth=s3cr3t"), WebhookError::Query);
        assert_eq!(wrong("https://a.bitrix24.com/1/s3cr3t/"), WebhookError::Path);
        assert_eq!(wrong("https://a.bitrix24.com/rest/s3cr3t/"), WebhookError::User);
        assert_eq!(wrong("https://a.bitrix24.com/rest/1/"), WebhookError::NoSecret);
        assert_eq!(wrong("https://a.bitrix24.com/rest/1/s3cr3t/crm.deal.add"), WebhookError::Rest);
    }
}
