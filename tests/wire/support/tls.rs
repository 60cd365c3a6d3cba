//! TLS for servers of the tests, under a certificate that nobody else knows.

use std::sync::Arc;

use retry_runtime::ClientBuilder;
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::bare_client;
use super::server::{Conn, Server};

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
        Self::made(WebPkiClientVerifier::no_client_auth(), change)
    }

    /// Takes only clients that this verifier lets in.
    pub(crate) fn verified_by(verifier: Arc<dyn ClientCertVerifier>) -> Self {
        Self::made(verifier, |config| config)
    }

    fn made(verifier: Arc<dyn ClientCertVerifier>, change: impl FnOnce(ServerConfig) -> ServerConfig) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let certificate = made.cert.der().clone();
        let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![certificate.clone()], key)
            .unwrap();
        Self { acceptor: TlsAcceptor::from(Arc::new(change(config))), certificate }
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
