//! The export of the web shop: rows that can be sent, and rows that can't with their lines.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use csv::ByteRecord;

use crate::rows::{Row, Rows};

const COLUMNS: [&str; 5] = ["order", "customer", "amount", "currency", "comment"];

/// A row that can be sent.
#[derive(Debug, Clone)]
pub(crate) struct Lead {
    pub(crate) line: usize,
    pub(crate) order: Order,
}

/// An order of the shop. Its number is the key by which it is told from all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) number: String,
    pub(crate) customer: String,
    /// With a point and two digits: money is never a float.
    pub(crate) amount: String,
    pub(crate) currency: String,
    pub(crate) comment: String,
}

impl Order {
    /// What a deal of it is called.
    pub(crate) fn title(&self) -> String {
        format!("Order {}, {}", self.number, self.customer)
    }
}

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Export {
    /// The good rows, in order. An order that is given twice in the same words is in here twice.
    pub(crate) leads: Vec<Lead>,
    /// The bad ones: line and problem.
    pub(crate) bad: Vec<(usize, String)>,
    /// Lines that repeat an earlier line word for word: the later one and the first one.
    pub(crate) repeated: Vec<(usize, usize)>,
}

impl Export {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// Why no row of it can be read.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let bytes = fs::read(path).map_err(|error| format!("{shown} can't be read: {error}"))?;
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err(format!("{shown}, line 1: this is UTF-16: save the file as UTF-8"));
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        Self::parse(text).map_err(|problem| format!("{shown}, line 1: {problem}"))
    }

    /// The orders of the good rows, each once.
    pub(crate) fn orders(&self) -> Vec<&str> {
        let mut orders: Vec<&str> = self.leads.iter().map(|lead| lead.order.number.as_str()).collect();
        orders.sort_unstable();
        orders.dedup();
        orders
    }

    fn parse(text: &[u8]) -> Result<Self, String> {
        let mut rows = Rows::of(text);
        let header = rows.read().ok_or_else(|| format!("the file is empty: {EXPECTED}"))?;
        let columns = Columns::of(&header.fields)?;
        let mut export = Self::default();
        let mut first = HashMap::new();
        while let Some(row) = rows.read() {
            if row.stray_quote {
                let problem = "a quote is never closed, or one within a field is not doubled";
                export.bad.push((row.line, problem.to_owned()));
                rows.go_on_after_the_first_line_of(&row);
                continue;
            }
            match columns.lead(&row) {
                Ok(lead) => export.take(lead, &mut first),
                Err(problem) => export.bad.push((row.line, problem)),
            }
        }
        Ok(export)
    }

    fn take(&mut self, lead: Lead, first: &mut HashMap<String, Lead>) {
        let order = &lead.order.number;
        match first.get(order) {
            None => {
                first.insert(order.clone(), lead.clone());
                self.leads.push(lead);
            }
            Some(earlier) if earlier.order == lead.order => {
                self.repeated.push((lead.line, earlier.line));
                self.leads.push(lead);
            }
            Some(earlier) => {
                let problem = format!("order {order} is on line {} already, with other content", earlier.line);
                self.bad.push((lead.line, problem));
            }
        }
    }
}

const EXPECTED: &str = "its first line must name the columns order,customer,amount,currency,comment";

/// Where each column is.
struct Columns {
    places: [usize; 5],
    width: usize,
}

impl Columns {
    fn of(header: &ByteRecord) -> Result<Self, String> {
        let Ok(names) = header.iter().map(str::from_utf8).collect::<Result<Vec<_>, _>>() else {
            return Err(format!("this is not a CSV file in UTF-8: {EXPECTED}"));
        };
        if names.iter().any(|name| name.contains(|sign: char| sign.is_control() && sign != '\t')) {
            return Err(format!("this is not a CSV file: {EXPECTED}"));
        }
        let mut places = [0; 5];
        let mut missing = Vec::new();
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            match names.iter().position(|name| name.trim().eq_ignore_ascii_case(column)) {
                Some(at) => *place = at,
                None => missing.push(column),
            }
        }
        if missing.is_empty() {
            return Ok(Self { places, width: names.len() });
        }
        if let [only] = names.as_slice()
            && let Some(separator) = [';', '\t'].into_iter().find(|sign| only.contains(*sign))
        {
            return Err(format!("the columns are separated by {separator:?}: save the file with commas"));
        }
        Err(format!("there is no column {}; {EXPECTED}, and it reads {:?}", missing.join(", "), names.join(",")))
    }

    fn lead(&self, row: &Row) -> Result<Lead, String> {
        if row.fields.len() != self.width {
            return Err(format!("it has {} fields, not {}", row.fields.len(), self.width));
        }
        let mut texts = [""; 5];
        for ((text, place), column) in texts.iter_mut().zip(self.places).zip(COLUMNS) {
            let field = row.fields.get(place).unwrap_or_default();
            *text =
                str::from_utf8(field).map_err(|_| format!("the {column} is not UTF-8: save the file as UTF-8"))?.trim();
        }
        let [order, customer, amount, currency, comment] = texts;
        if order.is_empty() {
            return Err("the order number is empty: without it the deal could not be found again".to_owned());
        }
        if currency.len() != 3 || !currency.bytes().all(|letter| letter.is_ascii_uppercase()) {
            return Err(format!("the currency {currency:?} is not a code such as EUR"));
        }
        let order = Order {
            number: order.to_owned(),
            customer: customer.to_owned(),
            amount: decimal(amount)?,
            currency: currency.to_owned(),
            comment: comment.to_owned(),
        };
        Ok(Lead { line: row.line, order })
    }
}

/// An amount with a point: `1 250,5` becomes `1250.50`.
fn decimal(amount: &str) -> Result<String, String> {
    let plain: String = amount.chars().filter(|sign| !matches!(sign, ' ' | '\u{a0}' | '\u{202f}')).collect();
    let (whole, part) = plain.split_once(['.', ',']).unwrap_or((&plain, "00"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    match (digits(whole) && digits(part), part.len()) {
        (true, 1) => Ok(format!("{whole}.{part}0")),
        (true, 2) => Ok(format!("{whole}.{part}")),
        // 1,250 is a thousand in one country and one and a quarter in another.
        (true, _) => Err(format!("the amount {amount:?} can be read in two ways: write it as 1250.50 or 1250,50")),
        (false, _) if amount.is_empty() => Err("the amount is empty".to_owned()),
        (false, _) => Err(format!("the amount {amount:?} is no number such as 1250.50 or 1250,50")),
    }
}
