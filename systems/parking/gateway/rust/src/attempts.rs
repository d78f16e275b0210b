//! Sends a request to an instance, and to others where that fails.

use std::sync::Arc;

use hyper::Response;

use crate::answer::AnswerBody;
use crate::attempt::{Failed, Outgoing};
use crate::complaints::Complaints;
use crate::instances::{Instance, Instances};
use crate::problem::Problem;

/// One and two others.
const MOST: usize = 3;

/// The head of an answer of users.
///
/// # Errors
/// There is none, for this reason.
pub async fn ask(
    instances: &Instances,
    outgoing: &Outgoing,
    complaints: &Complaints,
) -> Result<Response<AnswerBody>, Problem> {
    let mut tried: Vec<Arc<Instance>> = Vec::with_capacity(MOST);
    while tried.len() < MOST {
        let Some(instance) = instances.next(&tried) else {
            break;
        };
        let failed = match send(&instance, outgoing).await {
            Ok(answer) => return Ok(answer),
            Err(failed) => failed,
        };
        if let Some(refusal) = outgoing.upload.refusal() {
            return Err(refusal);
        }
        match failed {
            Failed::Late => return Err(Problem::UpstreamTimeout),
            Failed::Broken => return Err(Problem::Upstream),
            _ => {}
        }
        instances.leave_out(&instance);
        let (authority, cause) = (&instance.authority, failed.cause());
        complaints.away(format_args!("instance {authority} failed: {cause}"));
        if !outgoing.may_be_repeated(&failed) {
            return Err(Problem::Upstream);
        }
        tried.push(instance);
    }
    if tried.is_empty() {
        Err(Problem::Unavailable)
    } else {
        Err(Problem::Upstream)
    }
}

/// Sends to one instance, and once more on a new connection where an old one had ended unseen.
async fn send(instance: &Instance, outgoing: &Outgoing) -> Result<Response<AnswerBody>, Failed> {
    match instance.send(outgoing, false).await {
        Err(failed) if failed.is_stale() && outgoing.may_be_repeated(&failed) => {
            instance.send(outgoing, true).await
        }
        answered => answered,
    }
}
