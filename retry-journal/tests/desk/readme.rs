//! What the README shows is what a newcomer gets who types it.

use std::path::Path;
use std::process::{Command, Stdio};

const README: &str = include_str!("../../README.md");

/// The commands of the README and what it says they write.
fn shown() -> Vec<(String, String)> {
    let blocks = README.split("```console\n").skip(1).map(|after| after.split("```").next().unwrap());
    let mut shown: Vec<(String, String)> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match (line.strip_prefix("$ "), shown.last_mut()) {
            (Some(typed), _) => shown.push((typed.to_owned(), String::new())),
            (None, Some((_, output))) => output.extend([line, "\n"]),
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    shown
}

/// Words without the times, which are others each time.
fn timeless(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_time = |at: usize| {
        let word = words[at];
        let starts = word.trim_start_matches('(').starts_with(|letter: char| letter.is_ascii_digit());
        let is_age = words.get(at + 1).is_some_and(|unit| *unit == "s");
        starts && (is_age || word.contains(':') || (word.len() == 10 && word.matches('-').count() == 2))
    };
    (0..words.len()).map(|at| if is_time(at) { "TIME" } else { words[at] }).collect()
}

#[test]
fn each_command_of_the_readme_writes_what_the_readme_says() {
    let shown = shown();
    assert!(shown.len() >= 5, "{shown:?}");
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_bitrix-journal")).parent().unwrap();
    let made = Command::new(program.join("examples/doubt")).arg("orders.journal").current_dir(folder.path()).status();
    assert!(made.expect("`cargo test` builds the example `doubt`").success());
    for (typed, output) in shown {
        let mut command = Command::new("script");
        command
            .args(["-qec", &format!("stty cols 110; {typed}"), "/dev/null"])
            .current_dir(folder.path())
            .stdin(Stdio::null());
        command.env("PATH", format!("{}:{}", program.display(), std::env::var("PATH").unwrap()));
        command.env("USER", "ada").env("NO_COLOR", "1").env("TERM", "xterm").env_remove("BITRIX_JOURNAL");
        let got = command.output().expect("`script` of util-linux plays the terminal: apt-get install -y bsdutils");
        let got = String::from_utf8(got.stdout).unwrap();
        assert_eq!(timeless(&got), timeless(&output), "{typed}:\n{got}");
    }
}
