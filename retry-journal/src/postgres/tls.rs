//! Whether a connection is encrypted, and by whose word the server is trusted.

use std::net::IpAddr;
use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::ConnectError;

/// Sets the mode, and makes the connector.
///
/// What does not leave the machine needs no TLS. Everything else has it, with the certificate checked, unless the address says `sslmode=disable`:
/// the half-way mode `prefer`, which an attacker on the way can switch off, is not offered.
pub(super) fn connector(config: &mut Config) -> Result<MakeRustlsConnect, ConnectError> {
    let is_at_home = config.get_hosts().iter().all(is_local) && config.get_hostaddrs().iter().all(IpAddr::is_loopback);
    if config.get_ssl_mode() == SslMode::Prefer {
        config.ssl_mode(if is_at_home { SslMode::Disable } else { SslMode::Require });
    }
    let mut trusted = RootCertStore::empty();
    if config.get_ssl_mode() != SslMode::Disable {
        let found = rustls_native_certs::load_native_certs();
        trusted.add_parsable_certificates(found.certs);
        if trusted.is_empty() {
            let why = found.errors.first().map_or_else(|| "the store is empty".into(), ToString::to_string);
            return Err(ConnectError::Certificates(why.into()));
        }
    }
    let client = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| ConnectError::Certificates(error.to_string().into()))?
        .with_root_certificates(trusted)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(client))
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
        Host::Unix(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(address: &str) -> SslMode {
        let mut config: Config = address.parse().unwrap();
        // Without certificates on the machine the mode is set all the same.
        let _ = connector(&mut config);
        config.get_ssl_mode()
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted_unless_the_address_says_no() {
        for address in ["postgres://a@db.example/x", "postgres://a@10.0.0.7/x", "host=127.0.0.1,db.example"] {
            assert_eq!(mode(address), SslMode::Require, "{address}");
        }
        assert_eq!(mode("postgres://a@db.example/x?sslmode=disable"), SslMode::Disable);
        assert_eq!(mode("host=127.0.0.1 hostaddr=10.0.0.7"), SslMode::Require);
    }

    #[test]
    fn what_stays_on_the_machine_is_not_unless_the_address_says_so() {
        for address in ["postgres://a@localhost/x", "postgres://a@[::1]/x", "host=/run/postgresql user=a"] {
            assert_eq!(mode(address), SslMode::Disable, "{address}");
        }
        assert_eq!(mode("postgres://a@localhost/x?sslmode=require"), SslMode::Require);
    }
}
