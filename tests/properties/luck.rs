//! What chance decides. The plainest comes first in each choice: what a failure does not need shrinks to it.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use retry_runtime::Proof;

use crate::meets::{Answer, Effect, Meets, Said, Shows};
use crate::story::{Caller, Event, Ms, Settings, Story, Stub, Who};

/// What the stories of a property are about, beside several calls at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    TwoClients,
    /// All calls are for the shared order.
    OneOrder,
    Batched,
    Paced,
    Tokens,
    Clocks,
    /// The clock of the server is wrong, and its answers ask to wait.
    ServerClock,
}

/// A time up to so many seconds, short ones more often.
fn up_to(seconds: u32) -> impl Strategy<Value = Ms> {
    prop_oneof![0..=seconds * 50, 0..=seconds * 1_000].prop_map(Ms)
}

/// `None` more often than not.
fn rarely<T: Clone + std::fmt::Debug + 'static>(what: impl Strategy<Value = T> + 'static) -> BoxedStrategy<Option<T>> {
    prop_oneof![4 => Just(None), 1 => what.prop_map(Some)].boxed()
}

fn effects() -> impl Strategy<Value = Effect> {
    prop_oneof![
        2 => Just(Effect::Never),
        1 => Just(Effect::Before),
        // The very last moment is as good as any other.
        1 => prop_oneof![3 => 0..=100_u8, 1 => Just(100)].prop_map(Effect::Late),
    ]
}

/// How long answers ask to wait, and how they say it.
fn hints(about: &[Topic]) -> BoxedStrategy<(Option<Ms>, Said)> {
    let a_day = Just(Some(Ms(86_400_000)));
    if about.contains(&Topic::ServerClock) {
        let said = select(&[Said::InSeconds, Said::AsADate, Said::AsADate, Said::AsADate, Said::Undated][..]);
        return (prop_oneof![2 => Just(None), 6 => up_to(100).prop_map(Some), 1 => a_day], said).boxed();
    }
    prop_oneof![30 => Just(None), 4 => up_to(100).prop_map(Some), 1 => a_day]
        .prop_map(|hint| (hint, Said::InSeconds))
        .boxed()
}

fn meets(
    about: &[Topic],
    answers: impl Strategy<Value = Answer> + 'static,
    waits: bool,
) -> impl Strategy<Value = Meets> {
    let takes = prop_oneof![3 => Just(Ms(100)), 1 => up_to(60)];
    let waits = if waits { prop_oneof![6 => Just(Ms(0)), 1 => up_to(20)].boxed() } else { Just(Ms(0)).boxed() };
    (answers, effects(), takes, waits, hints(about)).prop_map(|(answer, effect, takes, waits, (hint, said))| Meets {
        answer,
        effect,
        takes,
        waits,
        hint,
        said,
    })
}

/// What a write meets, by itself or in a batch.
fn writes(about: &[Topic]) -> BoxedStrategy<Answer> {
    use Answer::*;
    let codes = select(&[Unclear, Unclear, Ended, Ended, Unheard, NotApplied, Business, Refused, Hosted][..]);
    if about.contains(&Topic::Batched) {
        // The rest is for the batch itself to meet.
        return prop_oneof![6 => Just(Honest), 5 => codes, 1 => Just(PassedOver)].boxed();
    }
    if about.contains(&Topic::ServerClock) {
        return prop_oneof![2 => Just(Honest), 6 => Just(NotApplied), 4 => codes, 2 => Just(Html)].boxed();
    }
    let losses = select(&[Lost, Lost, Lost, Lost, Lost, Html, Silence, NotSent, Moved, Strange][..]);
    let tokens = if about.contains(&Topic::Tokens) { 4 } else { 1 };
    let tokens = (tokens, select(&[TokenRenewed, NoTokenForNow, NoToken][..]));
    prop_oneof![4 => Just(Honest), 7 => losses, 5 => codes, tokens.0 => tokens.1].boxed()
}

/// What a batch meets as a whole.
fn envelopes() -> impl Strategy<Value = Answer> {
    use Answer::*;
    prop_oneof![3 => Just(Honest), 3 => select(&[Lost, Html, Silence, NotSent, NotApplied, Refused, Unclear, Unheard][..])]
}

fn shows(about: &[Topic]) -> BoxedStrategy<Shows> {
    use Shows::*;
    let wrong = select(&[Nothing, NotApplied, Refused, Unheard, Incomplete, Others][..]);
    let tokens = if about.contains(&Topic::Tokens) { 4 } else { 1 };
    let tokens = (tokens, select(&[TokenRenewed, NoToken][..]));
    prop_oneof![16 => Just(Truth), 3 => (0..=4_990_u32).prop_map(Ms).prop_map(Lagging), 3 => up_to(60).prop_map(Slowly), 2 => wrong, tokens.0 => tokens.1].boxed()
}

/// The stubs of the calls for one order: those that look first are to make one record of all together.
fn for_one_order() -> BoxedStrategy<Vec<Stub>> {
    use Stub::{Ensured, Idempotent, Keyed, Sought, Verified};
    let all = vec![Ensured, Keyed, Verified, Idempotent, Sought];
    select(vec![vec![Ensured], vec![Ensured, Keyed], vec![Idempotent, Sought], all]).boxed()
}

