//! Explains a method or a code in a terminal.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;
use retry_explain::explain;

/// Explains a method of Bitrix24, such as `crm.deal.add`, or a code of an answer, such as `BITRIX_TIMEOUT`.
///
/// Of a method it shows whether it writes, what a second send does, how a lost write is read back, and the stub to paste. Of
/// a code: what it means, what a read and a write do after it, and until when the request may still be applied. Case does
/// not matter. It calls nobody: all of it is in the program.
#[derive(Debug, Parser)]
#[command(name = "retry-explain", version, arg_required_else_help = true, after_help = AFTER)]
struct Options {
    /// Methods and codes; the empty code is "".
    #[arg(value_name = "METHOD or CODE", required = true)]
    words: Vec<String>,
}

const AFTER: &str = "Exit code: 0, or 2 if a method is not in the catalogue.

Examples:
  retry-explain crm.deal.add
  retry-explain tasks.task.add im.message.add
  retry-explain BITRIX_TIMEOUT";

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    let mut shown = String::new();
    for (at, word) in Options::parse().words.iter().enumerate() {
        if at > 0 {
            shown.push('\n');
        }
        match explain(word) {
            Ok(text) => shown.push_str(&text),
            Err(unknown) => {
                code = ExitCode::from(2);
                eprintln!("{unknown}");
            }
        }
    }
    // A reader that has seen enough, such as `head`, is no failure.
    let _ = std::io::stdout().write_all(shown.as_bytes());
    code
}
