//! What does not compile, and what the developer reads then: one file a rule, in `tests/ui`, named by the rule.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the `.stderr` files anew. Read what changed as its reader would.

#[test]
fn p8_what_can_be_known_at_compile_time_is_said_at_compile_time() {
    let cases = trybuild::TestCases::new();
    // With a case that passes the others are built and not only checked, so nothing is missed that shows late.
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/*.rs");
}
