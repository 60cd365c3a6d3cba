//! The numbers: for a program by the facade, and for Prometheus by the page.

use std::sync::Arc;

use metrics::{Key, KeyName, Metadata, Recorder, SharedString, Unit};
use retry_journal::report_metrics;
use std::sync::Mutex;

use crate::fixtures::journal;
use crate::http::get;
use crate::serving::serve;

/// Keeps what gauges are set to.
#[derive(Debug, Default)]
struct Gauges(Arc<Mutex<Vec<(String, f64)>>>);

#[derive(Debug)]
struct Gauge(String, Arc<Mutex<Vec<(String, f64)>>>);

impl metrics::GaugeFn for Gauge {
    fn increment(&self, _value: f64) {}

    fn decrement(&self, _value: f64) {}

    fn set(&self, value: f64) {
        self.1.lock().unwrap().push((self.0.clone(), value));
    }
}

impl Recorder for Gauges {
    fn describe_counter(&self, _key: KeyName, _unit: Option<Unit>, _description: SharedString) {}

    fn describe_gauge(&self, _key: KeyName, _unit: Option<Unit>, _description: SharedString) {}

    fn describe_histogram(&self, _key: KeyName, _unit: Option<Unit>, _description: SharedString) {}

    fn register_counter(&self, _key: &Key, _metadata: &Metadata<'_>) -> metrics::Counter {
        metrics::Counter::noop()
    }

    fn register_gauge(&self, key: &Key, _metadata: &Metadata<'_>) -> metrics::Gauge {
        let labels: Vec<String> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        metrics::Gauge::from_arc(Arc::new(Gauge(format!("{} {}", key.name(), labels.join(",")), Arc::clone(&self.0))))
    }

    fn register_histogram(&self, _key: &Key, _metadata: &Metadata<'_>) -> metrics::Histogram {
        metrics::Histogram::noop()
    }
}

#[test]
fn the_facade_gets_each_state_and_the_ages() {
    let gauges = Gauges::default();
    let desk = journal();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    metrics::with_local_recorder(&gauges, || runtime.block_on(report_metrics(&desk))).unwrap();
    let expected = [
        ("bitrix_journal_intents state=manual", 2.0),
        ("bitrix_journal_intents state=sending", 1.0),
        ("bitrix_journal_intents state=unknown", 1.0),
        ("bitrix_journal_intents state=not applied", 1.0),
        ("bitrix_journal_intents state=rejected", 1.0),
        ("bitrix_journal_intents state=applied", 1.0),
        ("bitrix_journal_oldest_open_seconds ", 240.0),
        ("bitrix_journal_oldest_manual_seconds ", 14_400.0),
    ];
    assert_eq!(*gauges.0.lock().unwrap(), expected.map(|(name, value)| (name.to_owned(), value)));
}

#[test]
fn prometheus_reads_the_same_at_the_page() {
    let answer = get(&serve(&Arc::new(journal()), &[]), "/metrics");
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/plain; version=0.0.4; charset=utf-8")));
    let lines: Vec<&str> = answer.body.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(
        lines,
        [
            "bitrix_journal_intents{state=\"manual\"} 2",
            "bitrix_journal_intents{state=\"sending\"} 1",
            "bitrix_journal_intents{state=\"unknown\"} 1",
            "bitrix_journal_intents{state=\"not applied\"} 1",
            "bitrix_journal_intents{state=\"rejected\"} 1",
            "bitrix_journal_intents{state=\"applied\"} 1",
            "bitrix_journal_oldest_open_seconds 240",
            "bitrix_journal_oldest_manual_seconds 14400",
        ]
    );
    assert_eq!(answer.body.lines().filter(|line| line.starts_with("# TYPE")).count(), 3);
}
