import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The form of a file: JSON like ours, or one that is converted first. */
export type FileForm = 'json' | 'claude-code' | 'codex' | 'goose';

/** A file in which a program keeps MCP servers. */
export interface ProgramFile {
  /** For people. */
  program: string;
  path: string;
  form: FileForm;
  /** The folder in which its MCP servers start. */
  folder: string;
  /** The folder of the project, whose MCP servers may be in a file of the user. */
  project: string;
}

export interface Surroundings {
  env: Record<string, string | undefined>;
  platform?: NodeJS.Platform;
  /** The folder of the project. */
  folder: string;
}

/** The files of other programs that exist: those of the user, then those of the project. */
export function findProgramFiles(surroundings: Surroundings): ProgramFile[] {
  return [...userFiles(surroundings), ...projectFiles(surroundings)].filter(({ path }) => existsSync(path));
}

/** The file at a given path. Its name determines its format. */
export function programFileAt(path: string, { folder }: Surroundings): ProgramFile {
  const form = /\.toml$/i.test(path) ? 'codex' : /\.ya?ml$/i.test(path) ? 'goose' : formOf(path);
  return { program: path, path: resolve(folder, path), form, folder, project: folder };
}

function formOf(path: string): FileForm {
  return /(?:^|[\\/])\.(?:claude|mcp)\.json$/.test(path) ? 'claude-code' : 'json';
}

function userFiles({ env, platform = process.platform, folder: project }: Surroundings): ProgramFile[] {
  const home = env.HOME ?? homedir();
  const settings =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  const goose = platform === 'win32' ? join(settings, 'Block', 'goose', 'config') : join(home, '.config', 'goose');
  const files: [program: string, path: string, form: FileForm][] = [
    ['VS Code', join(settings, 'Code', 'User', 'mcp.json'), 'json'],
    ['Claude Desktop', join(settings, 'Claude', 'claude_desktop_config.json'), 'json'],
    ['Claude Code', join(home, '.claude.json'), 'claude-code'],
    ['Cursor', join(home, '.cursor', 'mcp.json'), 'json'],
    ['Codex', join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'), 'codex'],
    ['Goose', join(goose, 'config.yaml'), 'goose'],
  ];
  return files.map(([program, path, form]) => ({ program, path, form, folder: home, project }));
}

function projectFiles({ env, folder }: Surroundings): ProgramFile[] {
  const files: [program: string, path: string, form: FileForm][] = [
    ['VS Code, this project', join(folder, '.vscode', 'mcp.json'), 'json'],
    ['Claude Code, this project', join(folder, '.mcp.json'), 'claude-code'],
    ['Cursor, this project', join(folder, '.cursor', 'mcp.json'), 'json'],
  ];
  // At home, `.cursor` is that of the user.
  const isHome = resolve(folder) === resolve(env.HOME ?? homedir());
  return files
    .filter(([program]) => !isHome || !program.startsWith('Cursor'))
    .map(([program, path, form]) => ({ program, path, form, folder, project: folder }));
}
