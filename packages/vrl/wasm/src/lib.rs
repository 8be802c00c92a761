//! VRL as a WebAssembly module.
//!
//! The host writes UTF-8 into `input`, calls a function and reads `output`. A function returns 0 or a positive
//! number on success, and -1 if `output` holds a report.

mod engine;
mod functions;
mod report;
mod values;

#[cfg(target_arch = "wasm32")]
mod exports;

pub use functions::UNAVAILABLE;
