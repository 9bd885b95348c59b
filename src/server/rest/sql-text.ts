import type { Value } from './request.ts'

/** Quotes an identifier. The identifier cannot contain NUL: names come from the catalogue, and the parsers refuse aliases with NUL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Collects the values of a statement while its text is built. No value becomes part of the text. */
export class Parameters {
  readonly values: Value[] = []

  /** Adds a value and returns its placeholder. */
  add(value: Value): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** Adds a constant text of the plan, such as a JSON key, as a value and returns its placeholder. */
  fixed(text: string): string {
    return this.add({ from: text, as: 'text' })
  }
}
