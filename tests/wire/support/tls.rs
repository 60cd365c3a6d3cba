//! TLS for servers of the tests, under a certificate that nobody else knows.

use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair};
use retry_runtime::ClientBuilder;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{ServerConfig, SupportedProtocolVersion};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::bare_client;
use super::server::{Conn, Server};

/// A self-signed certificate for 127.0.0.1, changed by this.
fn certificate(change: impl FnOnce(&mut CertificateParams)) -> (CertificateDer<'static>, KeyPair) {
    let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    change(&mut params);
    let key = KeyPair::generate().unwrap();
    (params.self_signed(&key).unwrap().der().clone(), key)
}

/// A self-signed certificate for 127.0.0.1, and what serves it.
#[derive(Clone)]
pub(crate) struct Tls {
    acceptor: TlsAcceptor,
    certificate: CertificateDer<'static>,
}

impl Tls {
    /// Takes every client.
    pub(crate) fn new() -> Self {
        Self::changed(|config| config)
    }

    /// The same with settings of its own.
    pub(crate) fn changed(change: impl FnOnce(ServerConfig) -> ServerConfig) -> Self {
        let (made, nobody) = (certificate(|_| {}), WebPkiClientVerifier::no_client_auth());
        let tls = Self::made(&made, nobody, rustls::DEFAULT_VERSIONS);
        Self { acceptor: TlsAcceptor::from(Arc::new(change(ServerConfig::clone(&tls.config())))), ..tls }
    }

    /// The same that speaks only these versions.
    pub(crate) fn of(versions: &[&'static SupportedProtocolVersion]) -> Self {
        Self::made(&certificate(|_| {}), WebPkiClientVerifier::no_client_auth(), versions)
    }

    /// The same with a certificate for these years.
    pub(crate) fn valid(from: i32, to: i32) -> Self {
        let made = certificate(|params| {
            params.not_before = rcgen::date_time_ymd(from, 1, 1);
            params.not_after = rcgen::date_time_ymd(to, 1, 1);
        });
        Self::made(&made, WebPkiClientVerifier::no_client_auth(), rustls::DEFAULT_VERSIONS)
    }

    /// Takes only clients that this verifier lets in.
    pub(crate) fn verified_by(verifier: Arc<dyn ClientCertVerifier>) -> Self {
        Self::made(&certificate(|_| {}), verifier, rustls::DEFAULT_VERSIONS)
    }

    fn made(
        (certificate, key): &(CertificateDer<'static>, KeyPair),
        verifier: Arc<dyn ClientCertVerifier>,
        versions: &[&'static SupportedProtocolVersion],
    ) -> Self {
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_protocol_versions(versions)
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![certificate.clone()], key)
            .unwrap();
        Self { acceptor: TlsAcceptor::from(Arc::new(config)), certificate: certificate.clone() }
    }

    /// What the server says and takes.
    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(self.acceptor.config())
    }

    /// The certificate, which is its own root.
    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.certificate.clone()
    }

    /// Serves each connection that gets through the handshake by this.
    pub(crate) async fn serve<F, S>(&self, serve: F) -> Server
    where
        F: Fn(Conn<TlsStream<TcpStream>>) -> S + Send + Sync + 'static,
        S: Future<Output = ()> + Send + 'static,
    {
        let (tls, serve) = (self.clone(), Arc::new(serve));
        Server::start(move |conn| {
            let (tls, serve) = (tls.clone(), Arc::clone(&serve));
            async move {
                if let Some(conn) = tls.accept(conn).await {
                    serve(conn).await;
                }
            }
        })
        .await
    }

    /// The handshake, seen from the server.
    pub(crate) async fn accept(&self, conn: Conn<TcpStream>) -> Option<Conn<TlsStream<TcpStream>>> {
        let Conn { stream, number, log } = conn;
        let stream = self.acceptor.accept(stream).await.ok()?;
        Some(Conn { stream, number, log })
    }

    /// A client that trusts this certificate and no other.
    pub(crate) fn client(&self, url: &str) -> ClientBuilder {
        let certificate = reqwest::Certificate::from_der(&self.certificate).unwrap();
        bare_client(url).http(move |http| http.tls_certs_only([certificate]))
    }
}
