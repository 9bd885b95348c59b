/** Google Contacts separates the values of a cell by ' ::: '. */
const separator = /(?:^|\s):::(?=\s|$)/

/** Returns the values of a cell: one, or several as Google Contacts writes them, such as 'ida@x.example ::: holm@x.example'. */
function valuesIn(cell: string): string[] {
  return cell
    .split(separator)
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** Returns the first value of a cell that may have several. */
export function firstValue(cell: string): string {
  return valuesIn(cell)[0] ?? ''
}

/** Returns the values of a cell after its first, as one text with commas between them. Empty if there are none, or only the first again. */
export function furtherValues(cell: string): string {
  if (!cell.includes(':::')) return ''
  const [first, ...further] = valuesIn(cell)
  return further.filter((value) => value !== first).join(', ')
}

/** Returns the values of a cell with semicolons between them. */
export function withSemicolons(cell: string): string {
  return valuesIn(cell).join('; ')
}

/**
 * Returns the tag names of a cell, separated by semicolons, without the groups of Google Contacts itself: its export marks them with a star, as in
 * '* myContacts ::: Friends'. In a cell with one value, a star is part of a name, unless it is the group that every contact is in.
 */
export function tagNames(cell: string): string {
  const names = valuesIn(cell)
  if (names.length === 1) return names[0] === '* myContacts' ? '' : cell.trim()
  return names.filter((name) => !name.startsWith('* ')).join('; ')
}
