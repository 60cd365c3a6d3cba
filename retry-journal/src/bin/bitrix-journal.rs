//! Shows and settles the intents of a write journal.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use retry_journal::tool::{Ended, Options, Output, execute, open};

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(ended) => {
            let code = ended.code();
            if code != ExitCode::SUCCESS {
                // If nobody reads it, the exit code still says it.
                let _ = writeln!(anstream::stderr(), "bitrix-journal: {ended}");
            }
            code
        }
    }
}

async fn run(options: &Options) -> Result<(), Ended> {
    let desk = open(options).await?;
    let mut out = anstream::AutoStream::auto(std::io::stdout());
    execute(desk, &options.command, &mut Output::standard(&mut out)).await?;
    out.flush()?;
    Ok(())
}
