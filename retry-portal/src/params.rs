//! Parameters: JSON, form and query string become one kind of value.

use serde_json::{Map, Value};

use crate::ordered;

/// PHP takes no more levels either.
const DEPTH: usize = 64;

/// The parameters of a request.
#[derive(Debug, Default, Clone)]
pub(crate) struct Params {
    values: Map<String, Value>,
    /// `order` with its fields in the order in which they came: a map of `serde_json` sorts them. (Its feature that
    /// does not would change the JSON of everybody who tests with this crate.)
    order: Vec<(String, Value)>,
    /// The same for `sort`, which is the gateway's other name for it.
    sort: Vec<(String, Value)>,
    /// Whether the body was a JSON list.
    list: bool,
}

impl Params {
    /// Those of the body win over those of the query string, as in PHP's `$_REQUEST`.
    ///
    /// A body that cannot be read has no parameters: the method then complains about what it misses, as on the cloud.
    pub(crate) fn decode(query: &str, content_type: &str, body: &[u8]) -> Self {
        let mut params = form(query.as_bytes());
        let mime = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
        let looks_like_json = first.is_some_and(|byte| matches!(byte, b'{' | b'['));
        let as_json = mime.ends_with("json") || (mime != "application/x-www-form-urlencoded" && looks_like_json);
        let body = if as_json { json(body) } else { form(body) };
        params.values.extend(body.values);
        if !body.order.is_empty() {
            params.order = body.order;
        }
        if !body.sort.is_empty() {
            params.sort = body.sort;
        }
        params.list = body.list;
        params
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
    Params { order: member(is_order), sort: member(is_sort), list, values }
}

/// A form with PHP's nested keys: `fields[TITLE]=x`, `select[]=ID`.
fn form(text: &[u8]) -> Params {
    let mut root = Node::default();
    for (key, value) in form_urlencoded::parse(text) {
        let path = path_of(&key);
        if !path.is_empty() && path.len() <= DEPTH {
            root.put(&path, &value);
        }
    }
    let mut params = Params::default();
    for (name, tree) in root.children {
        if let Tree::Node(node) = &tree
            && (is_order(&name) || is_sort(&name))
        {
            let fields = node.children.iter().map(|(field, tree)| (field.clone(), tree.clone().value())).collect();
            *(if is_order(&name) { &mut params.order } else { &mut params.sort }) = fields;
        }
        params.values.insert(name, tree.value());
    }
    params
}

/// `a[b][]` is `a`, `b` and an empty name, which stands for the next number.
fn path_of(key: &str) -> Vec<String> {
    let Some((first, mut rest)) = key.split_once('[') else {
        return if key.is_empty() { Vec::new() } else { vec![key.to_owned()] };
    };
    if first.is_empty() {
        return vec![key.to_owned()];
    }
    let mut path = vec![first.to_owned()];
    while let Some((name, after)) = rest.split_once(']') {
        path.push(name.to_owned());
        match after.strip_prefix('[') {
            Some(next) => rest = next,
            None => return path,
        }
    }
    path
}

#[derive(Debug, Default, Clone)]
struct Node {
    children: Vec<(String, Tree)>,
    next: u64,
}

#[derive(Debug, Clone)]
enum Tree {
    Leaf(String),
    Node(Node),
}

impl Node {
    fn put(&mut self, path: &[String], value: &str) {
        let Some((name, rest)) = path.split_first() else { return };
        let name = if name.is_empty() { self.next.to_string() } else { name.clone() };
        if let Ok(number) = name.parse::<u64>() {
            self.next = self.next.max(number.saturating_add(1));
        }
        let at = self.children.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            self.children.push((name, Tree::Leaf(String::new())));
            self.children.len() - 1
        });
        let Some((_, child)) = self.children.get_mut(at) else { return };
        if rest.is_empty() {
            *child = Tree::Leaf(value.to_owned());
            return;
        }
        // As in PHP, the later form of a name wins: `a=1&a[b]=2` is `{"b": "2"}`.
        if matches!(child, Tree::Leaf(_)) {
            *child = Tree::Node(Self::default());
        }
        if let Tree::Node(node) = child {
            node.put(rest, value);
        }
    }
}

impl Tree {
    /// An object, or a list where the names are 0, 1, 2 in this order.
    fn value(self) -> Value {
        match self {
            Self::Leaf(text) => text.into(),
            Self::Node(node) => {
                let list = node.children.iter().enumerate().all(|(at, (name, _))| *name == at.to_string());
                if list {
                    node.children.into_iter().map(|(_, tree)| tree.value()).collect()
                } else {
                    Value::Object(node.children.into_iter().map(|(name, tree)| (name, tree.value())).collect())
                }
            }
        }
    }
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