fn callers(about: &[Topic]) -> BoxedStrategy<Vec<Caller>> {
    use Stub::{Blind, Ensured, Idempotent, Keyed, Read, Sought, Verified};
    let about = about.to_vec();
    let most = if about.contains(&Topic::Batched) || about.contains(&Topic::Paced) { 12 } else { 7 };
    let stubs = if about.contains(&Topic::OneOrder) {
        for_one_order()
    } else {
        Just(vec![Verified, Keyed, Ensured, Idempotent, Sought, Blind, Read]).boxed()
    };
    stubs.prop_flat_map(move |stubs| vec(caller(&about, stubs), 1..most)).boxed()
}

fn caller(about: &[Topic], stubs: Vec<Stub>) -> impl Strategy<Value = Caller> + use<> {
    let stub = select(stubs);
    let who =
        if about.contains(&Topic::TwoClients) { select(&[Who::A, Who::B][..]).boxed() } else { Just(Who::A).boxed() };
    let shared = if about.contains(&Topic::OneOrder) { Just(true).boxed() } else { any::<bool>().boxed() };
    // Calls at the same moment travel together.
    let comes = if about.contains(&Topic::Batched) {
        prop_oneof![3 => Just(Ms(0)), 1 => up_to(60)].boxed()
    } else {
        prop_oneof![up_to(10), up_to(120)].boxed()
    };
    (who, stub, shared, comes, rarely(up_to(250))).prop_map(|(who, stub, shared, comes, patience)| Caller {
        who,
        stub,
        shared,
        comes,
        patience,
    })
}

fn settings(about: &[Topic]) -> impl Strategy<Value = Settings> {
    let deadline = select(&[300_000, 300_000, 300_000, 300_000, 1_000_000, 1_000_000, 150_000, 95_000, 30_000, 0][..])
        .prop_map(Ms);
    let backoff = select(&[(500, 30_000), (500, 30_000), (0, 0), (5_000, 5_000)][..]);
    let proof = select(&[Proof::Off, Proof::Off, Proof::AfterFirst, Proof::AfterFirst, Proof::Demanded][..]);
    let batched = if about.contains(&Topic::Batched) {
        Just(true).boxed()
    } else {
        prop_oneof![4 => Just(false), 1 => Just(true)].boxed()
    };
    let rate = (1_u32..6, select(&[500, 100, 2_000, 20_000][..]).prop_map(Ms));
    let pace = if about.contains(&Topic::Paced) { rate.prop_map(Some).boxed() } else { rarely(rate) };
    let budget = select(&[100, 100, 100, 100, 100, 100, 2, 0][..]);
    (select(&[4, 4, 4, 3, 2, 1, 5][..]), deadline, backoff, budget, proof, batched, pace).prop_map(
        |(attempts, deadline, (base, cap), budget, proof, batched, pace)| Settings {
            attempts,
            deadline,
            backoff: (Ms(base), Ms(cap)),
            budget,
            proof,
            batched,
            pace,
        },
    )
}

fn events(about: &[Topic]) -> BoxedStrategy<Vec<(Ms, Event)>> {
    // Short of and beyond a settle time, a deadline, and the life of an idempotency key.
    let by = || prop_oneof![up_to(120), up_to(4_000), up_to(200_000)];
    let turned = prop_oneof![
        by().prop_map(Event::ClockForward),
        by().prop_map(Event::ClockBack),
        by().prop_map(Event::Suspended),
    ];
    let event = match (about.contains(&Topic::Clocks), about.contains(&Topic::Tokens)) {
        (false, false) => return Just(Vec::new()).boxed(),
        (true, false) => turned.boxed(),
        (false, true) => Just(Event::NewToken).boxed(),
        (true, true) => prop_oneof![turned, Just(Event::NewToken)].boxed(),
    };
    vec((up_to(250), event), 0..4).boxed()
}

/// Hours ahead and behind, and decades.
fn skews(about: &[Topic]) -> BoxedStrategy<i64> {
    if about.contains(&Topic::ServerClock) {
        return prop_oneof![-120..=120_i64, -200_000..=200_000_i64, select(&[-1_600_000_000, 1_600_000_000][..])]
            .boxed();
    }
    Just(0).boxed()
}

/// The stories of a property.
pub(crate) fn stories(about: &[Topic]) -> impl Strategy<Value = Story> {
    // A wait of the transport would spoil the pace that is judged.
    let writes = || vec(meets(about, writes(about), !about.contains(&Topic::Paced)), 0..9);
    let batches = vec(meets(about, envelopes(), false), 0..6);
    let lists = vec(shows(about), 0..14);
    (settings(about), callers(about), events(about), writes(), writes(), batches, lists, skews(about)).prop_map(
        |(settings, callers, events, deals, tasks, batches, lists, skew)| Story {
            settings,
            callers,
            events,
            deals,
            tasks,
            batches,
            lists,
            skew,
        },
    )
}
