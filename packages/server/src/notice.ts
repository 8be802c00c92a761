import type { Role } from '@a2c-smcp/protocol';

/** Says who entered or left, under exactly one of `agent` and `computer`. */
export function notice({ role, name, office }: { role: Role; name: string; office: string }): {
  office_id: string;
  agent?: string;
  computer?: string;
} {
  return { office_id: office, [role]: name };
}
