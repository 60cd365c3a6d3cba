//! What documents say of the files beside them is so: each path that is named is there, each test program too, each deliberate break still
//! fits the code, and the fuzz target of the attribute still has all of its modules. None of it is built or tried otherwise in CI.

// Says to clippy that a broken expectation may end the test from a helper function too.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where paths may begin that do not begin beside their document.
const ROOTS: [&str; 3] = ["", "retry-runtime/src", "retry-macros/src"];

/// What a path to a file ends with.
const ENDINGS: [&str; 9] = [".rs", ".md", ".toml", ".py", ".patch", ".txt", ".dict", ".tsv", ".stderr"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder that end so, without what is hidden or built.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !name.starts_with('.') && !["target", "corpus", "artifacts"].contains(&name) {
                files(&path, ending, found);
            }
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(root(), ".md", &mut found);
    assert!(found.contains(&root().join("docs/reliability.md")), "the documents are not read");
    found
}

/// What stands in backticks or is linked to, outside of blocks of code.
fn named(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
            found.extend(line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
        }
    }
    found
}

/// `a/{b,c}.rs` is two paths.
fn spread(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').flat_map(|choice| spread(&format!("{before}{choice}{after}"))).collect()
}

/// The path that this is meant for, if it is one: without the place in the file.
fn path(word: &str) -> Option<&str> {
    let word = word.split(['#', ':']).next()?.trim_end_matches('/');
    let plain = |char: char| char.is_ascii_alphanumeric() || "/._-*{},".contains(char);
    let first = word.split('/').next()?;
    let is_path = !word.starts_with('/')
        && word.chars().all(plain)
        && word.contains('/')
        && (ENDINGS.iter().any(|ending| word.ends_with(ending)) || (!first.is_empty() && root().join(first).is_dir()));
    // Made by the fuzzers, and a place for a name.
    let is_made =
        word.contains("TARGET") || ["fuzz/corpus", "fuzz/artifacts"].iter().any(|made| word.starts_with(made));
    (is_path && !is_made).then_some(word)
}

/// Whether there is such a file or folder; `*` in its last part stands for anything.
fn exists(path: &Path) -> bool {
    let Some((folder, name)) = path.parent().zip(path.file_name().and_then(|name| name.to_str())) else { return false };
    let Some((begin, end)) = name.split_once('*') else { return path.exists() };
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name().into_string().unwrap();
            name.starts_with(begin) && name.ends_with(end)
        })
    })
}

#[test]
fn every_path_that_a_document_names_is_there() {
    let (mut count, mut missing) = (0, Vec::new());
    for document in documents() {
        for word in named(&fs::read_to_string(&document).unwrap()) {
            for path in path(&word).into_iter().flat_map(spread) {
                count += 1;
                let beside = document.parent().unwrap().join(&path);
                if !exists(&beside) && !ROOTS.iter().any(|from| exists(&root().join(from).join(&path))) {
                    missing.push(format!("{}: {path}", document.strip_prefix(root()).unwrap().display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 100, "{count} paths: the documents are not read");
}

#[test]
fn every_test_program_that_a_document_names_is_there() {
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for name in text.split("--test ").skip(1).filter_map(|rest| rest.split([' ', '`', '\n']).next()) {
            count += 1;
            let is_there = ["tests", "retry-journal/tests"].into_iter().any(|tests| {
                let folder = root().join(tests).join(name);
                folder.join("main.rs").is_file() || folder.with_extension("rs").is_file()
            });
            assert!(is_there, "{}: --test {name}", document.display());
        }
    }
    assert!(count > 10, "{count} programs: the documents are not read");
}

/// The lines that a hunk expects, as `git apply` does: in one piece, wherever they stand by now.
#[test]
fn every_deliberate_break_still_applies() {
    let mut patches = Vec::new();
    files(&root().join("docs/breaks"), ".patch", &mut patches);
    assert_eq!(patches.len(), 8, "one for each promise");
    for patch in patches {
        let text = format!("\n{}", fs::read_to_string(&patch).unwrap());
        let mut hunks = 0;
        for part in text.split("\n--- a/").skip(1) {
            let file = part.lines().next().unwrap();
            let code = fs::read_to_string(root().join(file)).unwrap();
            for hunk in part.split("\n@@ ").skip(1) {
                hunks += 1;
                let lines = hunk.lines().skip(1).take_while(|line| !line.starts_with("diff --git "));
                let expected: Vec<&str> =
                    lines.filter(|line| !line.starts_with('+')).map(|line| line.get(1..).unwrap_or_default()).collect();
                let expected = expected.join("\n") + "\n";
                assert!(code.contains(&expected), "{} does not fit {file} any more:\n{expected}", patch.display());
            }
        }
        assert!(hunks > 0, "{}", patch.display());
    }
}

#[test]
fn the_fuzz_target_of_the_attribute_has_every_module() {
    let modules = |text: &str| -> BTreeSet<String> {
        let names = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
        names.filter(|name| *name != "tests").map(str::to_owned).collect()
    };
    let target = root().join("fuzz/attribute/fuzz_targets/attribute.rs");
    let text = fs::read_to_string(&target).unwrap();
    assert_eq!(modules(&text), modules(&fs::read_to_string(root().join("retry-macros/src/lib.rs")).unwrap()));
    for path in text.lines().filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]")) {
        assert!(target.parent().unwrap().join(path).is_file(), "{path}");
    }
}
