/** One line of a source file: its comment, and its code without comments and without the content of strings. */
export interface SourceLine {
  comment: string
  code: string
}

/** Splits a TypeScript, SQL or Markdown file into the parts of its lines. All of a Markdown file counts as comment. */
export function splitSource(file: string, text: string): SourceLine[] {
  const lines = text.split('\n')
  if (file.endsWith('.md')) return lines.map((comment) => ({ comment, code: '' }))
  const isSql = file.endsWith('.sql')
  let isInComment = false
  return lines.map((line) => {
    const parts = isInComment ? splitInsideComment(line) : splitOutsideComment(line, isSql)
    isInComment = parts.isOpen
    return { comment: parts.comment, code: isSql ? withoutSqlStrings(parts.code) : withoutStrings(parts.code) }
  })
}

interface SplitLine extends SourceLine {
  /** True if a block comment continues on the next line. */
  isOpen: boolean
}

/** Splits a line that begins inside a block comment. */
function splitInsideComment(line: string): SplitLine {
  const end = line.indexOf('*/')
  if (end === -1) return { comment: line, code: '', isOpen: true }
  return { comment: line.slice(0, end), code: line.slice(end + 2), isOpen: false }
}

/** Splits a line outside of a block comment. A comment begins the line or follows a space: `https://` in a string is no comment. */
function splitOutsideComment(line: string, isSql: boolean): SplitLine {
  const start = (isSql ? /(?:^|\s)(?:--|\/\*)/ : /(?:^|\s)(?:\/\/|\/\*)/).exec(line)
  if (!start) return { comment: '', code: line, isOpen: false }
  const code = line.slice(0, start.index)
  const comment = line.slice(start.index)
  const isBlock = comment.trimStart().startsWith('/*')
  return { comment, code, isOpen: isBlock && !comment.includes('*/') }
}

/** Replaces each regular expression and each string of one line by ''. */
function withoutStrings(code: string): string {
  const withoutPatterns = code.replace(/(^|[(,=:[!&|?]\s*)\/(?![/*])(?:\\.|[^/\\])+\/[a-z]*/g, "$1''")
  return withoutPatterns.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g, "''")
}

function withoutSqlStrings(code: string): string {
  const withoutPatterns = code.replace(/(^|[(,=:[!&|?]\s*)\/(?![/*])(?:\\.|[^/\\])+\/[a-z]*/g, "$1''")
  return withoutPatterns.replace(/'(?:''|[^'])*'/g, "''")
}
