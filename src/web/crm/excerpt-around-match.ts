import { plainNote } from './plain-note.ts'
import { indexOfWord, searchedNoteWords } from '#web/data/note-words.ts'

/** Maximum number of characters before the first match, and of the whole excerpt, both without the ellipses. */
const contextLength = 32
const maxExcerptLength = 220

/** Returns the part of a note around the first match of a search, or the beginning of the note if nothing matches, as plain text. */
export function excerptAroundMatch(body: string, search: string): string {
  const text = plainNote(body)
  const index = indexOfWord(text, searchedNoteWords(search).flat()) ?? 0
  if (index <= contextLength) return truncate(text)
  // The excerpt starts at the beginning of a word.
  const start = text.indexOf(' ', index - contextLength) + 1
  return `… ${truncate(text.slice(start > 0 && start <= index ? start : index))}`
}

function truncate(text: string): string {
  const letters = Array.from(text)
  return letters.length > maxExcerptLength ? `${letters.slice(0, maxExcerptLength).join('')}…` : text
}
