//! The environment, read once into typed values. Opens no file.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

use hyper::header::HeaderValue;
use hyper::http::uri::{Authority, Scheme};

use crate::environment::{Environment, WrongVariable, authority_of};
use crate::protocol::Protocol;

const BEFORE_INSTANCES: &str = "users=";
const MOST_INSTANCES: usize = 16;

/// Where the certificate that callers are shown is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// `TLS_CERT`: the chain.
    pub chain: PathBuf,
    /// `TLS_KEY`: its key.
    pub key: PathBuf,
}

/// How callers come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientLeg {
    /// What they speak.
    pub speaks: Protocol,
    /// There is one where they come over TLS.
    pub certificate: Option<CertificateFiles>,
}

/// How users is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamLeg {
    /// What it speaks.
    pub speaks: Protocol,
    /// `TLS_CA`, where the leg is over TLS: who may vouch for it.
    pub trust: Option<PathBuf>,
    /// Bounds the wait for the head of an answer.
    pub answer_limit: Duration,
}

/// Where users is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// At these places.
    Static(Vec<Authority>),
    /// Where this registry says.
    Eureka(Authority),
}

/// Everything the gateway is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Where it listens.
    pub host: Ipv4Addr,
    /// There; 0 lets the kernel choose.
    pub port: u16,
    /// The hop to the gateway.
    pub client: ClientLeg,
    /// The hop from it.
    pub upstream: UpstreamLeg,
    /// Its end.
    pub finding: Finding,
    /// The key of the tokens' signatures.
    pub secret: String,
    /// The one origin whose pages may read answers.
    pub origin: Option<HeaderValue>,
}

impl Config {
    /// Reads the variables that every stack takes.
    ///
    /// # Errors
    /// One is missing where it is needed, or means nothing.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, WrongVariable> {
        let environment = Environment(variable);
        let host = environment.address("HOST", Ipv4Addr::LOCALHOST)?;
        let port = environment.number("PORT", 0, 65_535, None)?;
        let client = client(&environment)?;
        let upstream = upstream(&environment)?;
        let secret = environment.secret("JWT_SECRET", 32, 256)?;
        let origin = origin(&environment)?;
        let finding = finding(&environment, &upstream.speaks.scheme())?;
        environment.one_of("DISCOVERY_PROTOCOL", &[("h1c", ())])?;
        environment.refuse_empty(&[
            "TLS_CERT",
            "TLS_KEY",
            "TLS_CA",
            "STATIC_INSTANCES",
            "REGISTRY_URL",
        ])?;
        Ok(Self {
            host,
            port,
            client,
            upstream,
            finding,
            secret,
            origin,
        })
    }
}

/// Looks a variable up.
trait LookUp: Fn(&str) -> Option<String> {}

impl<F: Fn(&str) -> Option<String>> LookUp for F {}

fn client(environment: &Environment<impl LookUp>) -> Result<ClientLeg, WrongVariable> {
    let speaks = environment.one_of("CLIENT_PROTOCOL", &Protocol::WORDS)?;
    let files = || {
        Ok(CertificateFiles {
            chain: environment.file("TLS_CERT")?,
            key: environment.file("TLS_KEY")?,
        })
    };
    Ok(ClientLeg {
        speaks,
        certificate: speaks.is_tls().then(files).transpose()?,
    })
}

fn upstream(environment: &Environment<impl LookUp>) -> Result<UpstreamLeg, WrongVariable> {
    let speaks = environment.one_of("UPSTREAM_PROTOCOL", &Protocol::WORDS)?;
    let limit_ms = environment.number("UPSTREAM_TIMEOUT_MS", 1, 60_000, Some(5000))?;
    let trust = speaks.is_tls().then(|| environment.file("TLS_CA"));
    Ok(UpstreamLeg {
        speaks,
        trust: trust.transpose()?,
        answer_limit: Duration::from_millis(limit_ms),
    })
}

fn origin(environment: &Environment<impl LookUp>) -> Result<Option<HeaderValue>, WrongVariable> {
    let name = "ALLOWED_ORIGIN";
    let Some(value) = (environment.0)(name) else {
        return Ok(None);
    };
    let host = ["http://", "https://"]
        .iter()
        .find_map(|scheme| value.strip_prefix(scheme));
    let is_host = |host: &str| {
        let is_of_host = |byte: u8| byte.is_ascii_graphic() && !b"/?#@".contains(&byte);
        !host.is_empty() && host.bytes().all(is_of_host)
    };
    let wrong = || environment.wrong(name, "like https://park.example");
    host.filter(|host| is_host(host)).ok_or_else(wrong)?;
    HeaderValue::from_str(&value).map(Some).map_err(|_| wrong())
}

fn finding(
    environment: &Environment<impl LookUp>,
    scheme: &Scheme,
) -> Result<Finding, WrongVariable> {
    let is_found = environment.one_of("REGISTRY", &[("static", false), ("eureka", true)])?;
    if is_found {
        return environment
            .http_authority("REGISTRY_URL")
            .map(Finding::Eureka);
    }
    let name = "STATIC_INSTANCES";
    let instances = instances(&environment.text(name), scheme);
    instances.map(Finding::Static).ok_or_else(|| {
        let expected = format!(
            "{BEFORE_INSTANCES}URL with 1 to {MOST_INSTANCES} URLs like {scheme}://127.0.0.1:8090, \
             joined by commas"
        );
        environment.wrong(name, expected)
    })
}

fn instances(text: &str, scheme: &Scheme) -> Option<Vec<Authority>> {
    let addresses = text.strip_prefix(BEFORE_INSTANCES)?.split(',');
    let found = addresses.map(|address| authority_of(address, scheme));
    let found: Vec<_> = found.collect::<Option<_>>()?;
    (found.len() <= MOST_INSTANCES).then_some(found)
}

#[cfg(test)]
mod tests;
