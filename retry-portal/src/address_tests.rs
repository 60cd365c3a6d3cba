use http::Method as Verb;

use super::{Address, Login, Target, Version};
use crate::secret::Secret;
use crate::vibe::NoRoute;

fn address(path: &str) -> Address {
    Address::of(&Verb::POST, path)
}

#[test]
fn the_method_is_read_whatever_its_case_and_suffix() {
    for path in ["/rest/1/s3cret/crm.Deal.ADD", "/rest/1/s3cret/crm.deal.add.json", "/rest/1/s3cret/crm.deal.add/"] {
        let address = address(path);
        assert_eq!(address.method, "crm.deal.add", "{path}");
        let login = Login::Webhook { user: "1".to_owned(), secret: Secret("s3cret".to_owned()) };
        assert_eq!(address.target, Target::Rest(Version::Two, login));
    }
}

#[test]
fn the_segment_api_means_the_new_version() {
    let login = Login::Webhook { user: "1".to_owned(), secret: Secret("s3cret".to_owned()) };
    let webhook = address("/rest/api/1/s3cret/tasks.task.add");
    assert_eq!(webhook.target, Target::Rest(Version::Three, login));
    assert_eq!((webhook.method.as_str(), webhook.shown.as_str()), ("tasks.task.add", "/rest/api/1/***/tasks.task.add"));
    assert_eq!(address("/rest/api/tasks.task.add").target, Target::Rest(Version::Three, Login::Token));
}

#[test]
fn a_method_alone_is_called_with_a_token() {
    for path in ["/rest/crm.deal.add", "/rest/crm.deal.add.json", "/rest/crm.deal.add/"] {
        let address = address(path);
        assert_eq!(
            (address.method.as_str(), address.target),
            ("crm.deal.add", Target::Rest(Version::Two, Login::Token))
        );
    }
}

#[test]
fn the_secret_is_shown_nowhere() {
    let paths = [
        "/rest/1/s3cret/crm.deal.add",
        "/rest/1/s3cret",
        "/rest/1/s3cret/",
        "//rest/1/s3cret/a/b",
        "/rest/api/1/s3cret/a",
        "/rest/api/1/s3cret",
    ];
    for path in paths {
        let address = address(path);
        assert!(!format!("{address:?}").contains("s3cret"), "{address:?}");
    }
}

#[test]
fn the_gateway_and_the_token_server_have_their_own_paths() {
    let deals = address("/v1/deals");
    assert!(matches!(deals.target, Target::Vibe(Ok(_))));
    assert_eq!(deals.method, "crm.deal.add");
    assert_eq!(address("/v1/deal").target, Target::Vibe(Err(NoRoute::Unknown)));
    for path in ["/oauth/token", "/oauth/token/"] {
        let token = address(path);
        assert_eq!((token.method.as_str(), token.target), ("oauth.token", Target::TokenServer));
    }
    assert_eq!(address("/oauth/authorize/").target, Target::Authorize);
}

#[test]
fn other_paths_go_nowhere() {
    for path in ["", "/", "/rest", "/rest/", "/rest/api/", "*", "/REST/1/a/b", "/v1", "/oauth"] {
        assert_eq!(address(path).target, Target::Nowhere, "{path}");
    }
}
