/** A URL as it is printed: without user, password, query and fragment, any of which may hold a credential. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return '(no URL)';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
