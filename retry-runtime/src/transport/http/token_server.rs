//! The token server over HTTP, and the authorisation step.

use bytes::{Bytes, BytesMut};
use http::header::ACCEPT;
use url::Url;

use super::{HttpOptions, JSON, causes};
use crate::clock::SystemClock;
use crate::oauth::{Application, Query, TokenError, TokenServer, Tokens, first_tokens};
use crate::settle::Settle;
use crate::transport::BoxFuture;

/// More than any answer of a token server, in bytes.
const ANSWER_LIMIT: usize = 256 * 1024;

/// Trades the code of the authorisation step for the first tokens of a user.
///
/// The portal sends the user back to your application with `code` in the query, good for 30 s. What this returns goes into a
/// [`TokenStore`](crate::oauth::TokenStore), by [`save`](crate::oauth::TokenStore::save), before anything else. If it is dropped, the code
/// may be used up and the tokens lost, and the user has to authorise again.
///
/// It asks at most 3 times, 10 s each, and not beyond the 30 s; these figures are our choice. No proxy is used.
///
/// # Errors
/// The token server refused, did not answer, or answered without a refresh token or a `client_endpoint`. No text holds the code or a secret.
pub async fn authorize(application: &Application, code: &str) -> Result<Tokens, TokenError> {
    let http = HttpOptions::default().client(&Settle::cloud()).map_err(|why| TokenError::Http { why })?;
    first_tokens(&TokenHttp::new(http), application, code, &SystemClock).await
}

/// Asks a token server by GET, as documented, with the secrets in the query.
#[derive(Debug)]
pub(crate) struct TokenHttp {
    http: reqwest::Client,
}

impl TokenHttp {
    pub(crate) const fn new(http: reqwest::Client) -> Self {
        Self { http }
    }

    async fn get(&self, address: &str, query: Query) -> Result<(u16, Bytes), Box<str>> {
        // With its query the address is full of secrets: it goes into this one request and nowhere else.
        let mut address = Url::parse(address).map_err(|_| "the address of the token server is not a URL")?;
        address.query_pairs_mut().extend_pairs(query);
        let mut get = reqwest::Request::new(reqwest::Method::GET, address);
        get.headers_mut().insert(ACCEPT, JSON);

        let failed = |error: reqwest::Error| Box::<str>::from(causes(&error.without_url()));
        let mut response = self.http.execute(get).await.map_err(failed)?;
        let mut body = BytesMut::new();
        while let Some(piece) = response.chunk().await.map_err(failed)? {
            if body.len() + piece.len() > ANSWER_LIMIT {
                return Err(format!("an answer of more than {ANSWER_LIMIT} bytes").into());
            }
            body.extend_from_slice(&piece);
        }
        Ok((response.status().as_u16(), body.freeze()))
    }
}

impl TokenServer for TokenHttp {
    fn ask<'a>(&'a self, address: &'a str, query: Query) -> BoxFuture<'a, Result<(u16, Bytes), Box<str>>> {
        Box::pin(self.get(address, query))
    }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::process::{Command, Stdio};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;
    use crate::oauth::{FileStore, Renewal, TokenStore as _};

    const GRANTED: &str = r#"{"access_token":"acc2","refresh_token":"ref2","expires_in":"3600","client_endpoint":"https://acme.bitrix24.com/rest/"}"#;

    fn answer(status: &str, more: &str, body: &str) -> String {
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n{body}", body.len())
    }

