import type { CsvProblem, CsvSyntaxError } from './csv-parser.ts'

/** A line of a file. `row`: the number of the row that begins on this line; null if none does. */
export interface ShownLine {
  line: number
  row: number | null
  text: string
}

/** The reason why nothing is imported, the line of the error (null if it is in no line), and the lines up to it. */
export interface FileFailure {
  sentence: string
  line: number | null
  lines: readonly ShownLine[]
}

/** Returns the result for a file that is refused for this reason. */
export function fileRefused(
  sentence: string,
  line: number | null = null,
  lines: FileFailure['lines'] = [],
): { ok: false; failure: FileFailure } {
  return { ok: false, failure: { sentence, line, lines } }
}

const sentences: Record<CsvProblem, string> = {
  'unclosed-quote': 'opens a quotation mark that is never closed.',
  'text-after-quote': 'has text after a closing quotation mark.',
  'too-many-columns': 'has more than 200,000 columns.',
  'field-too-long': 'has a field of more than 16 million characters.',
}

/** Returns the sentence about a syntax error: 'Row 3 opens a quotation mark that is never closed.' */
export function syntaxErrorSentence({ position, problem }: CsvSyntaxError): string {
  return `Row ${position.row.toLocaleString('en-GB')} ${sentences[problem]}`
}
