import { digitsOf, foldedForms } from '#web/data/query/search-text.ts'

/** The start (inclusive) and the end (exclusive) of a part of a text, as indexes. */
export type TextRange = readonly [start: number, end: number]

const phoneNumberFormat = /^[+\d\s()/.-]+$/

/**
 * Returns the parts of a text that match one of `forms`, in order and without overlaps. `forms` are the searched words in all their
 * spellings (`searchedWords`). Letters are compared as the search compares them. A telephone number is also compared by its digits alone.
 */
export function markedParts(text: string, forms: readonly string[]): TextRange[] {
  const letters = Array.from(text)
  const foldFunctions: ((letter: string) => string)[] = [
    (letter) => foldedForms(letter)[0] ?? '',
    (letter) => foldedForms(letter).at(-1) ?? '',
    ...(phoneNumberFormat.test(text) ? [digitsOf] : []),
  ]
  const matches = foldFunctions.flatMap((fold) => partsOf(letters, fold, forms)).sort(([a], [b]) => a - b)
  const parts: TextRange[] = []
  for (const [start, end] of matches) {
    const last = parts.at(-1)
    if (last && start <= last[1]) parts[parts.length - 1] = [last[0], Math.max(last[1], end)]
    else parts.push([start, end])
  }
  return parts
}

function partsOf(letters: readonly string[], fold: (letter: string) => string, forms: readonly string[]): TextRange[] {
  let folded = ''
  /** For each character of `folded`: the start and the end, in the text, of the letter from which the character was made. */
  const sourceRanges: TextRange[] = []
  let at = 0
  for (const letter of letters) {
    const part: TextRange = [at, at + letter.length]
    const foldedLetter = fold(letter)
    for (let index = 0; index < foldedLetter.length; index++) sourceRanges.push(part)
    folded += foldedLetter
    at += letter.length
  }
  const parts: TextRange[] = []
  for (const form of forms) {
    for (let start = folded.indexOf(form); start >= 0; start = folded.indexOf(form, start + form.length)) {
      const [first, last] = [sourceRanges[start], sourceRanges[start + form.length - 1]]
      if (first && last) parts.push([first[0], last[1]])
    }
  }
  return parts
}
