import { blocks, callers, type Cell } from './isolation-matrix.ts'

/** The comment at the top of the expected table. */
const legend = `# Permissions. Reviewed by people: a change of this table changes permissions.
# rows: the command read, changed or created rows. nothing: it ran without effect on this brand. refused: no right, or a policy refused it.
# Anything else is the raised error.
# A line holds for all variants of its command: with and without a filter ('unfiltered': every row of every brand), with and without
# RETURNING; 'upsert' inserts an existing row (on conflict do update), 'new' a missing one, 'ignoring' does nothing on conflict. A variant
# with another outcome has its own line.
`

interface Line {
  block: string
  /** The table, or the function. */
  subject: string
  /** The command with the words of its variant; '' in the line of a function. */
  command: string
  outcomes: string[]
}

/** Returns the cells as text: a column for each caller; commands on a table with equal outcomes share a line. */
export function renderMatrix(cells: readonly Cell[]): string {
  return [legend, ...blocks.filter(({ isKept }) => isKept).map((block) => renderBlock(block.name, cells))].join('\n')
}

/** Returns the cells that differ from the expected table or are missing in it. Leaves out cells of blocks that the table does not have. */
export function unexpectedCells(cells: readonly Cell[], table: string): Cell[] {
  const lines = parseTable(table)
  const blocksOfTable = new Set(lines.map(({ block }) => block))
  return cells.filter((cell) => {
    if (!blocksOfTable.has(cell.block)) return false
    const [subject = '', command = ''] = cell.what.split(' ')
    const linesOfSubject = lines.filter((line) => line.block === cell.block && line.subject === subject)
    return outcomesOf(linesOfSubject, command, cell.way)?.[callers.indexOf(cell.caller)] !== cell.outcome
  })
}

function renderBlock(block: string, cells: readonly Cell[]): string {
  const linesByOutcomes = new Map<string, Line[]>()
  for (const line of linesOf(
    block,
    cells.filter((cell) => cell.block === block),
  )) {
    const key = `${line.subject} ${line.outcomes.join(' ')}`
    linesByOutcomes.set(key, [...(linesByOutcomes.get(key) ?? []), line])
  }
  const rows = [...linesByOutcomes.values()].map((lines) => ({
    label: `${lines[0]?.subject} ${lines.map(({ command }) => command).join(', ')}`.trim(),
    outcomes: lines[0]?.outcomes ?? [],
  }))
  const width = Math.max(block.length, ...rows.map(({ label }) => label.length))
  const row = (label: string, outcomes: readonly string[]) =>
    [label.padEnd(width), ...outcomes.map((outcome) => outcome.padEnd(14))].join('  ').trimEnd()
  return `${[row(block, callers), ...rows.map(({ label, outcomes }) => row(label, outcomes))].join('\n')}\n`
}

/** Returns one line for each command, and one for each variant with another outcome. */
function linesOf(block: string, cells: readonly Cell[]): Line[] {
  const lines: Line[] = []
  const cellsByVariant = new Map<string, Cell[]>()
  for (const cell of cells) {
    const key = `${cell.what}|${cell.way}`
    cellsByVariant.set(key, [...(cellsByVariant.get(key) ?? []), cell])
  }
  const variants = [...cellsByVariant.values()]
  for (const variant of variants.sort((a, b) => words(a[0]?.way).length - words(b[0]?.way).length)) {
    const [subject = '', command = ''] = (variant[0]?.what ?? '').split(' ')
    const way = variant[0]?.way ?? ''
    const outcomes = callers.map((caller) => variant.find((cell) => cell.caller === caller)?.outcome ?? '-')
    const knownOutcomes = outcomesOf(
      lines.filter((line) => line.subject === subject),
      command,
      way,
    )
    if (knownOutcomes?.join() !== outcomes.join())
      lines.push({ block, subject, command: [command, ...words(way)].join(' '), outcomes })
  }
  return lines.sort((a, b) => positionOf(cells, a) - positionOf(cells, b))
}

function positionOf(cells: readonly Cell[], { subject, command }: Line): number {
  return cells.findIndex(({ what, way }) => `${what} ${way}`.trim() === `${subject} ${command}`.trim())
}

/** Returns the outcomes for this variant. Of the lines that contain only words of the variant, the line with the most words applies. */
function outcomesOf(lines: readonly Line[], command: string, way: string): string[] | undefined {
  const variantWords = words(way)
  const matchingLines = lines.filter((line) => {
    const [name, ...lineWords] = line.command.split(' ')
    return name === command && lineWords.every((word) => variantWords.includes(word))
  })
  return matchingLines.reduce<Line | undefined>(
    (best, line) => (best === undefined || rank(line, variantWords) > rank(best, variantWords) ? line : best),
    undefined,
  )?.outcomes
}

/** Returns the rank of a line: more words give a higher rank, and with equally many words, earlier words of `variantWords` give a higher rank. */
function rank({ command }: Line, variantWords: readonly string[]): number {
  return words(command).reduce(
    (sum, word) => sum + (variantWords.includes(word) ? 100 - variantWords.indexOf(word) : 0),
    0,
  )
}

function words(text = ''): string[] {
  return text.split(' ').filter((word) => word !== '')
}

function parseTable(table: string): Line[] {
  const lines: Line[] = []
  for (const text of table.split('\n\n')) {
    const [heading = '', ...rows] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const block = heading.split(/ {2,}/)[0] ?? ''
    for (const row of rows) {
      const [label = '', ...outcomes] = row.split(/ {2,}/)
      const [subject = '', ...rest] = label.split(' ')
      for (const command of rest.join(' ').split(', ')) lines.push({ block, subject, command, outcomes })
    }
  }
  return lines
}
