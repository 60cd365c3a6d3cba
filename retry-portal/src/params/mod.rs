//! Parameters: JSON, form and query string become one kind of value.

mod form;

use serde_json::{Map, Value};

use self::form::Tree;
use crate::ordered;

/// The parameters of a request.
#[derive(Debug, Default, Clone)]
pub(crate) struct Params {
    values: Map<String, Value>,
    /// `order` with its fields in the order in which they came: a map of `serde_json` sorts them. (Its feature that
    /// does not would change the JSON of everybody who tests with this crate.)
    order: Vec<(String, Value)>,
    /// The same for `sort`, which is the gateway's other name for it.
    sort: Vec<(String, Value)>,
    /// The same for the commands of a batch.
    cmd: Vec<(String, Value)>,
    /// Whether the body was a JSON list.
    list: bool,
}

impl Params {
    /// Those of the body win over those of the query string, as in PHP's `$_REQUEST`.
    ///
    /// A body that cannot be read has no parameters: the method then complains about what it misses, as on the cloud.
    pub(crate) fn decode(query: &str, content_type: &str, body: &[u8]) -> Self {
        let text = |text: &str| text.into();
        let mut params = form(query.as_bytes(), &text);
        let mime = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
        let looks_like_json = first.is_some_and(|byte| matches!(byte, b'{' | b'['));
        let as_json = mime.ends_with("json") || (mime != "application/x-www-form-urlencoded" && looks_like_json);
        let body = if as_json { json(body) } else { form(body, &text) };
        if !body.order.is_empty() {
            params.order = body.order;
        }
        if !body.sort.is_empty() {
            params.sort = body.sort;
        }
        if body.values.keys().any(|name| is_cmd(name)) {
            params.cmd = body.cmd;
        }
        params.values.extend(body.values);
        params.list = body.list;
        params
    }

    /// The query of a command in a batch; `leaf` makes the values of its texts.
    pub(crate) fn of_command(query: &str, leaf: &dyn Fn(&str) -> Value) -> Self {
        form(query.as_bytes(), leaf)
    }

