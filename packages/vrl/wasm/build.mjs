/**
 * Builds vrl.wasm, its manifest and NOTICE: compile, bind, shrink, meter. Arguments are passed on to cargo.
 *
 * Needs rustup, or another Rust with the target wasm32-unknown-unknown, and clang for the C code in zstd; the variables
 * CC_wasm32_unknown_unknown and AR_wasm32_unknown_unknown name them if they are called otherwise.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { tidyInterface } from './tools/interface.mjs';
import { meter } from './tools/meter.mjs';
import { writeNotice } from './tools/notice.mjs';

const TARGET = 'wasm32-unknown-unknown';
const BINARYEN = '132.0.0';
const MAX_MEMORY = 64 * 1024 * 1024;

const here = fileURLToPath(new URL('.', import.meta.url));
const target = join(here, 'target');

const compiled = compile(process.argv.slice(2));
const bound = tidyInterface(bind(compiled));
const wasm = meter(shrink(bound), 'tick');

writeFileSync(join(here, 'vrl.wasm'), wasm);
const sha256 = createHash('sha256').update(wasm).digest('hex');
const manifest = { vrl: lockedVersion('vrl'), size: wasm.length, sha256 };
writeFileSync(join(here, 'vrl.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeNotice(here, TARGET);
process.stdout.write(`${wasm.length} bytes, ${gzipSync(wasm, { level: 9 }).length} gzipped\n`);

function compile(options) {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const flags = [
    '--cfg',
    'getrandom_backend="wasm_js"',
    `-Clink-arg=--max-memory=${MAX_MEMORY}`,
    // Keeps paths of this machine out of the module.
    `--remap-path-prefix=${cargoHome}=cargo`,
    `--remap-path-prefix=${here}=vrl`,
  ];
  // rustup installs a toolchain that is missing with the targets of rust-toolchain.toml, but adds none to one that is there.
  if (spawnSync('rustup', ['--version']).status === 0) run('rustup', ['target', 'add', TARGET]);
  const build = ['rustc', '--lib', '--crate-type', 'cdylib', '--release', '--locked', '--target', TARGET, ...options];
  run('cargo', build, {
    CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
    CARGO_TARGET_DIR: target,
    CFLAGS_wasm32_unknown_unknown: `-ffile-prefix-map=${cargoHome}=cargo`,
  });
  return join(target, TARGET, 'release', 'a2c_smcp_vrl.wasm');
}

/** Some of VRL's dependencies reach JavaScript's clock and random numbers through wasm-bindgen. */
function bind(path) {
  const version = lockedVersion('wasm-bindgen');
  const tools = join(target, 'tools', version);
  const program = join(tools, 'bin', 'wasm-bindgen');
  if (!existsSync(program)) {
    const install = ['install', 'wasm-bindgen-cli', '--version', version, '--root', tools];
    // A mirror of crates.io may lack a crate of its lock file.
    if (!succeeds('cargo', [...install, '--locked'])) run('cargo', install);
  }
  const folder = join(target, 'bound');
  run(program, [path, '--target', 'web', '--no-typescript', '--out-dir', folder]);
  return readFileSync(join(folder, 'a2c_smcp_vrl_bg.wasm'));
}

function shrink(module) {
  const [before, after] = [join(target, 'before.wasm'), join(target, 'after.wasm')];
  writeFileSync(before, module);
  const options = ['-Oz', '--strip-debug', '--strip-producers', '--strip-target-features'];
  run('npx', ['--yes', '--package', `binaryen@${BINARYEN}`, 'wasm-opt', before, '-o', after, ...options]);
  const shrunk = readFileSync(after);
  for (const file of [before, after]) rmSync(file);
  return shrunk;
}

function lockedVersion(name) {
  const lock = readFileSync(join(here, 'Cargo.lock'), 'utf8');
  return new RegExp(`name = "${name}"\nversion = "(.*)"`).exec(lock)[1];
}

function run(command, options, environment = {}) {
  if (!succeeds(command, options, environment)) throw new Error(`${command} failed`);
}

/** Runs a command. Returns true if it succeeded. */
function succeeds(command, options, environment = {}) {
  const env = { ...process.env, ...environment };
  return spawnSync(command, options, { cwd: here, stdio: 'inherit', env }).status === 0;
}
