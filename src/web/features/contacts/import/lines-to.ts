import type { CsvPosition } from './csv-parser.ts'
import { type Bytes, type Encoding, readText } from './decode.ts'
import type { ShownLine } from './file-failure.ts'

/** Returns the line of a syntax error and the two lines before it, with the rows that begin on them. */
export async function linesTo(file: Bytes, encoding: Encoding, { line, begins }: CsvPosition): Promise<ShownLine[]> {
  const shown: ShownLine[] = []
  const show = (at: number, text: string) =>
    shown.push({ line: at, row: begins.get(at) ?? null, text: text.slice(0, 200) })
  let at = 1
  let open = ''
  for await (const chunk of readText(file, encoding, false)) {
    const text = open + chunk
    // A CR at the end of a chunk may be the first half of CRLF.
    const half = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - half.length).split(/\r\n|\r|\n/)
    open = (lines.pop() ?? '').slice(0, 400) + half
    for (const each of lines) {
      if (at >= line - 2 && at <= line) show(at, each)
      at += 1
    }
    if (at > line) return shown
  }
  if (at <= line) show(at, open)
  return shown
}
