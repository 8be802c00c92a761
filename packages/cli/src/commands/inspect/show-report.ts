import type { World } from '../../command.ts';
import { briefLine, table } from '../../output/table.ts';
import { tokensOf, toolRow } from '../../output/tools.ts';
import { frame } from '../../output/windows.ts';
import { showFinding } from '../finding.ts';
import type { Report } from './examine.ts';

const MAX_TEXT_LENGTH = 300;

/** Prints a report for a person. */
export function showReport(name: string, report: Report, world: Pick<World, 'print' | 'style'>): void {
  const { print, style } = world;
  const { server, tools, windows, documents, findings } = report;
  const heading = (text: string) => {
    print('');
    print(style.bold(text));
  };
  print(
    `${style.bold(name)} ${style.dim([server.state, server.era && `MCP of ${eraText(server.era)}`].filter(Boolean).join(', '))}`,
  );
  heading(`Tools: ${tools.length}${tools.length === 0 ? '' : ` (about ${report.tokens.toLocaleString('en')} tokens)`}`);
  const weighed = tools.map(tool => {
    const [toolName = '', parameters = '', sentence = ''] = toolRow(tool);
    return [toolName, parameters, String(tokensOf([tool])), sentence];
  });
  if (weighed.length > 0) {
    for (const line of table(['TOOL', 'PARAMETERS', 'TOKENS', 'DESCRIPTION'], weighed, { style })) print(line);
  }
  const shown = windows.filter(({ leftOut }) => leftOut === undefined);
  heading(`Windows: ${shown.length}`);
  for (const { uri, priority, text = '' } of shown) {
    for (const line of frame({ title: `${uri}  (priority ${priority})`, body: text }, style)) print(line);
  }
  for (const { uri, leftOut = '' } of windows.filter(window => window.leftOut !== undefined)) {
    print(`  ${briefLine(uri, MAX_TEXT_LENGTH)} ${style.dim(`is not shown: ${briefLine(leftOut, MAX_TEXT_LENGTH)}`)}`);
  }
  const { walked, total } = documents;
  const counts = `${walked.documents} read, with ${walked.pages} pages and ${walked.elements} elements`;
  heading(`Documents: ${total}${total === 0 ? '' : ` (${counts})`}`);
  const rows = documents.documents.map(({ title, file_type, page_count, uri }) => [
    title,
    file_type,
    String(page_count),
    uri,
  ]);
  if (rows.length > 0) for (const line of table(['TITLE', 'TYPE', 'PAGES', 'URI'], rows, { style })) print(line);
  const leftOut = Object.entries(documents.leftOut).map(([type, count]) => `${count} ${type || 'without extension'}`);
  if (leftOut.length > 0) {
    print(
      `  ${style.dim(`Not shown, because no reader knows them: ${briefLine(leftOut.join(', '), MAX_TEXT_LENGTH)}`)}`,
    );
  }
  heading(findings.length === 0 ? 'No findings' : `Findings: ${findings.length}`);
  for (const finding of findings) showFinding(finding, world);
}

function eraText(era: 'legacy' | 'modern'): string {
  return era === 'modern' ? '2026' : '2025';
}
