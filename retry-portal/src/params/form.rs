//! Forms and query strings, read as PHP's `parse_str` reads them.

use serde_json::Value;

/// PHP takes no more levels either.
const DEPTH: usize = 64;

/// The names at one level, in the order in which they first came.
#[derive(Debug, Default, Clone)]
pub(super) struct Node {
    pub(super) children: Vec<(String, Tree)>,
    next: u64,
}

#[derive(Debug, Clone)]
pub(super) enum Tree {
    Leaf(String),
    Node(Node),
}

/// Reads a form with nested keys: `fields[TITLE]=x`, `select[]=ID`.
pub(super) fn parse(text: &[u8]) -> Node {
    let mut root = Node::default();
    for (key, value) in form_urlencoded::parse(text) {
        let path = path_of(&key);
        if !path.is_empty() && path.len() <= DEPTH + 1 {
            root.put(&path, &value);
        }
    }
    root
}

/// `a[b][]` is `a`, `b` and an empty name, which stands for the next number.
///
/// Spaces before the first name are dropped, spaces and dots in it become `_`, and so does its bracket if that is never
/// closed. What follows a `]` and is no whole `[…]` is left out.
fn path_of(key: &str) -> Vec<String> {
    let key = key.trim_start_matches(' ');
    let plain = |name: &str| name.replace([' ', '.'], "_");
    let Some((first, mut rest)) = key.split_once('[') else {
        return if key.is_empty() { Vec::new() } else { vec![plain(key)] };
    };
    if first.is_empty() {
        return Vec::new();
    }
    let mut path = vec![plain(first)];
    loop {
        let Some((name, after)) = rest.split_once(']') else {
            if let [only] = path.as_mut_slice() {
                only.push('_');
                only.push_str(&rest.replace([' ', '.', '['], "_"));
            }
            return path;
        };
        path.push(if name.trim_start().is_empty() { String::new() } else { name.to_owned() });
        match after.strip_prefix('[') {
            Some(next) => rest = next,
            None => return path,
        }
    }
}

/// A name that PHP keeps as a number.
fn number(name: &str) -> Option<u64> {
    let canonical = name == "0" || !name.starts_with(['0', '+']);
    name.parse().ok().filter(|_| canonical)
}

impl Node {
    fn put(&mut self, path: &[String], value: &str) {
        let Some((name, rest)) = path.split_first() else { return };
        let name = if name.is_empty() { self.next.to_string() } else { name.clone() };
        if let Some(number) = number(&name) {
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
    /// An object, or a list where the names are 0, 1, 2 in this order; `leaf` makes the values of the texts.
    pub(super) fn value(&self, leaf: &dyn Fn(&str) -> Value) -> Value {
        match self {
            Self::Leaf(text) => leaf(text),
            Self::Node(node) => {
                let list = node.children.iter().enumerate().all(|(at, (name, _))| *name == at.to_string());
                if list {
                    node.children.iter().map(|(_, tree)| tree.value(leaf)).collect()
                } else {
                    Value::Object(node.children.iter().map(|(name, tree)| (name.clone(), tree.value(leaf))).collect())
                }
            }
        }
    }
}
