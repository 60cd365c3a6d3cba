//! A batch on the scripted portal: its commands in order, each with the step that its method meets.

use retry_runtime::OperationKind;
use retry_runtime::clock::Moment;
use retry_runtime::transport::{Answer, Loss, Request, Version};
use serde_json::{Map, Value, json};

use super::fake::{Fake, SEND_WINDOW, reply};
use super::step::{Reply, Step};
use super::truth::Known;

/// The writes of the tests that travel in batches.
const WRITES: [&str; 1] = ["crm.deal.add"];

/// One command of a batch.
struct Command {
    name: String,
    method: &'static str,
    arguments: Value,
}

impl Fake {
    /// Runs the commands of a batch that has arrived, as many of them as its step says, and answers.
    pub(super) async fn run_batch(
        &self,
        request: &Request,
        number: usize,
        sent: Moment,
        step: Step,
    ) -> Result<Answer, Loss> {
        let commands = commands(request);
        let (mut results, mut errors) = (Map::new(), Map::new());
        let runs = step.runs(commands.len());
        for Command { name, method, arguments } in commands.into_iter().take(runs) {
            let inner = self.truth(|truth| truth.next_step(method));
            let kind = if WRITES.contains(&method) { OperationKind::Write } else { OperationKind::Read };
            let mut command = request.clone();
            (command.method, command.kind, command.arguments) = (method, kind, arguments.to_string().into());
            // What becomes of it is for the envelope to say, unless that brings an answer.
            let told_by = if let Reply::Honest = step.reply { &inner } else { &step };
            let place = self.receive(&command, arguments.clone(), sent, told_by);
            let now = self.elapsed();
            let made = if inner.is_applied() { self.truth(|truth| truth.apply(place, kind, now)) } else { None };
            if let Reply::Code(code) = inner.reply {
                let wait = inner.hint.map(|hint| hint.as_secs());
                let error = json!({"error": code.as_str(), "error_description": inner.text, "retryAfter": wait});
                errors.insert(name, error);
            } else if !matches!(inner.reply, Reply::Missing) {
                results.insert(name, self.truth(|truth| truth.answer(method, &arguments, made, now)));
            }
        }
        if !step.takes.is_zero() {
            tokio::time::sleep(step.takes).await;
        }
        let honest = match request.version {
            Version::Two => json!({"result": or_list(results), "result_error": or_list(errors)}),
            Version::Three => results.into_iter().map(|(_, result)| result).collect(),
        };
        reply(step, &honest, Known::No, number, sent.after(SEND_WINDOW)).await
    }
}

/// An empty map is a list on the portal.
fn or_list(map: Map<String, Value>) -> Value {
    if map.is_empty() { json!([]) } else { Value::Object(map) }
}

fn commands(request: &Request) -> Vec<Command> {
    let body: Value = serde_json::from_slice(&request.arguments).unwrap();
    if let Value::Array(elements) = body {
        // Their names are in order, so that the map of results is.
        return (0..)
            .map(|place: u32| format!("{place:04}"))
            .zip(elements)
            .map(|(name, element)| Command {
                name,
                method: known(element["method"].as_str().unwrap()),
                arguments: element["query"].clone(),
            })
            .collect();
    }
    assert_eq!(body["halt"], 0, "one failing command must not stop the others");
    let commands = body["cmd"].as_object().unwrap();
    assert!(commands.len() <= 50, "{} commands", commands.len());
    let mut commands: Vec<_> = commands
        .iter()
        .map(|(name, command)| {
            let command = command.as_str().unwrap();
            let (method, query) = command.split_once('?').unwrap_or((command, ""));
            Command { name: name.clone(), method: known(method), arguments: arguments(query) }
        })
        .collect();
    // A portal runs them as they stand; the JSON reader of the test has sorted them by name.
    commands.sort_by_key(|command| command.name.trim_start_matches('c').parse::<u32>().unwrap());
    commands
}

/// The methods of the tests, which the records of the portal name.
fn known(method: &str) -> &'static str {
    const METHODS: [&str; 5] = ["crm.deal.add", "crm.deal.list", "crm.lead.list", "tasks.task.list", "crm.deal.fields"];
    METHODS.into_iter().find(|known| *known == method).unwrap_or_else(|| panic!("no test uses {method}"))
}

/// The arguments of a command, as PHP reads a query with plain keys.
fn arguments(query: &str) -> Value {
    let mut arguments = json!({});
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (path, value) = pair.split_once('=').unwrap();
        let path = decoded(path);
        let mut place = &mut arguments;
        for key in path.split('[').map(|key| key.trim_end_matches(']')) {
            place = &mut place[key];
        }
        *place = json!(decoded(value));
    }
    arguments
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let (byte, after) = match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                (u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap(), after)
            }
            (byte, after) => (*byte, after),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).unwrap()
}
