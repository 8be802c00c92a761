//! The functions a program may use.

use std::fmt;

use vrl::compiler::Function;
use vrl::compiler::function::{ArgumentList, Compiled, FunctionCompileContext};
use vrl::compiler::function::{Example, Parameter, closure};
use vrl::compiler::state::TypeState;
use vrl::diagnostic::{DiagnosticMessage, Label, Note, Span};

/// Functions of the standard library that a sandbox cannot offer: they need the network, files, the environment, a log,
/// or a native library.
pub const UNAVAILABLE: [(&str, &str); 11] = [
    ("dns_lookup", "has no network"),
    ("encode_proto", "has no files to read a descriptor from"),
    ("get_env_var", "has no environment variables"),
    ("get_hostname", "has no host name"),
    ("http_request", "has no network"),
    ("log", "has no log"),
    ("parse_grok", "lacks the native library of its patterns; use 'parse_regex'"),
    ("parse_groks", "lacks the native library of its patterns; use 'parse_regex'"),
    ("parse_proto", "has no files to read a descriptor from"),
    ("reverse_dns", "has no network"),
    ("validate_json_schema", "has no files to read a schema from"),
];

/// The whole standard library. A function that cannot work here is known, so that its name is explained when a program
/// that uses it is compiled.
pub fn available_functions() -> Vec<Box<dyn Function>> {
    vrl::stdlib::all()
        .into_iter()
        .map(|function| match UNAVAILABLE.iter().find(|(name, _)| *name == function.identifier()) {
            Some((_, reason)) => Box::new(Unavailable { function, reason }),
            None => function,
        })
        .collect()
}

#[derive(Debug)]
struct Unavailable {
    function: Box<dyn Function>,
    reason: &'static str,
}

impl Function for Unavailable {
    fn identifier(&self) -> &'static str {
        self.function.identifier()
    }

    fn usage(&self) -> &'static str {
        self.function.usage()
    }

    fn category(&self) -> &'static str {
        self.function.category()
    }

    fn return_kind(&self) -> u16 {
        self.function.return_kind()
    }

    fn examples(&self) -> &'static [Example] {
        self.function.examples()
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.function.parameters()
    }

    fn closure(&self) -> Option<closure::Definition> {
        self.function.closure()
    }

    fn compile(&self, _: &TypeState, context: &mut FunctionCompileContext, _: ArgumentList) -> Compiled {
        Err(Box::new(Refusal { name: self.identifier(), reason: self.reason, span: context.span() }))
    }
}

#[derive(Debug)]
struct Refusal {
    name: &'static str,
    reason: &'static str,
    span: Span,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function '{}' is not available in WebAssembly", self.name)
    }
}

impl std::error::Error for Refusal {}

impl DiagnosticMessage for Refusal {
    /// The compiler's own code of an undefined function.
    fn code(&self) -> usize {
        105
    }

    fn labels(&self) -> Vec<Label> {
        vec![Label::primary(format!("the sandbox {}", self.reason), self.span)]
    }

    fn notes(&self) -> Vec<Note> {
        vec![]
    }
}
