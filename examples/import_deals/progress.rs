//! How far it is: a bar in a terminal, a line now and then elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Lines that are printed where there is no terminal.
const LINES: usize = 10;

/// Shows how many rows are through.
pub(crate) struct Progress {
    bar: ProgressBar,
    rows: usize,
    through: usize,
}

impl Progress {
    pub(crate) fn of(rows: usize) -> Self {
        let bar = ProgressBar::new(rows as u64);
        // A template that does not parse would only cost the looks.
        if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {pos:>4} of {len}  {elapsed}  {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, rows, through: 0 }
    }

    /// One more row is through.
    pub(crate) fn advance(&mut self, so_far: impl FnOnce() -> String) {
        self.through += 1;
        if !self.bar.is_hidden() {
            self.bar.inc(1);
            self.bar.set_message(so_far());
        } else if self.through * LINES / self.rows > (self.through - 1) * LINES / self.rows {
            eprintln!("{} of {} rows, {}", self.through, self.rows, so_far());
        }
    }

    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
