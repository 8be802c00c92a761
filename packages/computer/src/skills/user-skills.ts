import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Debouncer, Limiter } from '@a2c-smcp/core';
import { ConfigError, SmcpError } from '@a2c-smcp/protocol';
import type { FSWatcher } from 'chokidar';
import type { Warnings } from '../warnings.ts';
import { readEntry, realRoot, type SkillFolder } from './folder.ts';
import { isSkillSegment } from './names.ts';
import { folderPackage, refOf, type SkillPackage } from './skill-package.ts';

const MAX_SKILLS = 500;
/** Entries of the folder that are looked at. */
const MAX_ENTRIES = 10_000;
const CONCURRENT_READS = 16;
/** Milliseconds from a change to the scan: files are often written in several steps. */
const WATCH_TIMING = { delay: 300, pause: 100 };

const ODD_NAME = 'A skill is left out: its folder needs a name of lower-case letters, digits and single hyphens';
const NO_DESCRIPTION = 'A skill is left out: its SKILL.md needs front matter with a description';
const UNREADABLE = 'A skill is left out: its SKILL.md cannot be read';
const TOO_MANY = 'Only the first skills of the folder are listed';

export interface UserSkillsOptions {
  /** Has a folder for each skill. */
  folder: string;
  /** Further folders that links to skills may lead to. */
  mountFolders: readonly string[];
  /** A skill came, changed or went. */
  onChanged: () => void;
  warnings: Warnings;
}

interface ScannedSkill {
  skill: SkillPackage;
  /** Of its entry file. */
  version: string;
}

/** The skills in a folder of the owner. Every list is a new scan; the watcher only announces. */
export class UserSkills {
  readonly #options: UserSkillsOptions;
  readonly #folder: string;
  readonly #changes = new Debouncer(() => this.#compare(), WATCH_TIMING);
  readonly #watcher: FSWatcher;
  #known: string;

  private constructor(options: UserSkillsOptions, watcher: FSWatcher) {
    this.#options = options;
    this.#folder = resolve(options.folder);
    this.#watcher = watcher;
    this.#known = '';
    watcher.on('all', () => this.#changes.request());
    watcher.on('error', error => {
      options.warnings.warn('Changes of skills may go unnoticed', { folder: this.#folder }, { error });
    });
  }

  /** Resolves when the folder is watched. Throws a `ConfigError` when there is none. */
  static async open(options: UserSkillsOptions): Promise<UserSkills> {
    const { folder } = options;
    const stats = await stat(folder).catch(() => undefined);
    if (!stats?.isDirectory()) throw new ConfigError('skills.folder', `'${folder}' is no folder: create it first`);
    // The entry of a skill is one level down; anything deeper is read when it is asked for.
    const watching = { depth: 1, ignoreInitial: true, followSymlinks: false, persistent: false };
    const { watch } = await import('chokidar');
    const watcher = watch(await realpath(folder), watching);
    const skills = new UserSkills(options, watcher);
    await new Promise<void>(done => watcher.once('ready', done));
    skills.#known = fingerprint(await skills.#scan());
    return skills;
  }

  async list(): Promise<SkillPackage[]> {
    return (await this.#scan()).map(({ skill }) => skill);
  }

  /** @param name one that `isSkillSegment` accepts */
  async find(name: string): Promise<SkillPackage | undefined> {
    return (await this.#load(name))?.skill;
  }

  async close(): Promise<void> {
    this.#changes.cancel();
    await this.#watcher.close();
  }

  async #compare(): Promise<void> {
    const present = fingerprint(await this.#scan());
    if (present === this.#known) return;
    this.#known = present;
    this.#options.onChanged();
  }

  async #scan(): Promise<ScannedSkill[]> {
    const { warnings } = this.#options;
    const names = (await this.#entries()).filter(isPossibleSkill).map(({ name }) => name);
    for (const name of names.filter(name => !isSkillSegment(name))) await this.#reportOddName(name);
    const skills = names.filter(isSkillSegment).toSorted();
    if (skills.length > MAX_SKILLS) warnings.warn(TOO_MANY, { folder: this.#folder }, { limit: MAX_SKILLS });
    const limiter = new Limiter(CONCURRENT_READS);
    const loaded = await Promise.all(skills.slice(0, MAX_SKILLS).map(name => limiter.run(() => this.#load(name))));
    return loaded.filter(skill => skill !== undefined);
  }

  async #entries(): Promise<Dirent[]> {
    const cause = { folder: this.#folder };
    const message = 'The folder of skills cannot be read';
    const entries: Dirent[] = [];
    try {
      for await (const entry of await opendir(this.#folder)) if (entries.push(entry) === MAX_ENTRIES) break;
      this.#options.warnings.settle(message, cause);
    } catch (error) {
      this.#options.warnings.warn(message, cause, { error });
    }
    return entries;
  }

  async #load(name: string): Promise<ScannedSkill | undefined> {
    const { warnings } = this.#options;
    const cause = { skill: name };
    const folder = this.#folderOf(name);
    try {
      const { facts, version } = await readEntry(folder);
      warnings.settle(UNREADABLE, cause);
      if (!facts) {
        warnings.warn(NO_DESCRIPTION, cause);
        return undefined;
      }
      warnings.settle(NO_DESCRIPTION, cause);
      const ref = refOf({ name, source: 'user', path: await realRoot(folder) }, facts);
      return { skill: folderPackage(folder, ref), version };
    } catch (error) {
      if (!isMissing(error)) warnings.warn(UNREADABLE, cause, { error });
      return undefined;
    }
  }

  /** Folders of other things are no problem. */
  async #reportOddName(name: string): Promise<void> {
    const entry = await readEntry(this.#folderOf(name)).catch(() => undefined);
    if (entry) this.#options.warnings.warn(ODD_NAME, { folder: name });
  }

  #folderOf(name: string): SkillFolder {
    return { root: join(this.#folder, name), allowed: [this.#folder, ...this.#options.mountFolders] };
  }
}

function isPossibleSkill(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink();
}

function isMissing(error: unknown): boolean {
  return error instanceof SmcpError && error.details?.reason === 'not_found';
}

function fingerprint(skills: readonly ScannedSkill[]): string {
  return JSON.stringify(skills.map(({ skill, version }) => [skill.ref, version]));
}
