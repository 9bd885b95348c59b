/** One token of SQL. Comments and white space are left out. */
export interface Token {
  kind: 'word' | 'string' | 'number' | 'operator' | 'other'
  /** Words in lower case; everything else unchanged. */
  text: string
  start: number
  end: number
}

const patterns: [Token['kind'] | 'blank', RegExp][] = [
  ['blank', /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y],
  ['string', /[eE]?'(?:[^']|'')*'/y],
  ['other', /"(?:[^"]|"")*"|\$\d+/y],
  ['word', /[A-Za-z_][A-Za-z0-9_$]*/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['operator', /:=|=>|::|[<>=!~*/+\-|&^@#?%]+/y],
  ['other', /[\s\S]/y],
]

/** Splits a statement or a function's body into tokens. */
export function scanSql(text: string): Token[] {
  const tokens: Token[] = []
  for (let position = 0; position < text.length; ) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = position
      const match = pattern.exec(text)?.[0]
      if (match === undefined) continue
      const end = position + match.length
      if (kind !== 'blank')
        tokens.push({ kind, text: kind === 'word' ? match.toLowerCase() : match, start: position, end })
      position = end
      break
    }
  }
  return tokens
}
