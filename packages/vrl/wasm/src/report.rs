//! Error reports, as JSON for the caller.

use serde_json::{Value as Json, json};
use vrl::compiler::ExpressionError;
use vrl::diagnostic::{Diagnostic, DiagnosticList, Formatter, Label, Note};

pub struct Report(Json);

impl Report {
    /// A mistake of the caller, not of a program.
    pub fn of_usage(message: impl Into<String>) -> Self {
        let diagnostic = json!({ "code": 0, "message": message.into(), "labels": [], "notes": [] });
        Self(json!({ "reason": "usage", "diagnostics": [diagnostic], "text": "" }))
    }

    pub fn of_compiling(source: &str, diagnostics: DiagnosticList) -> Self {
        Self::new("syntax", source, diagnostics)
    }

    pub fn of_running(source: &str, error: ExpressionError) -> Self {
        Self::new("error", source, Diagnostic::from(error).into())
    }

    pub fn of_abort(source: &str, error: ExpressionError) -> Self {
        Self::new("abort", source, Diagnostic::from(error).into())
    }

    pub fn into_json(self) -> Vec<u8> {
        self.0.to_string().into_bytes()
    }

    fn new(reason: &str, source: &str, diagnostics: DiagnosticList) -> Self {
        let problems: Vec<Json> = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_problem())
            .map(|diagnostic| describe(source, diagnostic))
            .collect();
        let text = Formatter::new(source, diagnostics).to_string();
        Self(json!({ "reason": reason, "diagnostics": problems, "text": text.trim() }))
    }
}

fn describe(source: &str, diagnostic: &Diagnostic) -> Json {
    json!({
        "code": diagnostic.code,
        "message": diagnostic.message,
        "labels": diagnostic.labels.iter().map(|label| describe_label(source, label)).collect::<Vec<_>>(),
        "notes": diagnostic.notes.iter().map(Note::to_string).collect::<Vec<_>>(),
    })
}

fn describe_label(source: &str, label: &Label) -> Json {
    let (line, column) = position(source, label.span.start());
    json!({ "message": label.message, "primary": label.primary, "line": line, "column": column })
}

/// Line and column of a byte, counted in characters from 1.
fn position(source: &str, byte: usize) -> (usize, usize) {
    let before = &source[..source.floor_char_boundary(byte)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
