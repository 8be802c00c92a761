/** The version of all packages. `npm run version` writes it. */
export const VERSION = '0.1.0';
