import type { Value } from './request.ts'

/** Quotes an identifier. Names with NUL do not occur: the catalogue has none, and parsers refuse them as aliases. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Collects the values of a statement while its text is built. No value becomes part of the text. */
export class Parameters {
  readonly values: Value[] = []

  /** The placeholder for a value. */
  add(value: Value): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** The placeholder for a text that the plan fixes, such as a JSON key. */
  fixed(text: string): string {
    return this.add({ from: text, as: 'text' })
  }
}
