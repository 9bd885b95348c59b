import { foldedForms } from '#web/data/query/search-text.ts'
import type { Note } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

/** The characters between words, in a typed text or in a folded one (`foldedForms`), as in SQL's `words_of`. */
const separatorPattern = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\ufe00-\ufe0f\ufe30-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u{1f000}-\u{1faff}]+`
const separators = new RegExp(separatorPattern, 'u')

/** Words that are longer than this are cut, and words of a search after the first eight are ignored, as in SQL. */
const maxWordCharacters = 100
const maxSearchWords = 8

/** Maximum characters of a search that SQL accepts. */
export const maxSearchCharacters = 1000

/** The folded words of each note in one text, with a space before each word, so that a search finds only beginnings of words. */
const wordsByNote = perBrand(() => new WeakMap<Note, string>())

/** Splits a text into its words. */
export function wordsOf(text: string): string[] {
  return text
    .split(separators)
    .filter((word) => word !== '')
    .map((word) => (word.length > maxWordCharacters ? Array.from(word).slice(0, maxWordCharacters).join('') : word))
}

/**
 * Splits a typed text into the words that a note must have, each in all its forms. A typed word also matches the beginning of a longer
 * word, as in SQL's `note_query`.
 */
export function searchedNoteWords(search: string): string[][] {
  const forms = foldedForms(search.slice(0, maxSearchCharacters))
  const [plain = [], spelled = plain] = forms.map(wordsOf)
  return plain.slice(0, maxSearchWords).map((word, index) => [...new Set([word, spelled[index] ?? word])])
}

/** Whether a note has all these words, as in SQL's `note_words`. */
export function hasWords(data: BrandData, note: Note, words: readonly string[][]): boolean {
  const knownTexts = wordsByNote(data)
  let text = knownTexts.get(note)
  if (text === undefined) {
    const body = note.body.replace(/\]\(user:[0-9a-f-]{36}\)/gi, ']')
    text = foldedForms(body)
      .flatMap(wordsOf)
      .map((word) => ` ${word}`)
      .join('')
    knownTexts.set(note, text)
  }
  const noteText = text
  return words.every((forms) => forms.some((form) => noteText.includes(` ${form}`)))
}

/** Returns the index in a text of the first word that begins with one of these forms. Null if there is none. */
export function indexOfWord(text: string, forms: readonly string[]): number | null {
  let at = 0
  for (const part of text.split(new RegExp(`(${separatorPattern})`, 'u'))) {
    if (
      part !== '' &&
      foldedForms(part)
        .flatMap(wordsOf)
        .some((word) => forms.some((form) => word.startsWith(form)))
    )
      return at
    at += part.length
  }
  return null
}
