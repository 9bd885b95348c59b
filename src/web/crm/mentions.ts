import { limits } from '#shared/limits.ts'
import { foldedForms } from '#web/data/query/search-text.ts'
import { countOf } from '#web/lib/count.ts'

/** A mention in a stored text: `@[Name](user:uuid)`. */
const mentionPattern = /@\[([^\]\n]{1,200})\]\(user:([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\)/gi

export interface NamedPerson {
  userId: string
  name: string
  /** True for the signed-in user. */
  isMe?: boolean
}

/** A person who is mentioned in a typed text. `at`: the index of the mention's '@'; -1 if that '@' was deleted. */
export interface MentionedPerson extends NamedPerson {
  at: number
}

/** Returns a stored text in the form in which people type it, with `@Name` in place of each mention. `mentioned` are the mentioned people. */
export function typedText(body: string): { text: string; mentioned: MentionedPerson[] } {
  const mentioned: MentionedPerson[] = []
  let excess = 0
  // Text fields change line breaks to LF. This text must have the same line breaks, so that the indices are right in the value of the field.
  const text = body
    .replaceAll('\r\n', '\n')
    .replace(mentionPattern, (mention, name: string, userId: string, index: number) => {
      mentioned.push({ userId: userId.toLowerCase(), name, at: index - excess })
      excess += mention.length - name.length - 1
      return `@${name}`
    })
  return { text, mentioned }
}

/**
 * Returns the text to store: each `@Name` becomes a mention. The longest matching name is taken. A name must not be part of a
 * longer word, and '@' after a letter or a digit belongs to an email address. If several people have the name, the mention gets the first that
 * exists of these people with the name:
 * 1. the one of `mentioned` that has the index of this mention,
 * 2. the next of `mentioned` whose index has no mention of this name,
 * 3. the first of `mentioned`,
 * 4. the first of `people`, but the user only if nobody else has the name.
 */
export function storedText(
  text: string,
  people: readonly NamedPerson[],
  mentioned: readonly MentionedPerson[] = [],
): string {
  const keptFirst = mentioned.toSorted((a, b) => Number(a.at < 0) - Number(b.at < 0))
  const longestFirst = [...keptFirst, ...people.toSorted((a, b) => Number(a.isMe ?? false) - Number(b.isMe ?? false))]
    .map(({ userId, name }) => ({ userId, name: mentionName(name) }))
    .toSorted((a, b) => b.name.length - a.name.length)
  const indices = possibleMentions(text)
  const misplaced = mentioned.filter(
    ({ at, name }) => at >= 0 && !(indices.includes(at) && startsWithName(text.slice(at + 1), mentionName(name))),
  )
  let [stored, end] = ['', 0]
  for (const index of indices) {
    const match = longestFirst.find(({ name }) => startsWithName(text.slice(index + 1), name))
    if (!match || index < end) continue
    let person: NamedPerson | undefined = mentioned.find(({ at, name }) => at === index && isSameName(name, match.name))
    if (!person) {
      const next = misplaced.findIndex(({ name }) => isSameName(name, match.name))
      person = next < 0 ? match : misplaced.splice(next, 1)[0]
    }
    const { userId } = person ?? match
    stored += `${text.slice(end, index)}@[${match.name}](user:${userId})`
    end = index + 1 + match.name.length
  }
  return stored + text.slice(end)
}

/** Returns `mentioned` with the person who was chosen for the mention whose '@' has this index. */
export function withChosen(
  mentioned: readonly MentionedPerson[],
  { userId, name }: NamedPerson,
  at: number,
): readonly MentionedPerson[] {
  return [...mentioned.filter((person) => person.at !== at), { userId, name, at }]
}

/**
 * Returns `mentioned` with the indices after an edit of the text. `caret`: the index of the caret in the edited text, which
 * shows which of two equal parts was deleted.
 */
export function afterEdit(
  mentioned: readonly MentionedPerson[],
  before: string,
  after: string,
  caret: number,
): readonly MentionedPerson[] {
  if (mentioned.length === 0) return mentioned
  const tail = after.slice(caret)
  const sameEnd = before.endsWith(tail) ? tail.length : 0
  const limit = Math.min(before.length, after.length) - sameEnd
  let sameStart = 0
  while (sameStart < limit && before[sameStart] === after[sameStart]) sameStart += 1
  return mentioned.map((person) => {
    if (before[person.at] !== '@') return { ...person, at: -1 }
    if (person.at < sameStart) return person
    const isKept = person.at >= before.length - sameEnd
    return { ...person, at: isKept ? person.at + after.length - before.length : -1 }
  })
}

/**
 * Returns `mentioned` with the indices after the text was replaced by a draft of it. The draft's edits are not known. A person whose '@' was in the
 * edited part gets the first mention of the name that nobody else has.
 */
export function afterDraft(
  mentioned: readonly MentionedPerson[],
  before: string,
  draft: string,
): readonly MentionedPerson[] {
  let sameEnd = 0
  while (sameEnd < Math.min(before.length, draft.length) && before.at(-1 - sameEnd) === draft.at(-1 - sameEnd)) {
    sameEnd += 1
  }
  const moved = afterEdit(mentioned, before, draft, draft.length - sameEnd)
  const takenIndices = new Set(moved.map(({ at }) => at))
  return moved.map((person) => {
    if (person.at >= 0) return person
    const name = mentionName(person.name)
    const at = possibleMentions(draft).find(
      (index) => !takenIndices.has(index) && startsWithName(draft.slice(index + 1), name),
    )
    takenIndices.add(at ?? -1)
    return { ...person, at: at ?? -1 }
  })
}

/** Returns the indices of each '@' that does not belong to an email address. */
function possibleMentions(text: string): number[] {
  return Array.from(text.matchAll(/(?<![\p{L}\p{N}])@/gu), ({ index }) => index)
}

function isSameName(a: string, b: string): boolean {
  return mentionName(a).toLowerCase() === mentionName(b).toLowerCase()
}

/**
 * Returns an error message if a stored text is too long for a note, otherwise null. A mention is stored with the id of its person, so the stored text
 * is longer than the typed one.
 */
export function noteTooLongMessage(stored: string): string | null {
  const excess = stored.trim().length - limits.notes.body
  return excess > 0 ? `Too long with its mentions: leave out ${countOf(excess, 'character', 'characters')}` : null
}

function startsWithName(text: string, name: string): boolean {
  if (name === '' || text.slice(0, name.length).toLowerCase() !== name.toLowerCase()) return false
  return !/^[\p{L}\p{N}]/u.test(text.slice(name.length))
}

/** Returns a person's name, at most 200 characters, without brackets, because brackets would end the mention. */
export function mentionName(name: string): string {
  return name
    .replaceAll(/[\s[\]]+/g, ' ')
    .trim()
    .slice(0, 200)
}

/** Returns the unfinished mention that ends at the caret: its start and the name typed so far. Null if there is none. */
export function mentionAt(text: string, caret: number): { start: number; name: string } | null {
  const match = /(?<![\p{L}\p{N}])@([^@\n]{0,40})$/u.exec(text.slice(0, caret))
  return match ? { start: match.index, name: match[1] ?? '' } : null
}

/** Whether the name, or one of its words, begins with the typed text, in any form under which a search finds it. */
export function isNameMatch(name: string, typed: string): boolean {
  const typedForms = foldedForms(typed)
  const nameForms = foldedForms(name.replaceAll(/\s+/g, ' '))
  return nameForms.some((form) => typedForms.some((typedForm) => ` ${form}`.includes(` ${typedForm}`)))
}
