import { plainNote } from './plain-note.ts'
import { placeOfWord, searchedNoteWords } from '#web/data/note-words.ts'

/** Characters before the first word that was found, and of the whole excerpt. */
const before = 32
const most = 220

/** The part of a note, as plain text, where a search has found its first word. */
export function noteExcerpt(body: string, search: string): string {
  const text = plainNote(body)
  const place = placeOfWord(text, searchedNoteWords(search).flat()) ?? 0
  if (place <= before) return cut(text)
  // From the beginning of a word on.
  const start = text.indexOf(' ', place - before) + 1
  return `… ${cut(text.slice(start > 0 && start <= place ? start : place))}`
}

function cut(text: string): string {
  const letters = Array.from(text)
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : text
}
