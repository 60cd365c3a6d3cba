//! `batch` of REST 2: `cmd` with texts `method?query`, and `halt`.

use serde_json::Value;

use super::references::may_refer;
use super::{Batch, Form, Item, METHOD, MOST};
use crate::crm::text;
use crate::operation::Operation;
use crate::params::Params;
use crate::refusal::Refusal;
use crate::rest2;

/// Reads the commands. A request without any is an empty batch.
pub(crate) fn read(params: &Params) -> Batch {
    let halt = params.values().iter().find(|(name, _)| name.eq_ignore_ascii_case("halt"));
    let halt = halt.and_then(|(_, value)| text(value)).is_some_and(|text| !matches!(text.as_str(), "" | "0"));
    let items = params.commands().into_iter().enumerate().map(|(at, (key, command))| item(at, key, &command));
    Batch { form: Form::Rest2, halt, items: items.collect() }
}

fn item(at: usize, key: String, command: &Value) -> Item {
    let (method, query) = parts(command.as_str().unwrap_or_default());
    let mut params = Params::of_command(&query, &|text| text.into());
    params.take("auth");
    let operation = if at >= MOST {
        Err(Refusal::bad("ERROR_BATCH_LENGTH_EXCEEDED", "Max batch length exceeded"))
    } else if method == METHOD {
        Err(Refusal::new(405, "ERROR_BATCH_METHOD_NOT_ALLOWED", "Method is not allowed for batch usage"))
    } else {
        Ok(Operation::Rest2(rest2::Method::named(&method)))
    };
    let query = may_refer(&query).then_some(query);
    Item { key, method, params, query, operation }
}

/// The method and the query, as PHP's `parse_url` sees them: what follows a `#` is no part of either, and control
/// characters become `_`.
fn parts(command: &str) -> (String, String) {
    let command = command.split('#').next().unwrap_or_default();
    let command: String = command.chars().map(|sign| if sign.is_ascii_control() { '_' } else { sign }).collect();
    let (method, query) = command.split_once('?').unwrap_or((&command, ""));
    let method = method.trim_matches('/').to_ascii_lowercase();
    (method.strip_suffix(".json").unwrap_or(&method).to_owned(), query.to_owned())
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_command_is_a_method_and_its_query() {
        let seen = |command: &str| {
            let (method, query) = parts(command);
            format!("{method} {query}")
        };
        assert_eq!(seen("crm.Deal.add?fields[TITLE]=a?b"), "crm.deal.add fields[TITLE]=a?b");
        assert_eq!(seen("profile"), "profile ");
        assert_eq!(seen("/profile.json?"), "profile ");
        assert_eq!(seen("crm.deal.add?fields[TITLE]=a#b&c=d"), "crm.deal.add fields[TITLE]=a");
        assert_eq!(seen("crm.deal.add?fields[TITLE]=a\nb"), "crm.deal.add fields[TITLE]=a_b");
    }
}
