//! What `import_deals` says of a file before it sends anything.

use crate::run::{HEADER, file, import, import_into, orders, portal};

#[tokio::test(flavor = "multi_thread")]
async fn bad_rows_are_named_by_their_line_and_the_good_ones_go() {
    let mut text = HEADER.as_bytes().to_vec();
    text.extend(
        b"1,Ann,\"1 250,50\",EUR,\"two\nlines, \"\"quoted\"\"\"\r\n\r\n,Bob,1,EUR,\n3,Cid,1.2.3,EUR,\n4,Dan,1,euro,\n",
    );
    text.extend(b"5,Eve,1,EUR\n6,Fay,1,EUR,a,b\n7,\xc3\xed,1,EUR,\n1,Gus,1,EUR,\n8,Hal,,EUR,\n9,Ida,\"1,250\",EUR,\n");
    text.extend("10,Юлия,7,EUR,\"open\n11,Zoë,8.5,EUR,\n11,Zoë,8.5,EUR,\n12,Kim,9,EUR,\"open too\n".as_bytes());
    let portal = portal().await;
    let run = import_into(&portal, &[&file("bad_rows.csv", text)]);
    for problem in [
        "bad_rows.csv: 14 rows, 3 good, 11 bad",
        "line 5: the order number is empty",
        "line 6: the amount \"1.2.3\" is no number",
        "line 7: the currency \"euro\" is not a code such as EUR",
        "line 8: it has 4 fields, not 5",
        "line 9: it has 6 fields, not 5",
        "line 10: the customer is not UTF-8",
        "line 11: order 1 is on line 2 already, with other content",
        "line 12: the amount is empty",
        "line 13: the amount \"1,250\" can be read in two ways",
        "line 14: a quote is never closed",
        "line 16: the same as line 15, so both are one deal",
        "line 17: a quote is never closed",
    ] {
        run.says(problem);
    }
    assert_eq!((run.code, run.number("bad rows, not sent")), (0, 11), "{run:?}");
    assert_eq!(orders(&portal), ["1", "11"]);
    let deal = &portal.records("deal").into_iter().find(|deal| deal.text("ORIGIN_ID") == Some("1")).unwrap();
    assert_eq!(deal.text("OPPORTUNITY"), Some("1250.50"));
    assert_eq!(deal.text("COMMENTS"), Some("two\nlines, \"quoted\""));
}

#[test]
fn a_file_that_is_no_export_is_refused_in_words() {
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(HEADER.bytes().flat_map(|byte| [byte, 0])).collect();
    for (path, problem) in [
        ("no/such.csv".to_owned(), "no/such.csv can't be read: No such file"),
        (env!("CARGO_MANIFEST_DIR").to_owned(), "can't be read: "),
        (file("empty.csv", ""), "empty.csv, line 1: the file is empty: its first line must name the columns"),
        (file("binary.csv", b"\x7fELF\x02\x01\0\0\n\0"), "binary.csv, line 1: this is not a CSV file"),
        (file("cyrillic.csv", b"\xe7\xe0\xea\xe0\xe7,x\n"), "line 1: this is not a CSV file in UTF-8"),
        (file("utf16.csv", utf16), "utf16.csv, line 1: this is UTF-16: save the file as UTF-8"),
        (file("columns.csv", "order,client,amount\n1,a,2\n"), "line 1: there is no column customer, currency, comment"),
        (file("semicolons.csv", HEADER.replace(',', ";")), "line 1: the columns are separated by ';'"),
        (file("all_bad.csv", format!("{HEADER},,,,\n")), "no row of the file can be sent"),
    ] {
        let run = import(&[&path]);
        run.says(problem);
        assert_eq!(run.code, 2, "{run:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_sends_nothing() {
    let portal = portal().await;
    let run = import_into(&portal, &["--dry-run"]);
    run.says("leads.csv: 300 rows, 299 good, 1 bad");
    run.says("nothing was sent");
    assert_eq!((run.code, portal.requests().len()), (0, 0), "{run:?}");
}
