//! Where the load goes and what is spoken there: only to addresses that may be loaded, and no
//! setting that would silently have no effect.

use std::net::{IpAddr, SocketAddr};

use super::{PlanError, wrong};
use crate::plan::{Connections, Plan, TlsVersion};

/// Checks where the load goes, and what is spoken there.
///
/// # Errors
/// Names the first key that is wrong.
pub(super) fn check(plan: &Plan) -> Result<SocketAddr, PlanError> {
    let address: SocketAddr = plan.target.address.parse().map_err(|_| {
        wrong(
            "target.address",
            "must be an IP address and a port, such as 127.0.0.1:9090",
        )
    })?;
    if address.port() == 0 {
        return Err(wrong("target.address", "port 0 cannot be connected to"));
    }
    let is_host_byte = |byte: u8| byte.is_ascii_graphic() && !b"/@\\?#,".contains(&byte);
    if plan.target.host.is_empty() || !plan.target.host.bytes().all(is_host_byte) {
        return Err(wrong(
            "target.host",
            "must be a host name or address, with or without port",
        ));
    }
    let target_ip = address.ip().to_canonical();
    let mut allowed = target_ip.is_loopback();
    for (index, text) in plan.allowed_addresses.iter().enumerate() {
        if let Ok(ip) = text.parse::<IpAddr>() {
            allowed |= ip.to_canonical() == target_ip;
        } else if let Ok(socket) = text.parse::<SocketAddr>() {
            allowed |= socket.ip().to_canonical() == target_ip && socket.port() == address.port();
        } else {
            let key = format!("allowed_addresses[{index}]");
            return Err(wrong(
                key,
                format!("{text:?} is not an IP address, with or without port"),
            ));
        }
    }
    if !allowed {
        return Err(PlanError::TargetRefused(address));
    }
    check_tls(plan)?;
    check_connections(plan)?;
    check_sources(&plan.source_addresses, address)?;
    Ok(address)
}

fn check_tls(plan: &Plan) -> Result<(), PlanError> {
    let (tls, server_name) = (&plan.tls, &plan.target.server_name);
    if !plan.protocol.is_tls() {
        for (key, is_set) in [
            ("target.server_name", server_name.is_some()),
            ("tls.verify", !tls.verify),
            ("tls.roots_pem", tls.roots_pem.is_some()),
            ("tls.version", tls.version.is_some()),
            ("tls.cipher_suite", tls.cipher_suite.is_some()),
            ("tls.resumed_share", tls.resumed_share != 0.0),
        ] {
            if is_set {
                let message = "is of no use to a cleartext protocol; leave it out, or speak TLS \
                               (h1, h2 or h2-downgrade)";
                return Err(wrong(key, message));
            }
        }
    }
    if !tls.verify && tls.roots_pem.is_some() {
        let message = "is of no use where nothing is verified; leave it out, or set tls.verify";
        return Err(wrong("tls.roots_pem", message));
    }
    if tls.version == Some(TlsVersion::V1_2) && tls.cipher_suite.is_some() {
        let message = "is one of TLS 1.3; leave it out, or leave out tls.version";
        return Err(wrong("tls.cipher_suite", message));
    }
    if !(0.0..=1.0).contains(&tls.resumed_share) {
        return Err(wrong("tls.resumed_share", "must be between 0 and 1"));
    }
    if server_name.as_deref() == Some("") {
        return Err(wrong("target.server_name", "must be a name, or null"));
    }
    Ok(())
}

fn check_connections(plan: &Plan) -> Result<(), PlanError> {
    // More than any server allows by default (100 to 256 in common ones), and still a bounded
    // amount of memory per connection.
    const MOST_STREAMS: u64 = 1_000;
    // As many as browsers follow (Fetch standard, HTTP-redirect fetch).
    const MOST_REDIRECTS: u32 = 20;
    if !(1..=MOST_STREAMS).contains(&plan.streams) {
        let message = format!("must be between 1 and {MOST_STREAMS}");
        return Err(wrong("streams", message));
    }
    if plan.connections == Connections::PerRequest && plan.streams > 1 {
        let message = "must be 1 where each connection carries one request";
        return Err(wrong("streams", message));
    }
    if plan.redirects > MOST_REDIRECTS {
        return Err(wrong(
            "redirects",
            format!("must be at most {MOST_REDIRECTS}"),
        ));
    }
    Ok(())
}

/// Addresses to connect from are for loopback alone: elsewhere they would need to be this machine's.
fn check_sources(sources: &[IpAddr], target: SocketAddr) -> Result<(), PlanError> {
    for (index, source) in sources.iter().enumerate() {
        let key = format!("source_addresses[{index}]");
        if !target.ip().to_canonical().is_loopback() {
            let message = "are for a loopback target alone; leave them out";
            return Err(wrong("source_addresses", message));
        }
        if !source.is_loopback() || source.is_ipv4() != target.is_ipv4() {
            let message = format!("{source} is not a loopback address of the target's family");
            return Err(wrong(key, message));
        }
    }
    Ok(())
}
