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
  for (let at = 0; at < text.length; ) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = at
      const found = pattern.exec(text)?.[0]
      if (found === undefined) continue
      const end = at + found.length
      if (kind !== 'blank') tokens.push({ kind, text: kind === 'word' ? found.toLowerCase() : found, start: at, end })
      at = end
      break
    }
  }
  return tokens
}
