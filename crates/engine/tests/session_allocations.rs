//! A session that is like those before it allocates nothing.

use allocation_counter::measure;
use loadstone_engine::fuzzing::{
    Ask, Asked, Choice, Context, Jar, JsonQuestions, JsonReader, Let, Next, Node, Occasion, Piece,
    PreparedLet, Program, Rows, Taken, Template, Values,
};
use serde_json::{Value, json};
use std::sync::Arc;

const TOKEN: usize = 2;
const OCCASION: Occasion<'static> = Occasion {
    feeds: &[],
    origin: "http://127.0.0.1:80",
    seed: 7,
    run_key: 1,
    group: 0,
    session_number: 0,
    user_number: 0,
    turn: 0,
    draw_turn: 0,
    now_unix_ns: 2_240_719_200_000_000_000,
};

/// All that a group prepares, and all that one session keeps.
struct Performance {
    program: Program,
    lets: Vec<PreparedLet>,
    templates: Vec<Template>,
    questions: JsonQuestions,
    feeds: [Rows; 1],
    values: Values,
    reader: JsonReader,
    jar: Jar,
    scratch: Vec<u8>,
    out: Vec<u8>,
    sent: usize,
}

fn parsed<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("is of the format")
}

fn template(pieces: Value) -> Template {
    let pieces: Vec<Piece> = parsed(pieces);
    Template::new(&pieces).expect("is fine")
}

fn performance() -> Performance {
    let value = |value: usize, place: &str| json!({"expression": {"value": value}, "as": place});
    let uuid = json!({"expression": {"uuid": {"draw": 1}}, "as": "json_string"});
    let basic = json!({"expression": {"base64": ["user:", value(0, "raw")]}, "as": "header"});
    let now = json!({"expression": {"now": {"form": "second"}}, "as": "query"});
    let session: Vec<Node> = parsed(json!([
        {"send": {"operation": 0}},
        {"repeat": {"times": {"integer": [3]}, "steps": [
            {"choose": {"draw": 1, "alternatives": [
                {"weight": 1, "steps": [{"send": {"operation": 1}}]}, {"weight": 1, "steps": []}]}}]}},
    ]));
    let fixed: Let = parsed(json!({"value": 1, "text": ["adders-", value(0, "raw")]}));
    let number: Let = parsed(json!({"value": 3, "integer": ["session_number", 7, "%"]}));
    let tokens = [
        vec!["token".to_owned()],
        ["items", "*", "id"].map(str::to_owned).to_vec(),
    ];
    let questions = tokens
        .iter()
        .map(|tokens| (tokens.as_slice(), Ask::Capture));
    let row: Vec<u8> = [0_u32, 7].into_iter().flat_map(u32::to_le_bytes).collect();
    let row: Arc<[u8]> = [&row, &b"a@b.org"[..]].concat().into();
    Performance {
        program: Program::new(&[], &session).expect("can be performed"),
        lets: [fixed, number]
            .map(|fixed| PreparedLet::new(&fixed).expect("is fine"))
            .into(),
        templates: vec![
            template(json!(["/a/", value(0, "segment"), "?at=", now])),
            template(json!(["Basic ", basic])),
            template(json!([
                "{\"a\":",
                value(1, "json"),
                ",\"b\":\"",
                uuid,
                "\",\"c\":",
                value(3, "json"),
                "}"
            ])),
            template(json!(["Bearer ", value(TOKEN, "header")])),
        ],
        questions: JsonQuestions::new(questions).expect("can be asked"),
        feeds: [Rows::new(row, 1, 1).expect("are rows")],
        values: Values::new(4),
        reader: JsonReader::default(),
        jar: Jar::default(),
        scratch: Vec::new(),
        out: Vec::new(),
        sent: 0,
    }
}

/// Two pieces of 330 bytes, cut within the token, whose first character is escaped.
fn answer() -> [Vec<u8>; 2] {
    let body =
        json!({"token_type": "Bearer", "items": [{"id": 1}, {"id": 2}], "token": "t".repeat(250)});
    let body = body.to_string().replace(":\"tt", ":\"\\u0074t");
    let (one, other) = body.as_bytes().split_at(130);
    [one.to_vec(), other.to_vec()]
}

impl Performance {
    fn session(&mut self, session_number: u64, answer: &[Vec<u8>; 2]) {
        let occasion = Occasion {
            session_number,
            feeds: &self.feeds,
            ..OCCASION
        };
        let asked = Asked {
            host: "127.0.0.1",
            path: b"/a",
            is_secure: false,
            now_unix_s: 5,
        };
        self.values.begin();
        self.jar.begin();
        assert!(self.values.set_row(&[0], 0, &self.feeds[0], 0));
        for fixed in &self.lets {
            let set = fixed.set(&mut self.values, &occasion, &mut self.scratch);
            set.expect("can be set");
        }
        let mut cursor = self.program.session();
        while let Next::Send(step) = self.program.next(&mut cursor, &self.values, &occasion) {
            let occasion = cursor.turned(&occasion);
            let context = Context {
                values: &self.values,
                occasion: &occasion,
            };
            self.out.clear();
            for template in &self.templates[..3 + step.operation] {
                template
                    .render(&context, &mut self.out)
                    .expect("can be sent");
            }
            self.jar.write(&asked, &mut self.out);
            self.reader.begin(&self.questions);
            self.reader.choose(1, Choice::Random(session_number));
            for piece in answer {
                self.reader.feed(&self.questions, piece);
            }
            self.reader.finish(&self.questions).expect("is JSON");
            let (token, is_bare) = self.reader.captured(0).expect("is there");
            self.values.set_text(TOKEN, token, is_bare).expect("fits");
            let line = b"sid=0123456789abcdef; Path=/; Max-Age=60";
            assert_eq!(self.jar.set(line, &asked), Taken::Kept);
            self.sent += 1;
        }
    }
}

#[test]
fn sessions_like_those_before_allocate_nothing() {
    let (mut performance, answer) = (performance(), answer());
    for number in 0..100 {
        performance.session(number, &answer);
    }
    let sent = performance.sent;
    let info = measure(|| (100..1_100).for_each(|number| performance.session(number, &answer)));
    assert!(performance.sent > sent + 1_500);
    assert_eq!((info.count_total, info.bytes_total), (0, 0));
}
