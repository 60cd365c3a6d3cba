//! The statements. Each is one transaction of its own, durable before it is answered.

macro_rules! died {
    () => {
        "its process ended before its outcome was on record"
    };
}

macro_rules! not_sent {
    () => {
        "its worker did not hear whether it was on record, and did not send it"
    };
}

/// What the statements write into a reason by themselves, in clear also where bodies are encrypted.
pub(super) const DIED: &str = died!();
pub(super) const NOT_SENT: &str = not_sent!();

/// The columns of an intent, in the order in which they are read.
macro_rules! columns {
    () => {
        "number, portal, method, key, stub, version, arguments, digest, idempotency_key, state, how, result, why, \
         attempt, epoch, owner, began, sent, closed"
    };
}

/// The story that goes with the intent that the CTE `$of` has touched, from four arrays that begin at parameter `$first`.
macro_rules! told {
    ($of:literal, $at:literal, $kind:literal, $text:literal, $detail:literal) => {
        concat!(
            "told AS (INSERT INTO event (intent, at, kind, text, detail) ",
            "SELECT ",
            $of,
            ".number, coalesce(e.at, clock_timestamp()), e.kind, e.text, e.detail FROM ",
            $of,
            ", unnest(",
            $at,
            "::timestamptz[], ",
            $kind,
            "::text[], ",
            $text,
            "::text[], ",
            $detail,
            "::text[]) ",
            "WITH ORDINALITY AS e (at, kind, text, detail, place) ORDER BY e.place)"
        )
    };
}

/// Nobody needs the arguments of what was applied or rejected. The new state is $3.
macro_rules! arguments_left {
    ($dropped:literal) => {
        concat!("arguments = CASE WHEN ", $dropped, " AND $3::smallint IN (11, 13) THEN NULL ELSE arguments END, ")
    };
}

/// An owner is alive while it was seen within its own lease.
macro_rules! nobody_holds_it {
    ($me:literal) => {
        concat!(
            "(owner IS NULL OR (owner <> ",
            $me,
            " AND NOT EXISTS (SELECT FROM worker ",
            "WHERE worker.id = intent.owner AND worker.seen > clock_timestamp() - worker.lease)))"
        )
    };
}

macro_rules! claimed {
    ($wanted:expr, $me:literal, $token:literal, $limit:expr) => {
        concat!(
            "WITH free AS (SELECT number FROM intent WHERE state < 10 AND ",
            $wanted,
            " AND ",
            nobody_holds_it!($me),
            " ORDER BY number ",
            $limit,
            " FOR UPDATE SKIP LOCKED), ",
            "claimed AS (UPDATE intent SET epoch = epoch + 1, owner = ",
            $me,
            ", token = ",
            $token,
            ", ",
            "why = CASE WHEN state = 1 THEN '",
            died!(),
            "' ELSE why END, ",
            "state = 2 FROM free WHERE intent.number = free.number RETURNING intent.*) ",
            "SELECT ",
            columns!(),
            " FROM claimed ORDER BY number"
        )
    };
}

pub(super) const LOOK: &str =
    concat!("SELECT ", columns!(), " FROM intent WHERE portal = $1 AND method = $2 AND key = $3");

/// Which intent has this number. A number is given once.
pub(super) const NAME: &str = "SELECT portal, method, key FROM intent WHERE number = $1";

pub(super) const SHOW: &str = concat!("SELECT ", columns!(), " FROM intent WHERE number = $1");

pub(super) const FIRST: &str = concat!(
    "WITH begun AS (INSERT INTO intent (portal, method, key, stub, version, arguments, digest, idempotency_key, ",
    "state, attempt, epoch, owner, token, began, sent) ",
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, 1, 1, $9, $10, clock_timestamp(), clock_timestamp()) ",
    "ON CONFLICT (portal, method, key) DO NOTHING RETURNING number, epoch), ",
    told!("begun", "$11", "$12", "$13", "$14"),
    " SELECT number, epoch FROM begun"
);

pub(super) const AGAIN: &str = concat!(
    "WITH begun AS (UPDATE intent SET stub = $4, version = $5, arguments = $6, digest = $7, idempotency_key = $8, ",
    "state = 1, how = NULL, result = NULL, why = NULL, attempt = attempt + 1, epoch = epoch + 1, owner = $9, ",
    "token = $10, sent = clock_timestamp(), closed = NULL ",
    "WHERE portal = $1 AND method = $2 AND key = $3 AND epoch = $15 AND state IN (1, 2, 10, 11) ",
    "RETURNING number, epoch), ",
    told!("begun", "$11", "$12", "$13", "$14"),
    " SELECT number, epoch FROM begun"
);

/// $7 whether it is the news that it was applied, $8 whether the owner keeps it, $13 whether arguments are dropped.
pub(super) const RECORD: &str = concat!(
    "WITH changed AS (UPDATE intent SET state = $3::smallint, how = $4, result = $5, why = $6, ",
    arguments_left!("$13"),
    "owner = CASE WHEN $8 THEN owner END, closed = CASE WHEN $3::smallint >= 10 THEN clock_timestamp() END ",
    "WHERE number = $1 AND state < 10 AND (epoch = $2 OR $7) RETURNING number), ",
    told!("changed", "$9", "$10", "$11", "$12"),
    " SELECT number FROM changed"
);

