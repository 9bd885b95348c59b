import { type Bytes, type Encoding, readText } from './decode.ts'

/** A line of a file and the two lines before it, as they are in the file. */
export async function linesTo(
  file: Bytes,
  encoding: Encoding,
  line: number,
): Promise<{ line: number; text: string }[]> {
  const shown: { line: number; text: string }[] = []
  let at = 1
  let open = ''
  for await (const piece of readText(file, encoding, false)) {
    const text = open + piece
    // A CR at the end of a piece may be the first half of CRLF.
    const half = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - half.length).split(/\r\n|\r|\n/)
    open = (lines.pop() ?? '').slice(0, 400) + half
    for (const each of lines) {
      if (at >= line - 2 && at <= line) shown.push({ line: at, text: each.slice(0, 200) })
      at += 1
    }
    if (at > line) return shown
  }
  if (at <= line) shown.push({ line: at, text: open.slice(0, 200) })
  return shown
}
