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

/** Returns the values of a cell with semicolons between them. */
export function withSemicolons(cell: string): string {
  return valuesIn(cell).join('; ')
}

/**
 * Returns the tag names of a cell, separated by semicolons, without the groups of Google Contacts itself: its export marks them with a star, as in
 * '* myContacts ::: Friends'.
 */
export function tagNames(cell: string): string {
  return valuesIn(cell)
    .filter((name) => !name.startsWith('* '))
    .join('; ')
}
