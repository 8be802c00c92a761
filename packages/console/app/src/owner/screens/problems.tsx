import type { ResourceProblem } from '@a2c-smcp/computer';
import { Card } from '../../components/basics.tsx';

/** Published items that are left out or ignored, with reasons. */
export function Problems({ problems, title }: { problems: readonly ResourceProblem[]; title: string }) {
  if (problems.length === 0) return null;
  return (
    <Card title={title}>
      <ul class="lines">
        {problems.map(({ server, uri, message, fields }, index) => (
          <li class="line problem" key={index}>
            <span class="grow">
              <span class="attention-problem">{message}</span>
              <span class="muted small mono attention-fix">
                {uri ?? server}
                {fields && ` ${JSON.stringify(fields)}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
