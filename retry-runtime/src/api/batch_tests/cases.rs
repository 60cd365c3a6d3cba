//! The answers to batches in other clients' bug reports, as they stand there.

use serde_json::{Value, json};

use super::{call, code, is_lost, read, result, split};
use crate::api::tests::rest;
use crate::page::Page;
use crate::transport::{Request, Version};

/// So many creates.
fn creates(count: usize) -> Vec<Request> {
    (0..count).map(|number| call("crm.deal.add", &json!({"fields": {"A": number.to_string()}}))).collect()
}

#[test]
fn case_b36_maps_lists_and_lists_with_holes_are_read_alike() {
    let parts = split(&rest(), &creates(2), r#"{"result":{"result":[5,6],"result_error":[]}}"#);
    assert_eq!((result::<u64>(&parts[0]), result::<u64>(&parts[1])), (5, 6));
    let parts = split(&rest(), &creates(2), r#"{"result":{"result":[5,null],"result_error":[null,{"error":"X"}]}}"#);
    assert_eq!((result::<u64>(&parts[0]), code(&parts[1])), (5, "X"));
    let holes = r#"{"result":{"result":{"c0":5,"c2":7},"result_error":{"c1":{"error":"X"}}}}"#;
    let parts = split(&rest(), &creates(3), holes);
    assert_eq!((result::<u64>(&parts[0]), code(&parts[1]), result::<u64>(&parts[2])), (5, "X", 7));
    // No command of ours is named by a number: such names answer none.
    assert!(split(&rest(), &creates(3), holes.replace("\"c", "\"")).iter().all(is_lost));
}

#[test]
fn case_b40_a_total_may_be_missing_beside_its_result() {
    let calls = ["crm.deal.list", "crm.deal.get"].map(|method| read(method, Version::Two));
    for totals in [r#"{"c0":2}"#, "[]", "null", r#"{"c0":null}"#] {
        let body = format!(r#"{{"result":{{"result":{{"c0":[1,2],"c1":{{"id":3}}}},"result_total":{totals}}}}}"#);
        let parts = split(&rest(), &calls, body);
        let page = result::<Page<u64>>(&parts[0]);
        assert_eq!((page.rows, page.next), (vec![1, 2], None), "{totals}");
        assert_eq!(page.total, totals.contains('2').then_some(2), "{totals}");
        assert_eq!(result::<Value>(&parts[1]), json!({"id": 3}), "{totals}");
    }
}
