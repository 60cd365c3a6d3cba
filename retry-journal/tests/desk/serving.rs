//! A page that is served from a journal in memory.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use clap::Parser as _;
use retry_journal::tool::{Options, Output, execute};

use crate::memory::MemoryDesk;

/// Takes down the one line that says where the page is.
struct Line {
    so_far: Vec<u8>,
    to: Sender<String>,
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.so_far.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.so_far)).unwrap();
        self.to.send(text).map_err(io::Error::other)
    }
}

/// Serves the journal until the tests end, on a thread of its own; answers the address as `127.0.0.1:PORT`.
pub(crate) fn serve(desk: &Arc<MemoryDesk>, arguments: &[&str]) -> String {
    let (to, line) = mpsc::channel();
    let options = Options::parse_from(["bitrix-journal", "serve"].iter().chain(arguments));
    let desk = Arc::clone(desk);
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut out = Line { so_far: Vec::new(), to };
        let mut output = Output { out: &mut out, is_terminal: false, has_colours: false };
        runtime.block_on(execute(desk, &options.command, &mut output)).unwrap();
    });
    let url = line.recv().unwrap();
    url.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned()
}
