//! The functions of the module. It is single-threaded, so its state is plain.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::panic;

use vrl::compiler::TimeZone;

use crate::engine::{Engine, Notation};
use crate::report::Report;

// The functions of the host. Each of these may throw, which breaks the instance.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Throws once the deadline has passed. The build adds calls of it to all code; see tools/meter.mjs.
    safe fn tick();
    safe fn out_of_memory();
    fn panicked(message: *const u8, length: usize);
}

const FAILED: i32 = -1;

struct State {
    engine: Engine,
    timezones: Vec<TimeZone>,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State {
        engine: Engine::new(),
        timezones: Vec::new(),
        input: Vec::new(),
        output: Vec::new(),
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn start() {
    panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        unsafe { panicked(message.as_ptr(), message.len()) };
    }));
}

/// The address to which the host writes `length` bytes of input.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input = vec![0; length];
        state.input.as_mut_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    STATE.with_borrow(|state| state.output.len())
}

/// Compiles the input. Returns the id of the program.
#[unsafe(no_mangle)]
pub extern "C" fn compile() -> i32 {
    tick();
    STATE.with_borrow_mut(|state| {
        let program = state.take_input().and_then(|source| state.engine.compile(source));
        state.answer(program.map(|program| (program as i32, Vec::new())))
    })
}

/// Finds the timezone that the input names. Returns its id.
#[unsafe(no_mangle)]
pub extern "C" fn timezone() -> i32 {
    STATE.with_borrow_mut(|state| {
        let timezone = state
            .take_input()
            .and_then(|name| TimeZone::parse(&name).ok_or_else(|| Report::of_usage(format!("No timezone '{name}'"))));
        let number = timezone.map(|timezone| {
            state.timezones.push(timezone);
            (state.timezones.len() as i32 - 1, Vec::new())
        });
        state.answer(number)
    })
}

/// Runs a program with the input as its event.
#[unsafe(no_mangle)]
pub extern "C" fn run(program: u32, timezone: usize, tagged: bool) -> i32 {
    tick();
    STATE.with_borrow_mut(|state| {
        let notation = if tagged { Notation::Tagged } else { Notation::Plain };
        let timezone = state.timezones[timezone];
        let lines = state.take_input().and_then(|event| state.engine.run(program, &event, timezone, notation));
        state.answer(lines.map(|lines| (0, lines)))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn dispose(program: u32) {
    STATE.with_borrow_mut(|state| state.engine.dispose(program));
}

impl State {
    fn take_input(&mut self) -> Result<String, Report> {
        String::from_utf8(std::mem::take(&mut self.input)).map_err(|_| Report::of_usage("The input is not UTF-8"))
    }

    fn answer(&mut self, result: Result<(i32, Vec<u8>), Report>) -> i32 {
        let (code, output) = result.unwrap_or_else(|report| (FAILED, report.into_json()));
        self.output = output;
        code
    }
}

/// Reports to the host that the instance ends because its memory is used up.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocated(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        allocated(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        allocated(unsafe { System.realloc(pointer, layout, size) })
    }
}

fn allocated(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        out_of_memory();
    }
    pointer
}
