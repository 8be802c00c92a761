//! A Computer drops all letters outside of ASCII from the name of an uploaded file, and with them the dot before its ending.

use smcp_computer::blob::sanitize_name_hint;
use std::process::exit;

fn main() {
    let landed = sanitize_name_hint(Some("报告.xlsx"));
    println!("'报告.xlsx' lands as '<id>_{landed}'");
    exit(if landed.ends_with(".xlsx") { 1 } else { 0 })
}
