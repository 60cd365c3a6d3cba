//! Everything that any crate says to `tracing` or `log`, at the finest level.

use std::fmt::{Debug, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default};
use tracing::{Event, Metadata, Subscriber};

/// What was said on this thread.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder {
    lines: Arc<Mutex<Vec<String>>>,
    spans: Arc<AtomicU64>,
}

impl Recorder {
    /// Listens on this thread until the guard is dropped.
    pub(crate) fn listen() -> (Self, DefaultGuard) {
        let recorder = Self::everywhere();
        let guard = set_default(recorder.clone());
        (recorder, guard)
    }

    /// Listens to each thread that asks for it.
    pub(crate) fn everywhere() -> Self {
        static LOG: Once = Once::new();
        LOG.call_once(|| {
            let everything = tracing_log::log::LevelFilter::Trace;
            tracing_log::LogTracer::builder().with_max_level(everything).init().unwrap();
        });
        Self::default()
    }

    /// Listens to this thread as long as it lives.
    pub(crate) fn listen_here(&self) {
        std::mem::forget(set_default(self.clone()));
    }

    /// All lines so far.
    pub(crate) fn text(&self) -> String {
        self.lines.lock().unwrap().join("\n")
    }

    fn write(&self, what: &str, metadata: &Metadata<'_>, fields: impl FnOnce(&mut Line)) {
        let mut line = Line(format!("{what} {} {}", metadata.target(), metadata.name()));
        fields(&mut line);
        self.lines.lock().unwrap().push(line.0);
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::TRACE)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.write("span", span.metadata(), |line| span.record(line));
        Id::from_u64(self.spans.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut line = Line("more".to_owned());
        values.record(&mut line);
        self.lines.lock().unwrap().push(line.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.write("event", event.metadata(), |line| event.record(line));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
