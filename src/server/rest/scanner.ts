import { refusal } from '#server/http/errors.ts'

/**
 * Reads the text of a parameter from left to right. Each refusal is 400 PGRST100, and its message contains the position, as
 * in PostgREST.
 */
export class Scanner {
  readonly text: string
  readonly #subject: string
  position = 0

  /** `subject`: what the text is, in the messages of refusals, such as `filter`. */
  constructor(text: string, subject: string) {
    this.text = text
    this.#subject = subject
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length
  }

  peek(): string {
    return this.text.charAt(this.position)
  }

  /** Skips `token` and returns true if it is at this position. Returns false otherwise. */
  take(token: string): boolean {
    if (!this.text.startsWith(token, this.position)) return false
    this.position += token.length
    return true
  }

  /** Skips `token`. Throws PGRST100 if it is not at this position. */
  expect(token: string): void {
    if (!this.take(token)) this.fail(`"${token}"`)
  }

  /** Reads the match of the sticky pattern at this position. Returns null if there is no match. */
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

  /**
   * Reads a name: letters, digits, `_`, `$`, inner spaces and dashes (but not `->`), or any text between double quotes.
   * Throws PGRST100 if there is no such name; the message says that `expected` was expected.
   */
  name(expected = 'a name'): string {
    this.skipSpaces()
    const name = this.peek() === '"' ? this.quoted() : (this.match(namePattern)?.trimEnd() ?? '')
    if (name === '' || name.includes('\0')) this.fail(expected)
    return name
  }

  /** Reads a text between double quotes. A backslash escapes the next character. Throws PGRST100 if a quote is missing. */
  quoted(): string {
    this.expect('"')
    let content = ''
    while (!this.isAtEnd) {
      const char = this.text.charAt(this.position++)
      if (char === '"') return content
      content += char === '\\' ? this.text.charAt(this.position++) : char
    }
    return this.fail('a closing quote')
  }

  /**
   * Reads a value of a list, up to a comma or closing parenthesis. Quotes enclose the value only if a comma, a closing
   * parenthesis or the end follows the closing quote. Otherwise they belong to the value: the official client sends the text
   * `"a" b` without quoting it again.
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

  /** Throws PGRST100 if any text except spaces is left. */
  end(): void {
    this.skipSpaces()
    if (!this.isAtEnd) this.fail('the end')
  }

  /** Throws PGRST100 with the message that `expected` was expected at this position. */
  fail(expected: string): never {
    const found = this.isAtEnd ? 'end of input' : `"${this.peek()}"`
    throw refusal('PGRST100', {
      message: `"failed to parse ${this.#subject} (${shorten(this.text)})" (line 1, column ${this.position + 1})`,
      details: `unexpected ${found}, expecting ${expected}`,
    })
  }
}

const namePattern = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
