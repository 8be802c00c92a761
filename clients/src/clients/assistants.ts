import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, type Checks, Unavailable } from '../check.ts';
import { npmPackages, run } from '../processes.ts';
import { openModel, type ScriptedModel } from '../scripted-model.ts';
import type { Stage } from '../stage.ts';

const PROMPT = 'Call the tool office.';
/** A part of the answer of the tool `office`. */
const ANSWER = "computer 'desk'";
const TIMEOUT_MS = 120_000;

/** Folders and a model of one run. */
interface Setting {
  /** An empty home folder, which is also the project. */
  home: string;
  /** The environment that makes it the home folder of a program. */
  env: Record<string, string>;
  model: ScriptedModel;
  stage: Stage;
}

/** Starts an assistant and returns its output. */
type Start = (setting: Setting) => Promise<string>;

export function claudeCode(stage: Stage, version: string): Checks {
  const start: Start = async ({ home, env: homeEnv, model, stage: { command } }) => {
    const [program, ...args] = command;
    await writeFile(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { a2c: { command: program, args } } }));
    const claude = await platformBinary('@anthropic-ai/claude-code', version, 'claude');
    const env = {
      ...homeEnv,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
    const options = ['--mcp-config', 'mcp.json', '--strict-mcp-config', '--allowedTools', 'mcp__a2c__office'];
    return (await run(claude, ['-p', PROMPT, ...options], { cwd: home, env, timeout: TIMEOUT_MS })).out;
  };
  return { 'the model sees the tools and calls one': () => callsTool(stage, start, `Claude Code ${version}`) };
}

export function opencode(stage: Stage): Checks {
  const version = '1.18.33';
  const start: Start = async ({ home, env: homeEnv, model, stage: { command } }) => {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'test',
      options: { baseURL: `${model.url}/v1`, apiKey: 'dummy' },
      models: { model: { name: 'model' } },
    };
    const mcp = { a2c: { type: 'local', command, enabled: true } };
    const config = { autoupdate: false, share: 'disabled', provider: { test: provider }, model: 'test/model', mcp };
    await writeFile(join(home, 'opencode.json'), JSON.stringify(config));
    const program = await platformBinary('opencode-ai', version, 'bin/opencode', 'opencode');
    const args = ['run', '--model', 'test/model', PROMPT];
    return (await run(program, args, { cwd: home, env: homeEnv, timeout: TIMEOUT_MS })).out;
  };
  return { 'the model sees the tools and calls one': () => callsTool(stage, start, `opencode ${version}`) };
}

export function codex(stage: Stage): Checks {
  const version = '0.166.0';
  const start: Start = async ({ home, env: homeEnv, model, stage: { command } }) => {
    const [program, ...args] = command;
    const config = [
      'model = "model"',
      'model_provider = "test"',
      '[model_providers.test]',
      `name = "test"\nbase_url = "${model.url}/v1"\nwire_api = "responses"\nenv_key = "DUMMY_KEY"`,
      '[mcp_servers.a2c]',
      `command = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}`,
    ];
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex/config.toml'), config.join('\n'));
    const folder = await npmPackages(`@openai/codex@${version}`);
    const words = [join(folder, 'node_modules/@openai/codex/bin/codex.js'), 'exec', '--skip-git-repo-check', PROMPT];
    const env = { ...homeEnv, CODEX_HOME: join(home, '.codex'), DUMMY_KEY: 'dummy' };
    return (await run(process.execPath, words, { cwd: home, env, timeout: TIMEOUT_MS })).out;
  };
  return { 'the model sees the tools': () => seesTools(stage, start, `Codex ${version}`) };
}

export function geminiCli(stage: Stage): Checks {
  const version = '0.61.0';
  const start: Start = async ({ home, env: homeEnv, model, stage: { command } }) => {
    const [program, ...args] = command;
    const security = { auth: { selectedType: 'gemini-api-key' } };
    await mkdir(join(home, '.gemini'));
    await writeFile(
      join(home, '.gemini/settings.json'),
      JSON.stringify({ security, mcpServers: { a2c: { command: program, args, trust: true } } }),
    );
    const folder = await npmPackages(`@google/gemini-cli@${version}`);
    const words = [join(folder, 'node_modules/.bin/gemini'), '--skip-trust', '--model', 'gemini-2.5-pro', '-p', PROMPT];
    const env = { ...homeEnv, GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: model.url, NO_BROWSER: '1' };
    return (await run(process.execPath, words, { cwd: home, env, timeout: TIMEOUT_MS })).out;
  };
  return { 'the model sees the tools': () => seesTools(stage, start, `Gemini CLI ${version}`) };
}

async function callsTool(stage: Stage, start: Start, name: string): Promise<string> {
  return withModel(stage, async setting => {
    const out = await start(setting);
    const { requests } = setting.model;
    assert(
      requests.some(text => text.includes('find_documents')),
      `No request had the tools: ${out.slice(-500)}`,
    );
    assert(
      requests.some(text => text.includes(ANSWER)),
      `No request had the result: ${out.slice(-500)}`,
    );
    return name;
  });
}

async function seesTools(stage: Stage, start: Start, name: string): Promise<string> {
  return withModel(stage, async setting => {
    const out = await start(setting);
    const isThere = (tool: string) => setting.model.requests.some(text => text.includes(tool));
    assert(isThere('find_documents') && isThere('files_read_all'), `No request had the tools: ${out.slice(-500)}`);
    return name;
  });
}

async function withModel<T>(stage: Stage, act: (setting: Setting) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'a2c-clients-'));
  await using model = await openModel();
  try {
    return await act({ home, env: environmentOf(home), model, stage });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function environmentOf(home: string): Record<string, string> {
  const [cache, config, data, state] = ['cache', 'config', 'data', 'state'].map(name => join(home, name));
  return {
    HOME: home,
    // opencode takes it for the project, whatever the working directory is.
    PWD: home,
    XDG_CACHE_HOME: cache ?? '',
    XDG_CONFIG_HOME: config ?? '',
    XDG_DATA_HOME: data ?? '',
    XDG_STATE_HOME: state ?? '',
  };
}

/** A program that npm installs as an optional package for this platform. */
async function platformBinary(name: string, version: string, path: string, base = name): Promise<string> {
  const folder = await npmPackages(`${name}@${version}`);
  const platform = `${process.platform}-${process.arch}`;
  if (!['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform)) {
    throw new Unavailable(`it is not made for ${platform}`);
  }
  return join(folder, 'node_modules', `${base}-${platform}`, path);
}
