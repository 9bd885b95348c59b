/**
 * Formats rows as text columns, with dates to the minute in UTC. Returns 'None.' if there are no rows. Users choose the names of devices and
 * factors. So characters that could affect the operator's terminal or hide text are shown as �: control and format characters, and the separators of
 * lines and paragraphs.
 */
export function formatTable(rows: readonly object[]): string {
  const [firstRow] = rows
  if (firstRow === undefined) return 'None.'
  const lines = [Object.keys(firstRow), ...rows.map((row) => Object.values(row).map(cellText))]
  const widths = Object.keys(firstRow).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellText(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null ? '-' : `${value as string | number}`.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
}
