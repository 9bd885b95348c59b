import { foldedForms } from '#web/data/query/search-text.ts'
import type { Note } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

/** What stands between words, in a folded text and in one as it was typed, as SQL's `words_of` has it. */
const signs = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\ufe00-\ufe0f\ufe30-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u{1f000}-\u{1faff}]+`
const separators = new RegExp(signs, 'u')

/** Characters of a word that count, and words of a search. */
const wordCharacters = 100
const wordLimit = 8

/** The most characters of a search that SQL takes. */
export const searchCharacters = 1000

/** The words of notes, each after a space, by the row. */
const wordsByNote = perBrand(() => new WeakMap<Note, string>())

/** The words of a text as they stand in it. */
export function wordsOf(text: string): string[] {
  return text
    .split(separators)
    .filter((word) => word !== '')
    .map((word) => (word.length > wordCharacters ? Array.from(word).slice(0, wordCharacters).join('') : word))
}

/** A typed text as the words that a note must have, each in all forms; a note's word may go on, as SQL's `note_query` has it. */
export function searchedNoteWords(search: string): string[][] {
  const forms = foldedForms(search.slice(0, searchCharacters))
  const [plain = [], spelled = plain] = forms.map(wordsOf)
  return plain.slice(0, wordLimit).map((word, place) => [...new Set([word, spelled[place] ?? word])])
}

/** Whether a note has all these words, as SQL's `note_words` keeps them. */
export function hasWords(data: BrandData, note: Note, words: readonly string[][]): boolean {
  const known = wordsByNote(data)
  let text = known.get(note)
  if (text === undefined) {
    const body = note.body.replace(/\]\(user:[0-9a-f-]{36}\)/gi, ']')
    text = foldedForms(body)
      .flatMap(wordsOf)
      .map((word) => ` ${word}`)
      .join('')
    known.set(note, text)
  }
  const all = text
  return words.every((forms) => forms.some((form) => all.includes(` ${form}`)))
}

/** Where a text has the first word that begins with one of these forms; null: nowhere. */
export function placeOfWord(text: string, forms: readonly string[]): number | null {
  let at = 0
  for (const part of text.split(new RegExp(`(${signs})`, 'u'))) {
    if (part !== '' && foldedForms(part).some((word) => forms.some((form) => word.startsWith(form)))) return at
    at += part.length
  }
  return null
}
