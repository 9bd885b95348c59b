/** A part of a line: plain text, bold text, a link or a mention. */
export type NotePart =
  | { kind: 'text'; text: string }
  | { kind: 'bold'; parts: readonly NotePart[] }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; name: string; userId: string }

/** A paragraph, or a list. `start`: the number of the first item; null for a list with bullets. */
export type NoteBlock =
  | { kind: 'paragraph'; lines: readonly (readonly NotePart[])[] }
  | { kind: 'list'; start: number | null; items: readonly (readonly NotePart[])[] }

/** Matches a mention, a link with a text, bold text, or a URL. Every repetition is bounded, so that matching is fast for any text. */
const inlinePattern =
  /@\[([^\]\n]{1,200})\]\(user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)|\[([^\]\n]{1,300})\]\(((?:https?:\/\/|mailto:)[^\s()]{1,2000})\)|\*\*(\S(?:[^\n]{0,2000}?\S)?)\*\*|(https?:\/\/[^\s<>"]{1,2000})/gi
const bulletPattern = /^\s{0,8}[-*•]\s+(\S.*)$/
const numberedPattern = /^\s{0,8}(\d{1,4})[.)]\s+(\S.*)$/

/** Reads a note's Markdown: bold, lists, links and mentions. Everything else, including HTML, stays text as it was typed. */
export function readNote(body: string): NoteBlock[] {
  const blocks: NoteBlock[] = []
  let isNew = true
  for (const line of body.split(/\r?\n/)) {
    if (line.trim() === '') {
      isNew = true
      continue
    }
    const [, number, numberedText] = numberedPattern.exec(line) ?? []
    const item = bulletPattern.exec(line)?.[1] ?? numberedText
    const last = isNew ? undefined : blocks.pop()
    if (item === undefined) blocks.push(...appendLine(last, readLine(line)))
    else blocks.push(...appendItem(last, readLine(item), number === undefined ? null : Number(number)))
    isNew = false
  }
  return blocks
}

function appendLine(last: NoteBlock | undefined, line: readonly NotePart[]): NoteBlock[] {
  if (last?.kind === 'paragraph') return [{ kind: 'paragraph', lines: [...last.lines, line] }]
  const newBlock: NoteBlock = { kind: 'paragraph', lines: [line] }
  return last ? [last, newBlock] : [newBlock]
}

function appendItem(last: NoteBlock | undefined, item: readonly NotePart[], number: number | null): NoteBlock[] {
  if (last?.kind === 'list' && (last.start === null) === (number === null))
    return [{ ...last, items: [...last.items, item] }]
  const newBlock: NoteBlock = { kind: 'list', start: number, items: [item] }
  return last ? [last, newBlock] : [newBlock]
}

/** Splits one line of a note into its parts. */
function readLine(line: string): NotePart[] {
  const parts: NotePart[] = []
  let from = 0
  const addText = (to: number) => {
    if (to > from) parts.push({ kind: 'text', text: line.slice(from, to) })
  }
  for (const match of line.matchAll(inlinePattern)) {
    const [matched, name, userId, text, href, bold, url] = match
    addText(match.index)
    from = match.index + matched.length
    if (name !== undefined && userId !== undefined) parts.push({ kind: 'mention', name, userId })
    else if (text !== undefined && href !== undefined) parts.push({ kind: 'link', text, href })
    else if (bold !== undefined) parts.push({ kind: 'bold', parts: readLine(bold) })
    else if (url !== undefined) {
      const trimmedUrl = withoutPunctuation(url)
      parts.push({ kind: 'link', text: trimmedUrl, href: trimmedUrl })
      from = match.index + trimmedUrl.length
    }
  }
  addText(line.length)
  return parts
}

/** Returns a URL without the punctuation that follows it in a sentence, and without a closing bracket if the URL has no opening bracket. */
function withoutPunctuation(url: string): string {
  const trimmedUrl = url.replace(/[.,;:!?'*]+$/, '')
  return trimmedUrl.endsWith(')') && !trimmedUrl.includes('(')
    ? withoutPunctuation(trimmedUrl.slice(0, -1))
    : trimmedUrl
}
