//! The small examples, which tell one story each.

use std::process::Command;

use crate::run::{Run, example};

#[test]
fn each_small_example_tells_its_story() {
    for (name, story) in [
        ("read_with_retries", &["it took 4 requests", "all its 4 attempts are used up", "X-Request-Id"][..]),
        ("unverifiable_write", &["im.message.add is in doubt", "did it happen: unknown", "Order 1017 has arrived"]),
        ("watch_decisions", &["decision=ReadBack", "proves=true", "1018: done, 2 sends", "its answer came after all"]),
        ("oauth_application", &["all answered, renewed 1 time", "the file holds the new ones: true"]),
        ("comment_by_marker", &["was found by its marker, after 2 sends in all"]),
    ] {
        let run = Run::of(&mut Command::new(example(name)));
        assert_eq!(run.code, 0, "{name}: {run:?}");
        for text in story {
            run.says(text);
        }
    }
}
