//! Compiles and runs programs. Knows nothing of WebAssembly.

use std::collections::{BTreeMap, HashMap};

use vrl::compiler::runtime::{Runtime, Terminate};
use vrl::compiler::{Function, Program, TargetValue, TimeZone, compile};
use vrl::value::{Secrets, Value};

use crate::functions::available_functions;
use crate::report::Report;
use crate::values;

pub struct Engine {
    functions: Vec<Box<dyn Function>>,
    programs: HashMap<u32, Compiled>,
    last_program: u32,
}

struct Compiled {
    source: String,
    program: Program,
}

/// The notation of values in JSON; see `values`.
#[derive(Clone, Copy)]
pub enum Notation {
    Plain,
    Tagged,
}

impl Engine {
    pub fn new() -> Self {
        Self { functions: available_functions(), programs: HashMap::new(), last_program: 0 }
    }

    /// The id by which the program can be run.
    pub fn compile(&mut self, source: String) -> Result<u32, Report> {
        match compile(&source, &self.functions) {
            Ok(result) => {
                self.last_program += 1;
                self.programs.insert(self.last_program, Compiled { source, program: result.program });
                Ok(self.last_program)
            }
            Err(diagnostics) => Err(Report::of_compiling(&source, diagnostics)),
        }
    }

    /// The event and the output of the program as two lines of JSON.
    pub fn run(&self, program: u32, event: &str, timezone: TimeZone, notation: Notation) -> Result<Vec<u8>, Report> {
        let compiled = self.programs.get(&program).ok_or_else(|| Report::of_usage("No such program"))?;
        let value = values::read(event, notation).map_err(Report::of_usage)?;
        let mut target = TargetValue { value, metadata: Value::Object(BTreeMap::new()), secrets: Secrets::new() };
        let output =
            Runtime::default().resolve(&mut target, &compiled.program, &timezone).map_err(
                |terminate| match terminate {
                    Terminate::Abort(error) => Report::of_abort(&compiled.source, error),
                    other => Report::of_running(&compiled.source, other.get_expression_error()),
                },
            )?;
        let mut lines = Vec::new();
        values::write(&mut lines, &target.value, notation).map_err(Report::of_usage)?;
        lines.push(b'\n');
        values::write(&mut lines, &output, notation).map_err(Report::of_usage)?;
        Ok(lines)
    }

    pub fn dispose(&mut self, program: u32) {
        self.programs.remove(&program);
    }
}
