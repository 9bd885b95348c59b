import { areaTitles } from './areas.ts'
import { explained } from './explained.ts'
import { explainedData } from './explained-data.ts'
import { shortLine } from './mutant.ts'
import { isNoticed, type Result } from './results.ts'

/** Returns the reason why this mutant may remain unnoticed. Undefined if there is none. */
export function explanationOf({ file, lineText, from, to }: Result): string | undefined {
  const change = `${shortLine(from)} → ${shortLine(to)}`
  return [...explained, ...explainedData].find(
    (explanation) =>
      explanation.file === file &&
      lineText.includes(explanation.line) &&
      (explanation.change === undefined || explanation.change === change),
  )?.because
}

/** Returns the lines of a table: one per area and one for all. Invalid mutants do not count. */
export function figureLines(results: readonly Result[]): string[] {
  const valid = results.filter(({ fate }) => fate !== 'invalid')
  const row = (title: string, areaResults: Result[]) => {
    const noticed = areaResults.filter(isNoticed).length
    const unnoticed = areaResults.filter((result) => !isNoticed(result))
    const explained = unnoticed.filter(explanationOf).length
    const share = areaResults.length === 0 ? '' : `${((100 * noticed) / areaResults.length).toFixed(1)} %`
    const timeouts = areaResults.filter(({ fate }) => fate === 'timeout').length
    return `| ${title} | ${areaResults.length} | ${noticed} | ${timeouts} | ${share} | ${explained} | ${unnoticed.length - explained} |`
  }
  return [
    '| area | mutants | noticed | of these by the time limit | share | not noticed, explained | not noticed, open |',
    '|---|---|---|---|---|---|---|',
    ...Object.entries(areaTitles).map(([area, title]) =>
      row(
        title,
        valid.filter((result) => result.area === area),
      ),
    ),
    row('**all**', valid),
  ]
}

/** Returns the content of docs/mutants.md: its existing first part, the figures, and every unnoticed mutant. */
export function report(firstPart: string, command: string, results: readonly Result[]): string {
  const unnoticed = results.filter((result) => result.fate !== 'invalid' && !isNoticed(result))
  unnoticed.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  const cell = (text: string) => `\`${shortLine(text).replaceAll('|', '\\|').replaceAll('`', "'") || '(nothing)'}\``
  return [
    firstPart.trimEnd(),
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
    ...unnoticed.map(
      (result) =>
        `| ${result.file}:${result.line} | ${cell(result.lineText)} | ${cell(result.from)} → ${cell(result.to)} | ${explanationOf(result) ?? (result.fate === 'unreached' ? '**open**: no test runs it' : '**open**')} |`,
    ),
    '',
  ].join('\n')
}

/** Everything after this heading is generated. */
export const lastRunHeading = '## The last run'
