//! What a session puts into its requests and takes out of their answers.

use std::mem;
use std::sync::Arc;

use crate::exchange::answer_reader::AnswerReader;
use crate::exchange::lane::{At, Judged, Lane};
use crate::exchange::redirect::Redirected;
use crate::exchange::request::{Request, RequestMaker};
use crate::exchange::request_template::{Asking, Scratch};
use crate::outcome::{Detail, Outcome};
use crate::record::samples::Sample;
use crate::session::cookies::Taken;
use crate::session::occasion::{Context, Occasion};
use crate::session::template::Unsendable;
use crate::session::values::Value;
use crate::worker::sessions::{SessionGroup, Sessions};

impl Sessions {
    /// Where a session stands, at the turn of the step that it is at.
    fn occasion(&self, at: At) -> Occasion<'_> {
        let of_group = &self.groups[at.group];
        let session = &of_group.places[at.place];
        let occasion = self
            .surroundings
            .occasion(&of_group.facts, session.number, at.now_ns);
        session.cursor.turned(&occasion)
    }

    /// Makes a lane ready for the request that a session is at: what is written, and what is looked at of
    /// its answer.
    ///
    /// # Errors
    /// Why the request cannot be sent.
    pub fn prepare(
        &self,
        at: At,
        request: &Request,
        (maker, scratch): (&RequestMaker, &mut Scratch),
        lane: &mut Lane,
    ) -> Result<(), Unsendable> {
        let session = &self.groups[at.group].places[at.place];
        if let Some(error) = session.unsendable {
            return Err(error);
        }
        let is_constant = request.constant.is_some() && lane.redirected.is_none();
        let is_looked_at = request.expected.looks_beyond_status() || request.keeps_cookies;
        if is_constant && !is_looked_at {
            return Ok(());
        }
        let occasion = self.occasion(at);
        let context = Context {
            values: &session.values,
            occasion: &occasion,
        };
        if is_looked_at {
            request.expected.begin(&context, lane.reader())?;
        }
        if !is_constant {
            let (own, redirected) = lane.own();
            let asking = Asking {
                context,
                jar: request.keeps_cookies.then_some(&session.jar),
                redirected,
            };
            request.template.write(maker, &asking, scratch, own)?;
        }
        Ok(())
    }

    /// What a session asks for, as a redirect begins from it.
    #[must_use]
    pub fn asked(&self, at: At, request: &Request, lane: &Lane) -> Option<Redirected> {
        if let Some(redirected) = &lane.redirected {
            return Some(Redirected::clone(redirected));
        }
        let session = &self.groups[at.group].places[at.place];
        let context = Context {
            values: &session.values,
            occasion: &self.occasion(at),
        };
        let mut path = Vec::new();
        request.template.write_path(&context, &mut path).ok()?;
        Some(Redirected {
            method: request.template.method().into(),
            path,
            keeps_body: true,
        })
    }

    /// Judges a complete answer of an expected status, and takes out of it what is captured.
    pub fn judge(&mut self, at: At, request: &Request, lane: &mut Lane) -> Judged {
        let session = &self.groups[at.group].places[at.place];
        let context = Context {
            values: &session.values,
            occasion: &self.occasion(at),
        };
        let judged = lane.judge(request, &context);
        let values = &mut self.groups[at.group].places[at.place].values;
        match lane.used_reader() {
            Some(reader) if judged.outcome == Outcome::Ok => {
                match request.expected.take(reader, values) {
                    Ok(()) => judged,
                    Err(fault) => fault.into(),
                }
            }
            _ => judged,
        }
    }

    /// Takes the cookies that a complete answer set, or counts them where none are kept.
    pub fn take_cookies(&mut self, at: At, request: &Request, maker: &RequestMaker, lane: &Lane) {
        let ignored = u64::from(lane.ignored_cookies());
        self.groups[at.group].tally.counts.cookies.ignored += ignored;
        let has_any = |lane: &Lane| {
            let reader = lane.used_reader();
            reader.is_some_and(|reader| reader.cookies().next().is_some())
        };
        if !request.keeps_cookies || !has_any(lane) {
            return;
        }
        let now_unix_s = self.occasion(at).now_unix_s();
        let mut path = mem::take(&mut self.groups[at.group].tally.scratch);
        self.write_path(at, request, lane, &mut path);
        let asked = maker.asked(&path, now_unix_s);
        let SessionGroup { places, tally, .. } = &mut self.groups[at.group];
        let counts = &mut tally.counts.cookies;
        let readers = lane.used_reader().into_iter();
        for line in readers.flat_map(AnswerReader::cookies) {
            match places[at.place].jar.set(line, &asked) {
                Taken::Kept | Taken::Expired => counts.kept += 1,
                Taken::Refused | Taken::Dropped => counts.dropped += 1,
            }
        }
        tally.scratch = path;
    }

    /// Writes the path that was asked for; nothing of one that could not be sent.
    fn write_path(&self, at: At, request: &Request, lane: &Lane, out: &mut Vec<u8>) {
        out.clear();
        if let Some(redirected) = &lane.redirected {
            out.extend_from_slice(&redirected.path);
            return;
        }
        let context = Context {
            values: &self.groups[at.group].places[at.place].values,
            occasion: &self.occasion(at),
        };
        if request.template.write_path(&context, out).is_err() {
            out.clear();
        }
    }

    /// A response as it may be kept: it says whose it is, and has no secrets of its session.
    #[must_use]
    pub fn masked(&self, at: At, outcome: Outcome, mut sample: Sample) -> Sample {
        let SessionGroup { facts, places, .. } = &self.groups[at.group];
        let session = &places[at.place];
        let origin = session.origin(at.group);
        (sample.group, sample.session, sample.step) = (origin.group, origin.session, origin.step);
        let captured = facts.captured_secrets(session.step.operation);
        if outcome == Outcome::Check && !captured.is_empty() {
            // What was to be captured was not, though it may be there.
            sample.forget_body();
        }
        for name in facts.secret_headers(session.step.operation) {
            sample.mask_header(name);
        }
        for &value in &facts.secrets {
            let bytes = match session.values.get(value, &self.surroundings.feeds) {
                Some(Value::Text { bytes, .. }) => bytes,
                Some(Value::Integer(_)) | None => continue,
            };
            sample.mask(bytes, captured.contains(&value));
        }
        sample
    }

    /// What is told of a request that cannot be sent.
    #[must_use]
    pub fn unsendable(&self, group: usize, error: Unsendable) -> Detail {
        let value = match error {
            Unsendable::Missing(index) => self.groups[group].facts.names.get(index),
            _ => None,
        };
        Detail::Unsendable(error, value.map(Arc::clone))
    }
}
