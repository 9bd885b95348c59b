import { refusal } from '#server/http/errors.ts'

/** Reads a parameter's text from left to right. Every refusal names the position, as in PostgREST (PGRST100, 400). */
export class Scanner {
  readonly text: string
  readonly #what: string
  position = 0

  constructor(text: string, what: string) {
    this.text = text
    this.#what = what
  }

  get done(): boolean {
    return this.position >= this.text.length
  }

  peek(): string {
    return this.text.charAt(this.position)
  }

  /** Skips `token` if it is at this position. */
  take(token: string): boolean {
    if (!this.text.startsWith(token, this.position)) return false
    this.position += token.length
    return true
  }

  expect(token: string): void {
    if (!this.take(token)) this.fail(`"${token}"`)
  }

  /** The longest match of the sticky pattern at this position, or null. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.text)
    if (!found) return null
    this.position += found[0].length
    return found[0]
  }

  skipSpaces(): void {
    while (this.text.charCodeAt(this.position) === 32) this.position++
  }

  /** A name: letters, digits, `_`, `$`, inner spaces and dashes (but no arrow), or anything between double quotes. */
  name(expected = 'a name'): string {
    this.skipSpaces()
    const name = this.peek() === '"' ? this.quoted() : (this.match(namePattern)?.trimEnd() ?? '')
    if (name === '' || name.includes('\0')) this.fail(expected)
    return name
  }

  /** Text between double quotes; a backslash escapes the next character. */
  quoted(): string {
    this.expect('"')
    let out = ''
    while (!this.done) {
      const char = this.text.charAt(this.position++)
      if (char === '"') return out
      out += char === '\\' ? this.text.charAt(this.position++) : char
    }
    return this.fail('a closing quote')
  }

  /**
   * One value of a list or tree, up to a comma or parenthesis. Quotes count only if one of those follows the closing
   * quote: the official client sends `"a" b` unchanged.
   */
  element(): string {
    const start = this.position
    if (this.peek() === '"') {
      const text = this.#quotedOrNull()
      if (text !== null && /[,)]/.test(this.peek() || ')')) return text
      this.position = start
    }
    return this.match(/[^,)]*/y) ?? ''
  }

  #quotedOrNull(): string | null {
    try {
      return this.quoted()
    } catch {
      return null
    }
  }

  end(): void {
    this.skipSpaces()
    if (!this.done) this.fail('the end')
  }

  fail(expected: string): never {
    const found = this.done ? 'end of input' : `"${this.peek()}"`
    throw refusal('PGRST100', {
      message: `"failed to parse ${this.#what} (${shorten(this.text)})" (line 1, column ${this.position + 1})`,
      details: `unexpected ${found}, expecting ${expected}`,
    })
  }
}

const namePattern = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
