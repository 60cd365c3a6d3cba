//! The rows of a CSV text, each with its line and with the quotes that broke it.

use csv::{ByteRecord, Reader, ReaderBuilder};

/// Reads row by row.
pub(crate) struct Rows<'a> {
    text: &'a [u8],
    reader: Reader<&'a [u8]>,
    /// Where the reader has begun.
    base: usize,
    /// Up to where lines are counted, and how many there are.
    counted: usize,
    line: usize,
}

/// One row.
pub(crate) struct Row {
    /// The line it begins on, from 1.
    pub(crate) line: usize,
    pub(crate) fields: ByteRecord,
    /// Whether a quote is not closed, or not doubled within a field. The fields are a guess then.
    pub(crate) stray_quote: bool,
    start: usize,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(text: &'a [u8]) -> Self {
        Self { text, reader: reader(text), base: 0, counted: 0, line: 1 }
    }

    /// The next row; empty lines are none.
    pub(crate) fn read(&mut self) -> Option<Row> {
        let from = self.place();
        let mut fields = ByteRecord::new();
        // Bytes in memory, of any encoding, with any number of fields: nothing is left that could fail.
        if !self.reader.read_byte_record(&mut fields).unwrap_or(false) {
            return None;
        }
        let read = self.text.get(from..self.place()).unwrap_or_default();
        let blank = read.iter().take_while(|byte| is_line_end(**byte)).count();
        let start = from + blank;
        self.line += count_lines(self.text.get(self.counted..start).unwrap_or_default());
        self.counted = start;
        let stray_quote = has_stray_quote(read.get(blank..).unwrap_or_default());
        Some(Row { line: self.line, fields, stray_quote, start })
    }

    /// A quote that is not closed has taken the rows that follow into its field: reads them once more.
    pub(crate) fn go_on_after_the_first_line_of(&mut self, row: &Row) {
        let rest = self.text.get(row.start..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
        self.base = row.start + length;
        self.reader = reader(self.text.get(self.base..).unwrap_or_default());
    }

    fn place(&self) -> usize {
        self.base + usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX)
    }
}

fn reader(text: &[u8]) -> Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

fn count_lines(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').skip(1).count()
}

/// Whether a quote neither opens nor closes a field nor is doubled within one.
fn has_stray_quote(row: &[u8]) -> bool {
    let mut quoted = false;
    let mut before = b',';
    let mut bytes = row.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'"' {
            match (quoted, bytes.peek()) {
                (false, _) if before != b',' => return true,
                (false, _) => quoted = true,
                (true, Some(b'"')) => {
                    bytes.next();
                }
                (true, None | Some(b',' | b'\r' | b'\n')) => quoted = false,
                (true, Some(_)) => return true,
            }
        }
        before = byte;
    }
    quoted
}
