//! Where a record is on the portal, for the browser.

use retry_runtime::journal::{Intent, State};
use serde_json::Value;

/// The record that an applied intent made or changed, if its result or its arguments tell.
pub(crate) fn record(intent: &Intent) -> Option<String> {
    let State::Applied { result, .. } = &intent.state else { return None };
    let result: Value = serde_json::from_slice(result).unwrap_or(Value::Null);
    let of_result = match &result {
        Value::Number(_) | Value::String(_) => id(&result),
        Value::Object(object) => ["item", "task"]
            .iter()
            .find_map(|name| object.get(*name))
            .and_then(Value::as_object)
            .or(Some(object))
            .and_then(|object| ["id", "ID"].iter().find_map(|name| object.get(*name)).and_then(id)),
        Value::Null | Value::Bool(_) | Value::Array(_) => None,
    };
    of_result.or_else(|| ["id", "ID", "taskId"].iter().find_map(|name| argument(intent, name)))
}

/// The address of a record of this intent's kind, where the method tells which card it is and the portal is one on the internet.
pub(crate) fn to(intent: &Intent, record: &str) -> Option<String> {
    if record.is_empty() || !record.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let host = https_host(&intent.id.portal)?;
    let (family, action) = intent.id.method.rsplit_once('.')?;
    if action.is_empty() {
        return None;
    }
    let path = match family {
        "crm.deal" | "crm.lead" | "crm.contact" | "crm.company" => card(family.strip_prefix("crm.")?, record),
        "crm.item" => match argument(intent, "entityTypeId")?.as_str() {
            "1" => card("lead", record),
            "2" => card("deal", record),
            "3" => card("contact", record),
            "4" => card("company", record),
            other => format!("/crm/type/{other}/details/{record}/"),
        },
        "tasks.task" => format!("/company/personal/user/0/tasks/task/view/{record}/"),
        _ => return None,
    };
    Some(format!("https://{host}{path}"))
}

fn card(entity: &str, record: &str) -> String {
    format!("/crm/{entity}/details/{record}/")
}

/// The host, if it is a name with a dot that is called at the port of https. Behind the gateway the text is more than that, and no card is known.
fn https_host(portal: &str) -> Option<&str> {
    let host = portal.strip_suffix(":443").unwrap_or(portal);
    let is_name = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
    let (_, last) = host.rsplit_once('.')?;
    let is_portal = is_name && !host.starts_with("vibecode.") && last.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_portal.then_some(host)
}

fn argument(intent: &Intent, name: &str) -> Option<String> {
    let arguments: Value = serde_json::from_slice(intent.arguments.as_ref()?).ok()?;
    id(arguments.get(name)?)
}

/// A number, as a number or a text.
fn id(value: &Value) -> Option<String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let is_id = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then_some(text)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use retry_runtime::journal::How;

    use super::*;
    use crate::tool::sample;

    fn link(portal: &str, method: &str, arguments: &'static str, result: &'static str) -> Option<String> {
        let mut intent = sample::intent(1, method, "ORDER-1");
        intent.id.portal = portal.into();
        intent.arguments = Some(Bytes::from_static(arguments.as_bytes()));
        intent.state = State::Applied { how: How::Answer, result: Bytes::from_static(result.as_bytes()) };
        to(&intent, &record(&intent)?)
    }

    #[test]
    fn a_record_of_a_known_card_has_a_link() {
        for (method, arguments, result, path) in [
            ("crm.deal.add", "{}", "17", "/crm/deal/details/17/"),
            ("crm.lead.add", "{}", "\"17\"", "/crm/lead/details/17/"),
            ("crm.contact.update", r#"{"id":17}"#, "true", "/crm/contact/details/17/"),
            ("crm.company.add", "{}", "17", "/crm/company/details/17/"),
            ("crm.item.add", r#"{"entityTypeId":2}"#, r#"{"item":{"id":17}}"#, "/crm/deal/details/17/"),
            ("crm.item.add", r#"{"entityTypeId":"1036"}"#, r#"{"item":{"id":17}}"#, "/crm/type/1036/details/17/"),
            ("tasks.task.add", "{}", r#"{"task":{"id":"17"}}"#, "/company/personal/user/0/tasks/task/view/17/"),
        ] {
            for portal in ["acme.bitrix24.com:443", "acme.bitrix24.com"] {
                let expected = Some(format!("https://acme.bitrix24.com{path}"));
                assert_eq!(link(portal, method, arguments, result), expected, "{portal} {method}");
            }
        }
    }

    #[test]
    fn nothing_else_has_one() {
        for (portal, method, result) in [
            ("127.0.0.1:8080", "crm.deal.add", "17"),
            ("127.0.0.1", "crm.deal.add", "17"),
            ("localhost", "crm.deal.add", "17"),
            ("vibecode.bitrix24.tech:443 key 0123456789ab", "crm.deal.add", "17"),
            ("acme.bitrix24.com:80", "crm.deal.add", "17"),
            ("10.0.0.1:443", "crm.deal.add", "17"),
            ("[::1]:443", "crm.deal.add", "17"),
            ("intranet:443", "crm.deal.add", "17"),
            ("vibecode.bitrix24.tech", "crm.deal.add", "17"),
            ("evil.com/x?.bitrix24.com", "crm.deal.add", "17"),
            ("acme.bitrix24.com", "crm.deal.add", "\"1/../../x\""),
            ("acme.bitrix24.com", "crm.deal.add", "true"),
            ("acme.bitrix24.com", "crm.deal.add", "no json"),
            ("acme.bitrix24.com", "crm.deal.productrows.set", "17"),
            ("acme.bitrix24.com", "im.message.add", "17"),
            ("acme.bitrix24.com", "crm.item.add", "17"),
        ] {
            assert_eq!(link(portal, method, "{}", result), None, "{portal} {method} {result}");
        }
    }
}
