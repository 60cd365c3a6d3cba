//! `docs/cases.md` tells the truth: its tests exist, no case is missing, and no test that is named after one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The numbers of all cases.
const CASES: [u32; 63] = [
    1, 3, 5, 6, 7, 9, 10, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 31, 32, 33, 35, 36, 37, 39, 40, 42,
    43, 44, 46, 47, 48, 49, 50, 54, 57, 58, 59, 61, 62, 65, 66, 67, 69, 70, 71, 73, 74, 75, 77, 78, 81, 82, 84, 85, 86,
    87, 90, 91, 94,
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files of the workspace.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
}

/// The names of all tests.
fn tests() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(root(), &mut files);
    let mut names = BTreeSet::new();
    for file in &files {
        let mut marked = false;
        for line in file.lines().map(str::trim_start) {
            marked |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            let Some(function) = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ") else { continue };
            if std::mem::take(&mut marked) {
                names.insert(function.split('(').next().unwrap().to_owned());
            }
        }
    }
    names
}

/// The cases that the name of a test names: `case_b39_case_b40_…` names two.
fn named(test: &str) -> Vec<u32> {
    test.split("case_b").skip(1).map(|rest| rest[..2].parse().unwrap()).collect()
}

/// What the table says of each case: its tests, or why there is none.
fn table() -> Vec<(u32, BTreeSet<String>)> {
    let page = fs::read_to_string(root().join("docs/cases.md")).unwrap();
    let mut cases: Vec<(u32, BTreeSet<String>)> = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [case, what, told] = cells[..] else { panic!("{row}") };
        assert_eq!(case.is_empty(), what.is_empty(), "{row}");
        if !case.is_empty() {
            cases.push((case.strip_prefix('B').unwrap().parse().unwrap(), BTreeSet::new()));
        }
        let is_name = told.starts_with('`') && told.ends_with('`');
        assert!(is_name || told.starts_with("does not apply, because "), "{row}");
        assert!(cases.last_mut().unwrap().1.insert(told.trim_matches('`').to_owned()), "twice: {row}");
    }
    cases
}

#[test]
fn every_case_is_on_the_page_in_order() {
    let numbers: Vec<u32> = table().into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, CASES);
}

#[test]
fn every_test_of_the_page_exists() {
    let tests = tests();
    assert!(tests.contains("every_test_of_the_page_exists"), "the sources are not read");
    for (case, told) in table() {
        for test in told.iter().filter(|test| !test.starts_with("does not apply")) {
            let is_file = test.starts_with("tests/ui/") && root().join(test).is_file();
            assert!(is_file || tests.contains(test), "B{case:02}: there is no `{test}`");
        }
    }
}

#[test]
fn every_test_that_is_named_after_a_case_is_on_the_page() {
    let table: BTreeMap<u32, BTreeSet<String>> = table().into_iter().collect();
    let tests = tests();
    let of_cases: Vec<&String> = tests.iter().filter(|test| !named(test).is_empty()).collect();
    assert!(of_cases.len() > CASES.len(), "the sources are not read");
    for test in of_cases {
        for case in named(test) {
            let told = table.get(&case).unwrap_or_else(|| panic!("`{test}`: there is no case B{case:02}"));
            assert!(told.contains(test), "B{case:02}: `{test}` is not on the page");
        }
    }
}