    /// Gives every request this answer, and keeps their first lines.
    fn serve(answer: String) -> (String, Arc<Mutex<Vec<String>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/oauth/token/", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let _ = one(stream.unwrap(), &answer, &lines);
            }
        });
        (address, seen)
    }

    fn one(mut stream: TcpStream, answer: &str, lines: &Mutex<Vec<String>>) -> std::io::Result<()> {
        let mut head = BufReader::new(stream.try_clone()?).lines();
        lines.lock().unwrap().push(head.next().unwrap_or_else(|| Ok(String::new()))?);
        while head.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
        stream.write_all(answer.as_bytes())
    }

    fn http() -> TokenHttp {
        TokenHttp::new(HttpOptions::default().client(&Settle::cloud()).unwrap())
    }

    #[tokio::test]
    async fn a_code_is_traded_as_documented() {
        let (address, seen) = serve(answer("200 OK", "", GRANTED));
        let application = Application::new("local.1", "s3+cr3t").server(&address).unwrap();
        let tokens = authorize(&application, "c0de&").await.unwrap();
        assert_eq!((tokens.access_token(), tokens.refresh_token()), ("acc2", "ref2"));
        let query = "grant_type=authorization_code&client_id=local.1&client_secret=s3%2Bcr3t&code=c0de%26";
        assert_eq!(*seen.lock().unwrap(), [format!("GET /oauth/token/?{query} HTTP/1.1")]);
    }

    #[tokio::test]
    async fn p4_one_request_and_no_redirect_is_followed() {
        let (address, seen) = serve(answer("302 Found", "Location: /elsewhere/\r\n", ""));
        let said = http().ask(&address, vec![("code", "c0de".to_owned())]).await;
        assert_eq!(said, Ok((302, Bytes::new())));
        assert_eq!(seen.lock().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn p7_no_failed_request_shows_its_query() {
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let cut = serve(answer("200 OK", "", GRANTED).replace("Content-Length: ", "Content-Length: 9")).0;
        let huge = serve(answer("200 OK", "", &" ".repeat(ANSWER_LIMIT + 1))).0;
        let nonsense = serve("SSH-2.0-OpenSSH_9.9\r\n".to_owned()).0;
        for address in [format!("http://{closed}/"), cut, huge, nonsense, "s3cr3t".to_owned()] {
            let error = http().ask(&address, vec![("client_secret", "s3cr3t".to_owned())]).await.unwrap_err();
            assert!(!error.contains("s3cr3t") && !error.contains("client_secret") && error.len() > 10, "{error}");
        }
        let application = Application::new("local.1", "s3cr3t").server(&format!("http://{closed}/")).unwrap();
        let error = authorize(&application, "c0de").await.unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(error.is_transient() && !shown.contains("s3cr3t") && !shown.contains("c0de"), "{shown}");
    }

    /// Set for a process that renews: the file and the address of the token server.
    const RENEW: &str = "RETRY_RUNTIME_TEST_RENEWS_BY";

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn case_b61_processes_that_share_a_file_renew_once() {
        let old = Tokens::new("acc1", "ref1", "https://acme.bitrix24.com/rest/").unwrap();
        if let Some((path, address)) = env::var(RENEW).ok().as_deref().and_then(|both| both.split_once('|')) {
            let application = Application::new("local.1", "s3cr3t").server(address).unwrap();
            let (store, clock) = (Arc::new(FileStore::new(path)), Arc::new(SystemClock));
            let renewal = Renewal::new(application, store, old, Box::new(http()), clock);
            renewal.renew(1).await.unwrap();
            println!("renewed to {}", renewal.tokens().await.unwrap().0.access_token());
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acme.json");
        FileStore::new(&path).save(old).await.unwrap();
        let (address, seen) = serve(answer("200 OK", "", GRANTED));
        // They all wait for this one, and then run at once.
        let held = FileStore::new(&path).lock().await.unwrap();
        let name = "transport::http::token_server::tests::case_b61_processes_that_share_a_file_renew_once";
        let renewing: Vec<_> = (0..4)
            .map(|_| {
                let mut process = Command::new(env::current_exe().unwrap());
                process.args(["--exact", "--nocapture", name]).env(RENEW, format!("{}|{address}", path.display()));
                process.stdout(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(seen.lock().unwrap().len(), 0);
        drop(held);
        for process in renewing {
            let said = process.wait_with_output().unwrap();
            let text = String::from_utf8_lossy(&said.stdout);
            assert!(said.status.success() && text.contains("renewed to acc2"), "{text}");
        }
        assert_eq!(seen.lock().unwrap().len(), 1);
        assert_eq!(FileStore::new(&path).load().await.unwrap().unwrap().refresh_token(), "ref2");
    }
}
