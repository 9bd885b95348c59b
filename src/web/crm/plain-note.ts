import { type NotePart, readNote } from './note-text.ts'

/** Returns a note as plain text in one line, without Markdown marks. */
export function plainNote(body: string): string {
  const text = readNote(body).map((block) =>
    block.kind === 'list'
      ? block.items.map((item) => ` · ${plainParts(item)}`).join('')
      : ` ${block.lines.map((line) => plainParts(line)).join(' ')}`,
  )
  return text
    .join('')
    .replace(/^[\s·]+/, '')
    .replaceAll(/\s+/g, ' ')
}

function plainParts(parts: readonly NotePart[]): string {
  return parts.map((part) => plainPart(part)).join('')
}

function plainPart(part: NotePart): string {
  if (part.kind === 'bold') return plainParts(part.parts)
  if (part.kind === 'mention') return `@${part.name}`
  // If bold text was cut off, it has only its opening mark.
  return part.kind === 'text' ? part.text.replace(/\*\*(?=\S)/, '') : part.text
}
