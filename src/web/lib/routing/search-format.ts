/** Search parameters of a URL, by name. */
export type SearchValues = Readonly<Record<string, unknown>>

/**
 * Parses '?mine=1&sort=name'. Each value is read as JSON, or else as text: 1 is a number, "1" and name are texts. A name that occurs more than once
 * has a list of values, of which only numbers and booleans are read as JSON. Shared and stored URLs are in this format, the format of TanStack
 * Router.
 */
export function readSearch(text: string): SearchValues {
  const parameters = new URLSearchParams(text.replace(/^\?/, ''))
  const names = Array.from(new Set(parameters.keys()))
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...more] = parameters.getAll(name)
      return [name, more.length === 0 ? readValue(first) : [first, ...more].map(readPlainValue)]
    }),
  )
}

/** Writes parameters in the format of `readSearch`, with the '?'. '' if there are no values. Leaves out undefined values. */
export function writeSearch(values: SearchValues): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) parameters.set(name, writeValue(value))
  const text = parameters.toString()
  return text && `?${text}`
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads one of several values of a name: as a boolean, or as a number that JavaScript writes in the same way, otherwise as text. */
function readPlainValue(text: string): unknown {
  const isPlain =
    text === 'true' || text === 'false' || (Number.isFinite(Number(text)) && String(Number(text)) === text)
  return isPlain ? readValue(text) : text
}

/** Writes a value. A text that would be read as another type is quoted. */
function writeValue(value: unknown): string {
  const isText = typeof value === 'string'
  return (isText && readValue(value) !== value) || (typeof value === 'object' && value !== null)
    ? JSON.stringify(value)
    : String(value)
}
