export { type LoadedConfig, loadConfigFile, readConfig } from './config/file.ts';
export { parseJsonc, readJsoncFile, readTextFile } from './config/text-file.ts';
export { looksSecret } from './secrets/looks-secret.ts';
