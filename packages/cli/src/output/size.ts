const KIB = 1024;
const MIB = 1024 * KIB;

/** A number of bytes for people: `70 bytes`, `4 KiB`, `2.5 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < KIB) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < MIB ? `${Math.round(bytes / KIB)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
}
