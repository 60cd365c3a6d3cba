//! `/oauth/authorize/`: the user lets the application in at once.

use form_urlencoded::Serializer;

use super::Tokens;
use crate::crm::text;
use crate::params::Params;
use crate::refusal::Refusal;
use crate::reply::Page;
use crate::shape::Shape;
use crate::state::Settings;

/// Sends the browser on to `redirect_uri` with a code; without one, shows the code, as for an application that has no
/// address.
pub(crate) fn authorize(tokens: &mut Tokens, settings: &Settings, params: &Params) -> Page {
    let given = |name: &str| params.get(name).and_then(text).filter(|text| !text.is_empty());
    if given("client_id").as_deref() != Some(tokens.client_id.as_str()) {
        let refusal = Refusal::bad("invalid_client", "The application is not installed on this portal");
        return Page::json(refusal.status, &Shape::Flat.body(&refusal));
    }
    let code = tokens.code(settings.user, settings.clock).0;
    let Some(redirect) = given("redirect_uri") else { return Page::text(200, &format!("{code}\n")) };
    let mut query = Serializer::new(String::new());
    query.append_pair("code", &code);
    for (name, value) in [("state", given("state")), ("domain", Some(settings.host.clone()))] {
        if let Some(value) = value {
            query.append_pair(name, &value);
        }
    }
    query
        .append_pair("member_id", super::MEMBER)
        .append_pair("scope", "crm,task")
        .append_pair("server_domain", "oauth.bitrix.info");
    let sign = if redirect.contains('?') { '&' } else { '?' };
    let mut page = Page::empty(302);
    page.headers.push(("Location".to_owned(), format!("{redirect}{sign}{}", query.finish())));
    page
}
