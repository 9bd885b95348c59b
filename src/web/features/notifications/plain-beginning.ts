import { plainNote } from '#web/crm/plain-note.ts'

/** Returns the first 200 characters of a note as plain text, without the marks of bold text, links, lists and mentions. */
export function plainBeginning(body: string): string {
  return plainNote(body.slice(0, 2000)).slice(0, 200)
}
