//! The path of a request: whose webhook it is and which method it names.

/// `/rest/USER/SECRET/METHOD[.json]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// With `***` in the place of the secret.
    pub(crate) shown: String,
    pub(crate) webhook: Option<Webhook>,
    /// In lower case; empty if the path names none.
    pub(crate) method: String,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Webhook {
    pub(crate) user: String,
    pub(crate) secret: String,
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhook").field("user", &self.user).field("secret", &"***").finish()
    }
}

impl Address {
    pub(crate) fn of(path: &str) -> Self {
        let mut parts = path.trim_start_matches('/').splitn(4, '/');
        let (rest, user, secret, method) = (parts.next(), parts.next(), parts.next(), parts.next());
        let (Some("rest"), Some(user), Some(secret)) = (rest, user, secret) else {
            return Self { shown: path.to_owned(), webhook: None, method: String::new() };
        };
        let named = method.unwrap_or("").trim_end_matches('/').to_ascii_lowercase();
        let shown = method.map_or_else(|| format!("/rest/{user}/***"), |method| format!("/rest/{user}/***/{method}"));
        Self {
            shown,
            webhook: Some(Webhook { user: user.to_owned(), secret: secret.to_owned() }),
            method: named.strip_suffix(".json").unwrap_or(&named).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn the_method_is_read_whatever_its_case_and_suffix() {
        for path in ["/rest/1/s3cret/crm.Deal.ADD", "/rest/1/s3cret/crm.deal.add.json", "/rest/1/s3cret/crm.deal.add/"]
        {
            let address = Address::of(path);
            assert_eq!(address.method, "crm.deal.add", "{path}");
            let webhook = address.webhook.expect("a webhook");
            assert_eq!((webhook.user.as_str(), webhook.secret.as_str()), ("1", "s3cret"));
        }
    }

    #[test]
    fn the_secret_is_shown_nowhere() {
        for path in ["/rest/1/s3cret/crm.deal.add", "/rest/1/s3cret", "/rest/1/s3cret/", "//rest/1/s3cret/a/b"] {
            let address = Address::of(path);
            assert!(!format!("{address:?}").contains("s3cret"), "{address:?}");
        }
    }

    #[test]
    fn other_paths_name_no_webhook() {
        for path in ["", "/", "/rest", "/rest/crm.deal.add", "*", "/REST/1/a/b"] {
            assert_eq!(Address::of(path).webhook, None, "{path}");
        }
    }
}
