//! Keeps the process in the registry. Nothing that is served depends on it.

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::uri::Authority;
use axum::http::{Method, Request, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::complaints::Complaints;
use crate::protocol::Protocol;

const BEAT_INTERVAL: Duration = Duration::from_secs(1);

/// How long each request to the registry may take.
const REQUEST_LIMIT: Duration = Duration::from_secs(1);

/// What the registry is told of this process.
pub struct Registration {
    /// Its id.
    pub id: String,
    /// Where callers reach it.
    pub address: SocketAddr,
    /// What it speaks there.
    pub speaks: Protocol,
}

/// Registers, and sends heartbeats.
pub struct Registrar {
    client: Client<HttpConnector, Full<Bytes>>,
    /// The address of all instances.
    application: String,
    /// That of this one.
    instance: String,
    body: Bytes,
    is_registered: bool,
    complaints: Complaints,
}

impl Registration {
    fn body(&self) -> Bytes {
        let is_secure = self.speaks.is_tls();
        let host = self.address.ip().to_string();
        let port = |is_enabled: bool| json!({"$": self.address.port(), "@enabled": is_enabled.to_string()});
        let body = json!({"instance": {
            "instanceId": self.id,
            "hostName": host,
            "app": "USERS",
            "ipAddr": host,
            "vipAddress": "users",
            "status": "UP",
            "port": port(!is_secure),
            "securePort": port(is_secure),
            "dataCenterInfo": {
                "@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo",
                "name": "MyOwn",
            },
            "leaseInfo": {"renewalIntervalInSecs": 1, "durationInSecs": 3},
            "metadata": {},
        }});
        body.to_string().into()
    }
}

impl Registrar {
    /// Has not registered yet.
    pub fn new(registry: &Authority, of: &Registration, complaints: Complaints) -> Self {
        let application = format!("http://{registry}/eureka/apps/USERS");
        Self {
            client: Client::builder(TokioExecutor::new()).build_http(),
            instance: format!("{application}/{}", of.id),
            application,
            body: of.body(),
            is_registered: false,
            complaints,
        }
    }

    /// Registers, and sends heartbeats until `stop` is ready; then it deregisters.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        tokio::pin!(stop);
        loop {
            // It goes on to its end: one that was given up could still arrive behind the last request.
            if let Err(cause) = self.beat().await {
                let complaints = &self.complaints;
                complaints.away(format_args!("the registry does not answer: {cause}"));
            }
            tokio::select! {
                () = sleep(BEAT_INTERVAL) => {}
                () = &mut stop => break,
            }
        }
        // Where it fails, the lease ends by itself.
        let _ = self.ask(Method::DELETE, &self.instance, Bytes::new()).await;
    }

    /// Sends a heartbeat, or registers where the registry does not know of the process.
    async fn beat(&mut self) -> Result<(), String> {
        if self.is_registered {
            let status = self.ask(Method::PUT, &self.instance, Bytes::new()).await?;
            if status != StatusCode::NOT_FOUND {
                return Ok(());
            }
            self.is_registered = false;
        }
        let body = self.body.clone();
        let status = self.ask(Method::POST, &self.application, body).await?;
        self.is_registered = status.is_success();
        if self.is_registered {
            Ok(())
        } else {
            Err(format!("it answered {status}"))
        }
    }

    async fn ask(&self, method: Method, address: &str, body: Bytes) -> Result<StatusCode, String> {
        let mut request = Request::builder().method(method).uri(address);
        request = request.header(ACCEPT, "application/json");
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let request = request
            .body(Full::new(body))
            .map_err(|error| error.to_string())?;
        let answer = async {
            let response = self.client.request(request).await?;
            let status = response.status();
            // Read to its end, the connection can be used again.
            let _ = response.into_body().collect().await;
            Ok::<_, hyper_util::client::legacy::Error>(status)
        };
        match timeout(REQUEST_LIMIT, answer).await {
            Ok(answered) => answered.map_err(|error| error.to_string()),
            Err(late) => Err(late.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_port_that_is_spoken_on_is_enabled() {
        for (speaks, plain, secure) in [
            (Protocol::H1c, "true", "false"),
            (Protocol::H2, "false", "true"),
        ] {
            let registration = Registration {
                id: "users-8090".to_owned(),
                address: SocketAddr::from(([127, 0, 0, 2], 8090)),
                speaks,
            };
            let body: Value = serde_json::from_slice(&registration.body()).expect("JSON");
            let instance = &body["instance"];
            assert_eq!(instance["instanceId"], "users-8090");
            assert_eq!(instance["hostName"], "127.0.0.2");
            assert_eq!(instance["ipAddr"], "127.0.0.2");
            assert_eq!(instance["port"], json!({"$": 8090, "@enabled": plain}));
            assert_eq!(
                instance["securePort"],
                json!({"$": 8090, "@enabled": secure})
            );
        }
    }
}
