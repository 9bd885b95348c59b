import { plainNote } from './plain-note.ts'
import { placeOfWord, searchedNoteWords } from '#web/data/note-words.ts'

/** Maximum number of characters before the first match, and of the whole excerpt. */
const before = 32
const most = 220

/** Returns the part of a note around the first match of a search, as plain text. */
export function noteExcerpt(body: string, search: string): string {
  const text = plainNote(body)
  const place = placeOfWord(text, searchedNoteWords(search).flat()) ?? 0
  if (place <= before) return cut(text)
  // Starts at the beginning of a word.
  const start = text.indexOf(' ', place - before) + 1
  return `… ${cut(text.slice(start > 0 && start <= place ? start : place))}`
}

function cut(text: string): string {
  const letters = Array.from(text)
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : text
}
