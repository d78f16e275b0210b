//! Asks the registry for instances, again and again. While no list comes, the last one stays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::header::ACCEPT;
use hyper::http::uri::Authority;
use hyper::{Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::time::{sleep, timeout};

use crate::complaints::Complaints;
use crate::eureka::authorities;
use crate::instances::Instances;
use crate::protocol::Protocol;

const PAUSE: Duration = Duration::from_secs(1);
const LIMIT: Duration = Duration::from_secs(1);
const LONGEST_LIST_BYTES: usize = 8 << 20;

/// Whether a list has come, whatever comes later.
pub type HasList = Arc<AtomicBool>;

/// Where instances are found.
pub struct Discovery {
    client: Client<HttpConnector, Empty<Bytes>>,
    address: String,
    speaks: Protocol,
    complaints: Complaints,
}

impl Discovery {
    /// `speaks` is what the instances do.
    pub fn new(registry: &Authority, speaks: Protocol, complaints: Complaints) -> Self {
        Self {
            client: Client::builder(TokioExecutor::new()).build_http(),
            address: format!("http://{registry}/eureka/apps"),
            speaks,
            complaints,
        }
    }

    /// Asks for good.
    pub async fn run(self, instances: Arc<Instances>, has_list: HasList) {
        loop {
            match self.ask().await {
                Ok(found) => {
                    instances.replace(&found);
                    has_list.store(true, Ordering::Release);
                }
                Err(cause) => {
                    let complaints = &self.complaints;
                    complaints.away(format_args!("no list of instances came: {cause}"));
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn ask(&self) -> Result<Vec<Authority>, String> {
        match timeout(LIMIT, self.ask_once()).await {
            Ok(found) => found.map_err(|error| error.to_string()),
            Err(late) => Err(late.to_string()),
        }
    }

    async fn ask_once(&self) -> Result<Vec<Authority>, Box<dyn std::error::Error + Send + Sync>> {
        let request = Request::builder().uri(&self.address);
        let request = request
            .header(ACCEPT, "application/json")
            .body(Empty::new())?;
        let answer = self.client.request(request).await?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), LONGEST_LIST_BYTES);
        let text = body.collect().await?.to_bytes();
        if status != StatusCode::OK {
            return Err(format!("the registry answered {status}").into());
        }
        Ok(authorities(&text, self.speaks)?)
    }
}