/// News for an intent that is closed: only its story grows.
pub(super) const LATE: &str = concat!(
    "WITH closed AS (SELECT number FROM intent WHERE number = $1 AND state >= 10), ",
    told!("closed", "$2", "$3", "$4", "$5"),
    " SELECT number FROM closed"
);

pub(super) const CLAIM_ONE: &str = claimed!("portal = $1 AND method = $2 AND key = $3", "$4", "$5", "");

pub(super) const CLAIM_OPEN: &str = claimed!("portal = $1 AND stub = ANY($2)", "$3", "$4", "LIMIT $5");

/// What a statement without an answer may have left behind: nobody sends it, so that nobody holds it.
pub(super) const LET_GO: &str = concat!(
    "UPDATE intent SET state = 2, owner = NULL, why = CASE WHEN state = 1 THEN '",
    not_sent!(),
    "' ELSE why END WHERE owner = $1 AND token = ANY($2) AND state < 10"
);

/// Answers with the time since this worker was seen before, in microseconds.
pub(super) const BEAT: &str = "WITH before AS (SELECT seen FROM worker WHERE id = $1), \
     beat AS (INSERT INTO worker (id, seen, lease) VALUES ($1, clock_timestamp(), $2::bigint * interval '1 microsecond') \
     ON CONFLICT (id) DO UPDATE SET seen = excluded.seen) \
     SELECT (extract(epoch FROM clock_timestamp() - seen) * 1000000)::bigint FROM before";

pub(super) const SUSPICION: &str = "SELECT suspicion FROM guard";

/// $1 who, and why.
pub(super) const TRUST: &str = "WITH before AS (SELECT suspicion FROM guard FOR UPDATE) \
     UPDATE guard SET suspicion = NULL, trusted = $1::text || ' (it was: ' || before.suspicion || ')' \
     FROM before WHERE before.suspicion IS NOT NULL RETURNING before.suspicion";

pub(super) const LEAVE: &str = "DELETE FROM worker WHERE id = $1";

/// The line of one portal and address. What a power cut takes of it is a few turns, so this alone is not waited for on the disk. A line that ends
/// beyond ten minutes from now was set by a clock that was wrong.
pub(super) const TURN: &str = "INSERT INTO limiter (portal, egress, tat) \
     SELECT $1, $2, clock_timestamp() + $3::bigint * interval '1 microsecond' \
     FROM set_config('synchronous_commit', 'off', true) \
     ON CONFLICT (portal, egress) DO UPDATE SET tat = $3::bigint * interval '1 microsecond' + \
     least(greatest(limiter.tat, clock_timestamp()), clock_timestamp() + interval '10 minutes') \
     RETURNING greatest(0, extract(epoch FROM tat - $3::bigint * interval '1 microsecond' - clock_timestamp()) * 1000000)::bigint";

/// Drops what is past its time, a thousand at a time; one worker does it, the others go on. What waits for a person stays.
pub(super) const CLEAN: &str = "WITH lock AS MATERIALIZED \
     (SELECT pg_try_advisory_xact_lock(hashtextextended('bitrix-journal retention ' || current_schema(), 0)) AS mine), \
     old AS (SELECT number FROM intent, lock WHERE mine AND state IN (10, 11, 13) \
     AND closed < clock_timestamp() - $1::bigint * interval '1 microsecond' ORDER BY closed LIMIT 1000), \
     gone AS (DELETE FROM intent USING old WHERE intent.number = old.number AND intent.state IN (10, 11, 13) \
     RETURNING intent.number), \
     workers AS (DELETE FROM worker USING lock WHERE mine AND seen < clock_timestamp() - interval '1 day' - lease), \
     lines AS (DELETE FROM limiter USING lock WHERE mine AND tat < clock_timestamp() - interval '1 day') \
     SELECT count(*) FROM gone";

/// $1 states, $2 text, $3 before, $4 limit.
pub(super) const LIST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM intent WHERE ($1::smallint[] IS NULL OR state = ANY($1)) ",
    "AND ($2::text IS NULL OR strpos(lower(concat_ws(E'\\n', method, key, portal, stub)), lower($2)) > 0) ",
    "AND ($3::bigint IS NULL OR number < $3) ORDER BY number DESC LIMIT $4"
);

pub(super) const STORY: &str = "SELECT at, kind, text, detail FROM event WHERE intent = $1 ORDER BY number";

/// A person's word raises the epoch: whoever held the intent can't go on with it.
pub(super) const DECIDE: &str = concat!(
    "WITH decided AS (UPDATE intent SET state = $3::smallint, how = $4, result = $5, why = $6, epoch = epoch + 1, owner = NULL, ",
    arguments_left!("$10"),
    "closed = CASE WHEN $3::smallint >= 10 THEN clock_timestamp() END ",
    "WHERE number = $1 AND epoch = $2 AND state = ANY($7) RETURNING intent.*), ",
    "told AS (INSERT INTO event (intent, at, kind, text, detail) ",
    "SELECT number, clock_timestamp(), 'person', $8, $9 FROM decided) ",
    "SELECT ",
    columns!(),
    " FROM decided"
);

pub(super) const STATS: &str = "SELECT state, count(*), clock_timestamp(), \
     (extract(epoch FROM clock_timestamp() - min(began)) * 1000000)::bigint FROM intent GROUP BY state";
