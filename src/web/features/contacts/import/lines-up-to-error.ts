import type { CsvPosition } from './csv-parser.ts'
import { type Bytes, type Encoding, readText } from './decode.ts'
import type { ShownLine } from './file-failure.ts'

/** Returns the line of a syntax error and the two lines before it, with the rows that begin on them. */
export async function linesUpToError(
  file: Bytes,
  encoding: Encoding,
  { line, begins }: CsvPosition,
): Promise<ShownLine[]> {
  const shownLines: ShownLine[] = []
  const addLine = (at: number, text: string) =>
    shownLines.push({ line: at, row: begins.get(at) ?? null, text: text.slice(0, 200) })
  let lineNumber = 1
  let unfinishedLine = ''
  for await (const chunk of readText(file, encoding, false)) {
    const text = unfinishedLine + chunk
    // A CR at the end of a chunk may be the first half of CRLF.
    const trailingCr = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - trailingCr.length).split(/\r\n|\r|\n/)
    unfinishedLine = (lines.pop() ?? '').slice(0, 400) + trailingCr
    for (const lineText of lines) {
      if (lineNumber >= line - 2 && lineNumber <= line) addLine(lineNumber, lineText)
      lineNumber += 1
    }
    if (lineNumber > line) return shownLines
  }
  if (lineNumber <= line) addLine(lineNumber, unfinishedLine)
  return shownLines
}
