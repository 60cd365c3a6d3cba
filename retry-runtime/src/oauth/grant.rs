//! Asks the token server, a bounded number of times.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{sleep, timeout};

use super::answer::{Granted, Spoken, read};
use super::application::Application;
use super::error::TokenError;
use super::tokens::Tokens;
use crate::clock::{Clock, Moment};
use crate::policy::Backoff;
use crate::transport::BoxFuture;

/// How often one grant is asked for, at most. Our choice.
const TRIES: u32 = 3;

/// How long one request may take. Our choice.
const A_REQUEST: Duration = Duration::from_secs(10);

/// The pauses between. Our choice.
const PAUSES: Backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(2));

/// As long as the code of the authorisation step is valid.
const A_CODE: Duration = Duration::from_secs(30);

/// The parameters of a request, secrets among them.
pub(crate) type Query = Vec<(&'static str, String)>;

/// Makes one request to the token server.
///
/// The contract: one call makes at most one GET, and repeats and follows nothing. The query holds secrets, so it is in no error, log or
/// `Debug`. `Err` is a text for people, after which nobody knows whether the server heard us.
pub(crate) trait TokenServer: fmt::Debug + Send + Sync + 'static {
    /// Asks this address with this query; the answer is its status and its whole body.
    fn ask<'a>(&'a self, address: &'a str, query: Query) -> BoxFuture<'a, Result<(u16, Bytes), Box<str>>>;
}

/// What new tokens are bought with.
#[derive(Clone, Copy)]
pub(super) enum Grant<'a> {
    Code(&'a str),
    Refresh(&'a Tokens),
}

impl<'a> Grant<'a> {
    fn secret(self) -> &'a str {
        match self {
            Self::Code(code) => code,
            Self::Refresh(tokens) => tokens.refresh_token(),
        }
    }

    /// What no text may show, the application's own secret aside.
    fn secrets(self) -> [&'a str; 2] {
        match self {
            Self::Code(code) => [code, ""],
            Self::Refresh(tokens) => tokens.secrets(),
        }
    }

    fn query(self, application: &Application) -> Query {
        let (grant_type, name) = match self {
            Self::Code(_) => ("authorization_code", "code"),
            Self::Refresh(_) => ("refresh_token", "refresh_token"),
        };
        vec![
            ("grant_type", grant_type.to_owned()),
            ("client_id", application.client_id().to_owned()),
            ("client_secret", application.client_secret().to_owned()),
            (name, self.secret().to_owned()),
        ]
    }
}

/// Who asks whom.
pub(super) struct Asking<'a> {
    pub(super) server: &'a dyn TokenServer,
    pub(super) application: &'a Application,
    pub(super) clock: &'a dyn Clock,
}

impl Asking<'_> {
    /// Asks until there is an answer, three times at most, and no more when a request could not end in time.
    ///
    /// A request without an answer may have used the grant up at the server. Whether the old one is still good then the documentation
    /// doesn't say, so the same is sent again, and a refusal that follows says `after_loss`.
    pub(super) async fn ask(&self, grant: Grant<'_>, mut lost_before: bool, by: Moment) -> Result<Granted, TokenError> {
        let secrets = self.application.secrets(grant.secrets());
        let mut rng = fastrand::Rng::new();
        let mut tries = 0;
        let mut why = Box::from("all the time went by before it could be asked");
        while tries < TRIES {
            if tries > 0 {
                sleep(PAUSES.pause(tries, &mut rng)).await;
            }
            if left(self.clock, by) < A_REQUEST {
                break;
            }
            tries += 1;
            let answer = self.server.ask(self.application.server_address(), grant.query(self.application));
            why = match timeout(A_REQUEST, answer).await {
                Err(_) => format!("no answer within {} s", A_REQUEST.as_secs()).into(),
                Ok(Err(why)) => secrets.strike(&why).into(),
                Ok(Ok((status, body))) => match read(status, &body, self.clock.now().wall(), &secrets) {
                    Spoken::Granted(granted) => return Ok(granted),
                    Spoken::Refused { code, text } => {
                        return Err(TokenError::Refused { code, text, after_loss: lost_before });
                    }
                    Spoken::Nothing { what } => what,
                },
            };
            lost_before = true;
        }
        Err(TokenError::Unavailable { tries, why })
    }
}

/// What is left until then by the monotonic clock.
pub(super) fn left(clock: &dyn Clock, by: Moment) -> Duration {
    by.instant().saturating_duration_since(clock.now().instant())
}

/// Trades the code of the authorisation step for the first tokens.
///
/// # Errors
/// As [`authorize`](super::authorize).
pub(crate) async fn first_tokens(
    server: &dyn TokenServer,
    application: &Application,
    code: &str,
    clock: &dyn Clock,
) -> Result<Tokens, TokenError> {
    let by = clock.now().after(A_CODE);
    Asking { server, application, clock }.ask(Grant::Code(code), false, by).await?.first()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oauth::scripted::{Step, TokenEnd, clock};

    async fn traded(steps: Vec<Step>) -> (Result<Tokens, TokenError>, TokenEnd) {
        let server = TokenEnd::new(steps);
        let application = Application::new("local.1", "s3cr3t");
        let tokens = first_tokens(&server, &application, "c0de", &*clock()).await;
        (tokens, server)
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_is_traded_for_tokens() {
        let (tokens, server) = traded(vec![Step::grant("a1", "r1")]).await;
        assert_eq!(tokens.unwrap().access_token(), "a1");
        let expected = [
            ("grant_type", "authorization_code"),
            ("client_id", "local.1"),
            ("client_secret", "s3cr3t"),
            ("code", "c0de"),
        ];
        assert_eq!(server.queries(), [expected.map(|(name, value)| (name, value.to_owned()))]);
    }

    #[tokio::test(start_paused = true)]
    async fn p5_a_code_is_not_tried_beyond_its_thirty_seconds() {
        let clock = clock();
        let started = clock.now();
        let (tokens, server) = traded(vec![Step::Silent, Step::Silent, Step::Silent]).await;
        assert!(tokens.unwrap_err().is_transient());
        assert_eq!(server.queries().len(), 2);
        assert!(clock.now().at_least_since(started) <= A_CODE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_that_a_lost_answer_may_have_used_up_is_named_so() {
        let refused = |after_loss| TokenError::Refused { code: "invalid_grant".into(), text: "".into(), after_loss };
        let grant_is_gone = Step::answer(400, r#"{"error":"invalid_grant"}"#);
        assert_eq!(traded(vec![grant_is_gone.clone()]).await.0, Err(refused(false)));
        assert_eq!(traded(vec![Step::Lost, grant_is_gone]).await.0, Err(refused(true)));
    }

    #[tokio::test(start_paused = true)]
    async fn p7_no_failure_shows_the_query() {
        for steps in [
            vec![Step::Lost, Step::Lost, Step::Lost],
            vec![Step::answer(400, r#"{"error":"c0de","error_description":"s3cr3t c0de"}"#)],
            vec![Step::answer(502, "<a href='?client_secret=s3cr3t&code=c0de'>"); 3],
        ] {
            let error = traded(steps).await.0.unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("s3cr3t") && !shown.contains("c0de"), "{shown}");
        }
    }
}
