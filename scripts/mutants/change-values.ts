/**
 * Returns changed numbers: a number up to 20 plus one; the double and the half of a larger number, because a test cannot distinguish 301 from 300
 * seconds. `raw`: a literal.
 */
export function changedNumber(raw: string): string[] {
  const value = Number(raw.replaceAll('_', ''))
  if (!Number.isFinite(value)) return []
  return value <= 20 ? [`(${raw} + 1)`] : [`(${raw} * 2)`, `(${raw} / 2)`]
}

const roles = new Map(Object.entries({ owner: 'admin', admin: 'member', member: 'admin', aal2: 'aal1', aal1: 'aal2' }))

/**
 * Returns a changed text: another role, level or SQLSTATE, a doubled interval, or an empty text. Returns nothing for an empty text and for
 * `e'…'`. `raw`: an SQL literal with its quotes.
 */
export function changedSqlText(raw: string): string[] {
  const text = raw.slice(1, -1)
  const role = roles.get(text)
  if (role) return [`'${role}'`]
  const interval = /^(\d+)( \w+)$/.exec(text)
  if (interval) return [`'${Number(interval[1]) * 2}${interval[2]}'`]
  if (/^[0-9A-Z]{5}$/.test(text)) return [`'XX000'`]
  if (text === '' || raw.startsWith('e') || raw.startsWith('E')) return []
  return [`''`]
}

/** Returns regular expressions that match more texts: without an anchor, or with more repetitions. `raw`: a literal with its slashes. */
export function changedPattern(raw: string): string[] {
  const end = raw.lastIndexOf('/')
  const [body, flags] = [raw.slice(1, end), raw.slice(end)]
  const changedPatterns: string[] = []
  if (body.startsWith('^')) changedPatterns.push(`/${body.slice(1)}${flags}`)
  if (body.endsWith('$') && !body.endsWith('\\$')) changedPatterns.push(`/${body.slice(0, -1)}${flags}`)
  const bound = /\{(\d+)(,?)(\d*)\}/.exec(body)
  if (bound) {
    const [repetition, low = '', comma = '', high = ''] = bound
    const wider = high === '' ? `{${low},${Number(low) + 1}}` : `{${low}${comma}${Number(high) + 1}}`
    changedPatterns.push(`/${body.replace(repetition, () => wider)}${flags}`)
  }
  return changedPatterns
}
