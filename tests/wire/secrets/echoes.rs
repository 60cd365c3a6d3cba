//! Answers that say a text back in every place from which something is taken, and the spellings of that text.

use serde_json::{Value, json};

use super::marked::LETTER_BY_LETTER;

/// Makes an answer around a text.
pub(super) type Make = Box<dyn Fn(&str) -> Vec<u8>>;

fn with_body(head: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// These secrets as one text, as they are and as others write them.
pub(super) fn spellings(secrets: &[&str]) -> Vec<(&'static str, String)> {
    let plain = secrets.join(" and ");
    let all = |spell: &dyn Fn(char) -> String| plain.chars().map(spell).collect::<String>();
    let signs = |spell: fn(u8) -> String| {
        all(&|letter| {
            let mut bytes = [0; 4];
            let bytes = letter.encode_utf8(&mut bytes).bytes();
            if letter.is_ascii_alphanumeric() { letter.to_string() } else { bytes.map(spell).collect() }
        })
    };
    let mut spellings = vec![
        ("as it is", plain.clone()),
        ("%2B", signs(|byte| format!("%{byte:02X}"))),
        ("%2b", signs(|byte| format!("%{byte:02x}"))),
        ("%252B", signs(|byte| format!("%25{byte:02X}"))),
        ("in a form", signs(|byte| format!("%{byte:02X}")).replace("%20", "+")),
        ("in HTML", plain.replace('&', "&amp;").replace('"', "&quot;")),
        ("\\/ and \\\"", plain.replace('/', "\\/").replace('"', "\\\"")),
        ("in capitals", plain.to_ascii_uppercase()),
        ("half of it", plain[..plain.len() / 2].to_owned()),
    ];
    spellings.extend(LETTER_BY_LETTER.map(|(name, spell)| (name, plain.chars().map(spell).collect())));
    spellings
}

/// A text as the value of a header.
fn in_a_header(text: &str) -> String {
    text.replace(['\r', '\n', '\0'], " ")
}

/// Error codes with a text that says it back.
pub(super) fn codes(echo: &str) -> Vec<(String, Vec<u8>)> {
    [
        "QUEUE_OVERFLOW",
        "RATE_LIMITED",
        "QUERY_LIMIT_EXCEEDED",
        "OPERATION_TIME_LIMIT",
        "INTERNAL_SERVER_ERROR",
        "BITRIX_TIMEOUT",
        "BH_APP_STARTING",
        "ACCESS_DENIED",
        "NO_AUTH_FOUND",
        "INVALID_CREDENTIALS",
        "insufficient_scope",
        "OVERLOAD_LIMIT",
        "TOKEN_REFRESH_FAILED",
        "ERROR_CORE",
        "BITRIX_ERROR",
        "100",
        "",
    ]
    .into_iter()
    .flat_map(|code| {
        let flat = json!({"error": code, "error_description": echo, "message": echo});
        let nested = json!({"success": false, "error": {"code": code, "message": echo}});
        [flat, nested].map(|body| (format!("{code:?}: {body}"), with_body("400 Bad\r\n", &body.to_string())))
    })
    .collect()
}

/// Every place of an answer.
pub(super) fn answers() -> Vec<(&'static str, Make)> {
    let mut answers: Vec<(&'static str, Make)> = Vec::new();
    let mut add = |name, make: Make| answers.push((name, make));
    add("a status line", Box::new(|echo| with_body(&format!("502 {}\r\n", in_a_header(echo)), "")));
    add("no status line", Box::new(|echo| format!("{echo}\r\n\r\n").into_bytes()));
    add("a status", Box::new(|echo| format!("HTTP/1.1 {echo} OK\r\n\r\n").into_bytes()));
    add(
        "an interim answer",
        Box::new(|echo| {
            let head = format!("HTTP/1.1 103 {echo}\r\nLink: {echo}\r\n\r\n", echo = in_a_header(echo));
            [head.into_bytes(), with_body("400 Bad\r\n", r#"{"error":"ERROR_CORE"}"#)].concat()
        }),
    );
    for name in [
        "X-Request-Id",
        "Content-Type",
        "Server",
        "Retry-After",
        "Date",
        "X-RateLimit-Reset",
        "Idempotent-Replayed",
        "WWW-Authenticate",
    ] {
        add(name, Box::new(move |echo| with_body(&format!("502 Bad\r\n{name}: {}\r\n", in_a_header(echo)), "x")));
    }
    for name in ["Content-Length", "Transfer-Encoding", "Connection", "Content-Encoding"] {
        add(name, Box::new(move |echo| format!("HTTP/1.1 200 OK\r\n{name}: {}\r\n\r\n{{}}", in_a_header(echo)).into()));
    }
    add("the name of a header", Box::new(|echo| with_body(&format!("200 OK\r\n{}: x\r\n", in_a_header(echo)), "x")));
    add(
        "a chunk",
        Box::new(|echo| format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{echo}\r\n").into_bytes()),
    );
    add(
        "a trailer",
        Box::new(|echo| {
            let echo = in_a_header(echo);
            format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;{echo}\r\n{{}}\r\n0\r\nX: {echo}\r\n\r\n")
                .into()
        }),
    );
    add("after the end", Box::new(|echo| [with_body("200 OK\r\n", "{}"), echo.as_bytes().to_vec()].concat()));
    for to in ["https://login.example/?back=", "https://login.example/rest/", "https://", "//", "/", "", "http://["] {
        add(
            "Location",
            Box::new(move |echo| with_body(&format!("302 Found\r\nLocation: {to}{}\r\n", in_a_header(echo)), "")),
        );
    }
    for before in [0, 100, 140, 150, 155, 158] {
        add(
            "a page",
            Box::new(move |echo| {
                with_body("502 Bad\r\nContent-Type: text/html\r\n", &format!("<html>{}{echo}", "x".repeat(before)))
            }),
        );
    }
    add("JSON that is cut", Box::new(|echo| with_body("200 OK\r\n", &format!(r#"{{"result":"{echo}"#))));
    add("JSON that is none", Box::new(|echo| with_body("200 OK\r\n", &format!(r#"{{"result":{echo}}}"#))));
    add(
        "a success that is none",
        Box::new(|echo| with_body("200 OK\r\n", &format!(r#"{{"success":true,"data":{echo}}}"#))),
    );
    add(
        "a string that is spelled so",
        Box::new(|echo| {
            with_body(
                "400 Bad\r\n",
                &format!(r#"{{"error":"X","error_description":"{echo}","message":{{"a":"{echo}"}}}}"#),
            )
        }),
    );
    for make in bodies() {
        add("JSON", Box::new(move |echo| with_body("200 OK\r\n", &make(echo).to_string())));
    }
    answers
}

/// Envelopes of all APIs, and what is none of them.
fn bodies() -> Vec<fn(&str) -> Value> {
    vec![
        |echo| json!(echo),
        |echo| json!({"error": echo}),
        |echo| json!({"error": {"text": echo}}),
        |echo| json!({"error": "ERROR_CORE", "error_description": echo}),
        |echo| json!({"error": "ERROR_CORE", "error_description": {"text": [echo]}}),
        |echo| json!({"error": "ERROR_CORE", "error_description": format!("{}{echo}", "x".repeat(490))}),
        |echo| json!({"error": format!("{}{echo}", "x".repeat(190))}),
        |echo| json!({"error": {"code": echo, "message": echo}}),
        |echo| json!({"error": {"code": "X", "message": echo, "validation": [{"field": echo, "message": echo}]}}),
        |echo| json!({"error": {"code": "X", "validation": [{"field": format!("{}{echo}", "x".repeat(75))}]}}),
        |echo| json!({"success": false, "error": {"code": "UNHEARD_OF", "message": echo}}),
        |echo| json!({"code": echo, "message": echo}),
        |echo| json!({"error": "X", "retryAfter": echo}),
        |echo| json!({"result": echo}),
        |echo| json!({"result": {echo: echo}}),
        |echo| json!({"time": 1, "result": echo}),
        |echo| json!({"result": [echo, format!("{echo}, another")]}),
        |echo| json!({"result": {"items": [echo, format!("{echo}, another")]}}),
        |echo| json!({"success": true, "data": echo}),
        |echo| json!({"success": true, "data": {"id": echo}}),
        |echo| json!({"success": true, "data": [echo, format!("{echo}, another")]}),
        |echo| json!({"access_token": 1, "text": echo}),
        |echo| json!({"access_token": "x", "refresh_token": "y", "member_id": echo, "user_id": echo, "client_endpoint": echo}),
    ]
}
