//! What the registry's list says of users.

use hyper::http::uri::Authority;
use serde::Deserialize;
use serde_json::Value;

use crate::environment::whole_number;
use crate::protocol::Protocol;

/// The part of the list that is looked at.
#[derive(Deserialize)]
struct List {
    applications: Applications,
}

#[derive(Deserialize)]
struct Applications {
    #[serde(default)]
    application: Vec<Application>,
}

#[derive(Deserialize)]
struct Application {
    name: Option<String>,
    #[serde(default)]
    instance: Vec<Instance>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Instance {
    host_name: Option<String>,
    status: Option<String>,
    port: Option<Port>,
    secure_port: Option<Port>,
}

/// Both are texts on the wire, or what they mean.
#[derive(Deserialize)]
struct Port {
    #[serde(rename = "$", default)]
    number: Value,
    #[serde(rename = "@enabled", default)]
    is_enabled: Value,
}

/// Where the instances of users are that are up, in what the leg speaks.
///
/// # Errors
/// It is no list.
pub fn authorities(text: &[u8], speaks: Protocol) -> Result<Vec<Authority>, serde_json::Error> {
    let list: List = serde_json::from_slice(text)?;
    let applications = list.applications.application.iter();
    let users = applications.filter(|application| application.name.as_deref() == Some("USERS"));
    let mut found = Vec::new();
    for instance in users.flat_map(|application| &application.instance) {
        if let Some(authority) = instance.authority(speaks)
            && !found.contains(&authority)
        {
            found.push(authority);
        }
    }
    Ok(found)
}

impl Instance {
    fn authority(&self, speaks: Protocol) -> Option<Authority> {
        let port = if speaks.is_tls() {
            &self.secure_port
        } else {
            &self.port
        };
        let number = port.as_ref()?.number()?;
        let host = self.host_name.as_deref().filter(|host| !host.is_empty())?;
        let authority = if host.contains(':') {
            format!("[{host}]:{number}").parse()
        } else {
            format!("{host}:{number}").parse()
        };
        authority
            .ok()
            .filter(|_| self.status.as_deref() == Some("UP"))
    }
}

impl Port {
    /// Its number, where it is enabled and is one.
    fn number(&self) -> Option<u16> {
        let plain = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let number = whole_number(&plain(&self.number));
        number.filter(|&number| number != 0 && plain(&self.is_enabled) == "true")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"{"applications":{"versions__delta":"1","application":[
        {"name":"OTHER","instance":[
            {"hostName":"127.0.0.1","status":"UP","port":{"$":1,"@enabled":"true"}}]},
        {"name":null,"instance":[{"hostName":null,"status":null}]},
        {"name":"USERS","instance":[
            {"hostName":null,"status":"UP","port":{"$":10,"@enabled":"true"}},
            {"hostName":"127.0.0.1","status":"UP","port":{"$":2,"@enabled":"true"},"securePort":{"$":3,"@enabled":"false"}},
            {"hostName":"127.0.0.1","status":"UP","port":{"$":4,"@enabled":"false"},"securePort":{"$":5,"@enabled":"true"}},
            {"hostName":"127.0.0.1","status":"DOWN","port":{"$":6,"@enabled":"true"},"securePort":{"$":7,"@enabled":"true"}},
            {"hostName":"::1","status":"UP","port":{"$":"8","@enabled":true}},
            {"hostName":"","status":"UP","port":{"$":9,"@enabled":"true"}},
            {"hostName":"127.0.0.1","status":"UP"}]}]}}"#;

    #[test]
    fn instances_that_are_up_are_read() {
        for (speaks, expected) in [
            (Protocol::H1c, &["127.0.0.1:2", "[::1]:8"][..]),
            (Protocol::H2c, &["127.0.0.1:2", "[::1]:8"]),
            (Protocol::H1, &["127.0.0.1:5"]),
            (Protocol::H2, &["127.0.0.1:5"]),
        ] {
            let found = authorities(LIST.as_bytes(), speaks).expect("a list");
            let found: Vec<_> = found.iter().map(Authority::as_str).collect();
            assert_eq!(found, expected, "{speaks:?}");
        }
    }

    #[test]
    fn a_list_may_be_empty_and_must_be_one() {
        for text in [
            r#"{"applications":{"application":[]}}"#,
            r#"{"applications":{}}"#,
            r#"{"applications":{"application":[{"name":"USERS"}]}}"#,
        ] {
            let found = authorities(text.as_bytes(), Protocol::H1c).expect("a list");
            assert!(found.is_empty(), "{text}");
        }
        for text in ["", "{}", "null", "<applications/>"] {
            assert!(
                authorities(text.as_bytes(), Protocol::H1c).is_err(),
                "{text}"
            );
        }
    }
}