    /// Parameters that have been read already.
    pub(crate) fn of(values: Map<String, Value>) -> Self {
        let members = |wanted: fn(&str) -> bool| {
            let found = values.iter().find(|(name, _)| wanted(name)).and_then(|(_, value)| value.as_object());
            found.into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        Self { order: members(is_order), sort: members(is_sort), cmd: Vec::new(), list: false, values }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// A parameter whose name the old methods take in lower and in upper case.
    pub(crate) fn either(&self, name: &str) -> Option<&Value> {
        self.get(name).or_else(|| self.get(&name.to_ascii_uppercase()))
    }

    /// Takes a parameter out.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.values.remove(name)
    }

    /// Whether the parameters came as a JSON list.
    pub(crate) fn is_list(&self) -> bool {
        self.list
    }

    /// The items of that list, in their order.
    pub(crate) fn listed(&self) -> Vec<Value> {
        (0..).map_while(|at: usize| self.values.get(&at.to_string()).cloned()).collect()
    }

    pub(crate) fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// The fields of `order`, the first one first.
    pub(crate) fn order(&self) -> &[(String, Value)] {
        &self.order
    }

    /// The commands of a batch by their keys, the first one first.
    pub(crate) fn commands(&self) -> Vec<(String, Value)> {
        if !self.cmd.is_empty() {
            // As PHP reads JSON: of two with one name the last one counts, in the place of the first.
            let mut commands: Vec<(String, Value)> = Vec::new();
            for (key, command) in &self.cmd {
                match commands.iter_mut().find(|(known, _)| known == key) {
                    Some((_, known)) => known.clone_from(command),
                    None => commands.push((key.clone(), command.clone())),
                }
            }
            return commands;
        }
        let listed = self.values.iter().find(|(name, _)| is_cmd(name)).and_then(|(_, value)| value.as_array());
        listed.into_iter().flatten().enumerate().map(|(at, command)| (at.to_string(), command.clone())).collect()
    }

    /// The fields of `sort`, the first one first.
    pub(crate) fn sort(&self) -> &[(String, Value)] {
        &self.sort
    }
}

fn is_order(name: &str) -> bool {
    matches!(name, "order" | "ORDER")
}

fn is_sort(name: &str) -> bool {
    name == "sort"
}

fn is_cmd(name: &str) -> bool {
    name.eq_ignore_ascii_case("cmd")
}

fn json(body: &[u8]) -> Params {
    let mut list = false;
    let values = match serde_json::from_slice(body) {
        Ok(Value::Object(map)) => map,
        // Positional parameters.
        Ok(Value::Array(items)) => {
            list = true;
            items.into_iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
        }
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | Err(_) => Map::new(),
    };
    let member = |wanted: fn(&str) -> bool| {
        if values.keys().any(|name| wanted(name)) { ordered::member(body, wanted) } else { Vec::new() }
    };
    Params { order: member(is_order), sort: member(is_sort), cmd: member(is_cmd), list, values }
}

/// A form with PHP's nested keys: `fields[TITLE]=x`, `select[]=ID`.
fn form(text: &[u8], leaf: &dyn Fn(&str) -> Value) -> Params {
    let mut params = Params::default();
    for (name, tree) in form::parse(text).children {
        if let Tree::Node(node) = &tree {
            let members = || node.children.iter().map(|(name, tree)| (name.clone(), tree.value(leaf))).collect();
            if is_order(&name) {
                params.order = members();
            } else if is_sort(&name) {
                params.sort = members();
            } else if is_cmd(&name) {
                params.cmd = members();
            }
        }
        params.values.insert(name, tree.value(leaf));
    }
    params
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Params;

    fn decoded(query: &str, content_type: &str, body: &[u8]) -> serde_json::Map<String, Value> {
        Params::decode(query, content_type, body).values
    }

    fn of_form(body: &str) -> Value {
        Value::Object(decoded("", "application/x-www-form-urlencoded", body.as_bytes()))
    }

    #[test]
    fn nested_keys_of_a_form_become_objects_and_lists() {
        assert_eq!(of_form("fields[TITLE]=a+b%26c&id=7"), json!({"fields": {"TITLE": "a b&c"}, "id": "7"}));
        assert_eq!(of_form("select[]=ID&select[]=TITLE"), json!({"select": ["ID", "TITLE"]}));
        assert_eq!(
            of_form("fields[PHONE][0][VALUE]=%2B7&fields[PHONE][0][VALUE_TYPE]=WORK"),
            json!({"fields": {"PHONE": [{"VALUE": "+7", "VALUE_TYPE": "WORK"}]}})
        );
        assert_eq!(
            of_form("filter[%3E%3DID]=5&filter[%40STAGE_ID][]=NEW"),
            json!({"filter": {">=ID": "5", "@STAGE_ID": ["NEW"]}})
        );
        assert_eq!(of_form("a[2]=x&a[]=y"), json!({"a": {"2": "x", "3": "y"}}));
        assert_eq!(of_form("a=1&a[b]=2"), json!({"a": {"b": "2"}}));
    }

    #[test]
    fn names_are_what_php_makes_of_them() {
        assert_eq!(of_form("a.b c=1&%20d=2"), json!({"a_b_c": "1", "d": "2"}));
        assert_eq!(of_form("a[b.c]=1&a[ d]=2"), json!({"a": {"b.c": "1", " d": "2"}}));
        assert_eq!(of_form("a[b=1"), json!({"a_b": "1"}));
        assert_eq!(of_form("a[b]c[d]=1"), json!({"a": {"b": "1"}}));
        assert_eq!(of_form("[a]=1&=2"), json!({}));
        assert_eq!(of_form("a[007]=x&a[]=y"), json!({"a": {"007": "x", "0": "y"}}));
        assert_eq!(of_form("a[b]=1&a[b]=2"), json!({"a": {"b": "2"}}));
        assert_eq!(of_form("a%5Bb%5D=%D1%8F%26%3D%2B"), json!({"a": {"b": "я&=+"}}));
        assert_eq!(of_form("a&b=%zz"), json!({"a": "", "b": "%zz"}));
    }

    #[test]
    fn the_commands_of_a_batch_keep_their_order() {
        let names = |params: &Params| params.commands().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        let json = br#"{"halt": 0, "cmd": {"z": "profile", "a": "profile", "2": "profile"}}"#;
        assert_eq!(names(&Params::decode("", "application/json", json)), ["z", "a", "2"]);
        let listed = Params::decode("", "application/json", br#"{"CMD": ["a", "b"]}"#);
        assert_eq!(listed.commands(), [("0".to_owned(), json!("a")), ("1".to_owned(), json!("b"))]);
        let form = Params::decode("cmd[z]=profile&cmd[a]=crm.deal.list%3Forder%5BID%5D%3DASC", "", b"");
        assert_eq!(form.commands()[1], ("a".to_owned(), json!("crm.deal.list?order[ID]=ASC")));
        assert_eq!(names(&form), ["z", "a"]);
    }

    #[test]
    fn an_odd_form_is_read_as_far_as_it_goes() {
        for odd in ["", "&&&", "=", "=x", "[]=x", "a[=1", "a]b=1", "a[b=1", "%ff%fe=%", "a[b]c[d]=1"] {
            assert!(of_form(odd).is_object(), "{odd}");
        }
        let deep = format!("a{}=1", "[b]".repeat(100_000));
        assert_eq!(of_form(&deep), json!({}));
    }

    #[test]
    fn json_is_taken_as_json_and_the_body_wins_over_the_query() {
        let params = decoded("id=1&start=50", "application/json; charset=utf-8", br#"{"id":2}"#);
        assert_eq!(Value::Object(params), json!({"id": 2, "start": "50"}));
        assert_eq!(Value::Object(decoded("", "text/plain", b" {\"id\":2}")), json!({"id": 2}));
        assert_eq!(Value::Object(decoded("", "application/json", b"[7,8]")), json!({"0": 7, "1": 8}));
    }

    #[test]
    fn an_unreadable_body_has_no_parameters() {
        for body in ["{", "\u{feff}{}", "null", "\"x\"", &"[".repeat(100_000)] {
            assert_eq!(Value::Object(decoded("", "application/json", body.as_bytes())), json!({}));
        }
    }

    #[test]
    fn the_fields_of_an_order_keep_their_order() {
        let names = |params: Params| params.order().iter().map(|(name, _)| name.clone()).collect::<Vec<String>>();
        let json = br#"{"select": ["ID"], "order": {"TITLE": "ASC", "ID": "DESC", "A": "ASC"}}"#;
        assert_eq!(names(Params::decode("", "application/json", json)), ["TITLE", "ID", "A"]);
        assert_eq!(names(Params::decode("ORDER[TITLE]=ASC&ORDER[ID]=DESC", "", b"")), ["TITLE", "ID"]);
        assert_eq!(names(Params::decode("order[ID]=ASC", "application/json", json)), ["TITLE", "ID", "A"]);
        for none in [&b"{}"[..], br#"{"order": "ID"}"#, br#"{"order": [1, {"a": 1}]}"#, br#"{"order": null}"#] {
            assert_eq!(names(Params::decode("", "application/json", none)), [""; 0]);
        }
    }
}
