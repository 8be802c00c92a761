const MAX_TEXT_LENGTH = 256;
const NODE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;
}

/** True if an office or a member may have this name. Any other is not worth asking Redis for. */
export function isName(value: unknown): value is string {
  return isShortText(value) && value !== '' && !/[\p{Cc}\p{Surrogate}]/u.test(value);
}

export function isNode(value: unknown): value is string {
  return typeof value === 'string' && NODE.test(value);
}
