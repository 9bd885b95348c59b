import { areaTitles } from './areas.ts'
import { explained } from './explained.ts'
import { explainedData } from './explained-data.ts'
import { shortLine } from './mutant.ts'
import { isNoticed, type Result } from './results.ts'

/** Returns the reason why this mutant may remain unnoticed. Undefined if there is none. */
export function explanationOf({ file, lineText, from, to }: Result): string | undefined {
  const change = `${shortLine(from)} → ${shortLine(to)}`
  return [...explained, ...explainedData].find(
    (one) => one.file === file && lineText.includes(one.line) && (one.change === undefined || one.change === change),
  )?.because
}

/** Returns the lines of a table: one per area and one for all. Invalid mutants do not count. */
export function figureLines(results: readonly Result[]): string[] {
  const valid = results.filter(({ fate }) => fate !== 'invalid')
  const row = (title: string, some: Result[]) => {
    const noticed = some.filter(isNoticed).length
    const left = some.filter((one) => !isNoticed(one))
    const explained = left.filter(explanationOf).length
    const share = some.length === 0 ? '' : `${((100 * noticed) / some.length).toFixed(1)} %`
    const timeouts = some.filter(({ fate }) => fate === 'timeout').length
    return `| ${title} | ${some.length} | ${noticed} | ${timeouts} | ${share} | ${explained} | ${left.length - explained} |`
  }
  return [
    '| area | mutants | noticed | of these by the time limit | share | not noticed, explained | not noticed, open |',
    '|---|---|---|---|---|---|---|',
    ...Object.entries(areaTitles).map(([area, title]) =>
      row(
        title,
        valid.filter((one) => one.area === area),
      ),
    ),
    row('**all**', valid),
  ]
}

/** Returns the content of docs/mutants.md: its existing first part, the figures, and every unnoticed mutant. */
export function report(head: string, command: string, results: readonly Result[]): string {
  const left = results.filter((one) => one.fate !== 'invalid' && !isNoticed(one))
  left.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  const cell = (text: string) => `\`${shortLine(text).replaceAll('|', '\\|').replaceAll('`', "'") || '(nothing)'}\``
  return [
    head.trimEnd(),
    '',
    lastRunHeading,
    '',
    `Written by \`${command}\`. Lines of an SQL function are those of its final definition.`,
    '',
    ...figureLines(results),
    '',
    '## Not noticed',
    '',
    '| where | line | change | why it may stay |',
    '|---|---|---|---|',
    ...left.map(
      (one) =>
        `| ${one.file}:${one.line} | ${cell(one.lineText)} | ${cell(one.from)} → ${cell(one.to)} | ${explanationOf(one) ?? (one.fate === 'unreached' ? '**open**: no test runs it' : '**open**')} |`,
    ),
    '',
  ].join('\n')
}

/** Everything after this heading is generated. */
export const lastRunHeading = '## The last run'
