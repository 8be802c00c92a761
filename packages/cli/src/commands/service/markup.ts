const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** A text inside an element of XML. */
export function xmlText(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => ENTITIES[character] ?? '');
}
