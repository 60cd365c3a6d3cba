//! Addresses to which a secret may be sent.

use url::Url;

use super::error::TokenError;
use crate::secret::stays_secret;

/// Reads an address that secrets go to. The error names it by `what` and does not show it, as it may hold a secret.
pub(super) fn for_secrets(what: &'static str, text: &str) -> Result<Url, TokenError> {
    let wrong = |wrong| TokenError::Address { what, wrong };
    let url = Url::parse(text.trim()).map_err(|_| wrong("is not a URL"))?;
    if !stays_secret(&url) {
        return Err(wrong("must begin with https:// (http:// goes to a loopback address only)"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("must not carry a user or password before its host"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("must end before `?` or `#`"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_a_secret_goes_under_tls_or_stays_on_the_machine() {
        for good in ["https://a.bitrix24.com/rest/", "http://127.0.0.1:80/x", "http://[::1]/", "http://localhost/"] {
            assert!(for_secrets("address", good).is_ok(), "{good}");
        }
        for bad in [
            "s3cr3t",
            "http://a.bitrix24.com/s3cr3t",
            "ftp://localhost/s3cr3t",
            "https://u:s3cr3t@a.bitrix24.com/",
            "https://a.bitrix24.com/?auth=s3cr3t",
            "https://a.bitrix24.com/#s3cr3t",
        ] {
            let error = for_secrets("address", bad).unwrap_err().to_string();
            assert!(error.starts_with("the address ") && !error.contains("s3cr3t"), "{error}");
        }
    }
}
