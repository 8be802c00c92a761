//! Writes the answers of the native engine to the corpus, for the tests to compare with the module.
//!
//! The cases are in `corpus/*.txt`: a line `=== name` or `=== name [timezone]`, the event in one line, the script. The
//! answers go to `corpus/*.json`. The examples in the documentation of the standard library become a corpus too.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use a2c_smcp_vrl::UNAVAILABLE;
use serde_json::{Value as Json, json};
use vrl::compiler::runtime::{Runtime, Terminate};
use vrl::compiler::{TargetValue, TimeZone, compile};
use vrl::value::{Secrets, Value};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut topics: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus is readable")
        .map(|entry| entry.expect("the corpus is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    topics.sort();
    for topic in topics {
        let text = fs::read_to_string(&topic).expect("a topic is readable");
        let cases: Vec<Json> = read_cases(&text).into_iter().map(Case::answered).collect();
        write_answers(&topic.with_extension("json"), &cases);
    }
    let examples: Vec<Json> = stdlib_examples().into_iter().map(Case::answered).collect();
    write_answers(&folder.join("stdlib.json"), &examples);
}

struct Case {
    name: String,
    timezone: String,
    event: String,
    source: String,
}

fn read_cases(text: &str) -> Vec<Case> {
    text.split("=== ").skip(1).map(read_case).collect()
}

fn read_case(text: &str) -> Case {
    let mut lines = text.splitn(3, '\n');
    let mut line = || lines.next().expect("a case has a name, an event and a script").to_owned();
    let (heading, event, source) = (line(), line(), line());
    let (name, timezone) = match heading.split_once(" [") {
        Some((name, timezone)) => (name.to_owned(), timezone.trim_end_matches(']').to_owned()),
        None => (heading, "UTC".to_owned()),
    };
    Case { name, timezone, event, source: source.trim_end().to_owned() }
}

fn stdlib_examples() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in vrl::stdlib::all() {
        let name = function.identifier();
        if UNAVAILABLE.iter().any(|(unavailable, _)| *unavailable == name) {
            continue;
        }
        for example in function.examples().iter().filter(|example| example.deterministic && !example.skip) {
            cases.push(Case {
                name: format!("{name}: {}", example.title),
                timezone: "UTC".to_owned(),
                event: example.input.unwrap_or("{}").to_owned(),
                source: example.source.to_owned(),
            });
        }
    }
    cases
}

impl Case {
    fn answered(self) -> Json {
        let Self { name, timezone, event, source } = &self;
        json!({ "name": name, "timezone": timezone, "event": event, "source": source, "answer": self.answer() })
    }

    fn answer(&self) -> Json {
        let compiled = match compile(&self.source, &vrl::stdlib::all()) {
            Ok(compiled) => compiled,
            Err(diagnostics) => return json!({ "refused": diagnostics.errors()[0].message }),
        };
        let mut target = TargetValue {
            value: serde_json::from_str(&self.event).expect("an event is JSON"),
            metadata: Value::Object(BTreeMap::new()),
            secrets: Secrets::new(),
        };
        let timezone = TimeZone::parse(&self.timezone).expect("a timezone exists");
        match Runtime::default().resolve(&mut target, &compiled.program, &timezone) {
            Ok(output) => json!({ "event": to_text(&target.value), "output": to_text(&output) }),
            Err(Terminate::Abort(error)) => json!({ "aborted": error.to_string() }),
            Err(terminate) => json!({ "failed": terminate.to_string() }),
        }
    }
}

/// As text, because a number of JSON is not what every reader makes of it.
fn to_text(value: &Value) -> String {
    serde_json::to_string(value).expect("a value is JSON")
}

fn write_answers(path: &Path, cases: &[Json]) {
    let text = serde_json::to_string_pretty(cases).expect("answers are JSON");
    fs::write(path, text + "\n").expect("the answers are writable");
}
