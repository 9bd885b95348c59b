import { limits } from '#shared/limits.ts'
import { countOf } from '#web/lib/count.ts'

/** A mention in a stored text: `@[Name](user:uuid)`. */
const mentionPattern = /@\[([^\]\n]{1,200})\]\(user:([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\)/gi

export interface NamedPerson {
  userId: string
  name: string
  /** True for the signed-in user. */
  isMe?: boolean
}

/** Returns a stored text in the form in which people type it, with `@Name` in place of each mention. `named` are the mentioned people. */
export function typedText(body: string): { text: string; named: NamedPerson[] } {
  const named: NamedPerson[] = []
  const text = body.replace(mentionPattern, (_, name: string, userId: string) => {
    named.push({ userId: userId.toLowerCase(), name })
    return `@${name}`
  })
  return { text, named }
}

/**
 * Returns the text to store: each `@Name` becomes a mention. The longest matching name is taken. `chosen`: the people who were chosen from the list,
 * in the order of their mentions in the text. If several people have the same name, its mentions get the chosen ones in this order, and further
 * mentions the first chosen one. So if the first of these mentions was deleted from the text, the next one gets its person. If nobody with the name
 * was chosen, its mentions get the first of `people`, and the user only if nobody else has it. A name must not be part of a longer
 * word, and '@' after a letter or a digit belongs to an email address.
 */
export function storedText(text: string, people: readonly NamedPerson[], chosen: readonly NamedPerson[] = []): string {
  const longestFirst = [...chosen, ...people.toSorted((a, b) => Number(a.isMe ?? false) - Number(b.isMe ?? false))]
    .map(({ userId, name }) => ({ userId, name: mentionName(name) }))
    .toSorted((a, b) => b.name.length - a.name.length)
  const remaining = [...chosen]
  let [stored, end] = ['', 0]
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])@/gu)) {
    const found = longestFirst.find(({ name }) => startsWithName(text.slice(index + 1), name))
    if (!found || index < end) continue
    const at = remaining.findIndex((person) => isSameName(person, found))
    const [{ userId } = found] = at === -1 ? [] : remaining.splice(at, 1)
    stored += `${text.slice(end, index)}@[${found.name}](user:${userId})`
    end = index + 1 + found.name.length
  }
  return stored + text.slice(end)
}

/** Returns `chosen` with one more person, in the order of the mentions in the text. `before`: the text before the new mention. */
export function withChosen(chosen: readonly NamedPerson[], person: NamedPerson, before: string): NamedPerson[] {
  const earlierNamed = typedText(storedText(before, [...chosen, person])).named
  const earlierCount = earlierNamed.filter((named) => isSameName(named, person)).length
  const next = chosen.filter((other) => isSameName(other, person))[earlierCount]
  return chosen.toSpliced(next ? chosen.indexOf(next) : chosen.length, 0, person)
}

function isSameName(a: NamedPerson, b: NamedPerson): boolean {
  return mentionName(a.name).toLowerCase() === mentionName(b.name).toLowerCase()
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
  const found = /(?<![\p{L}\p{N}])@([^@\n]{0,40})$/u.exec(text.slice(0, caret))
  return found ? { start: found.index, name: found[1] ?? '' } : null
}

/** Whether the name, or one of its words, begins with the typed text. */
export function isNameMatch(name: string, typed: string): boolean {
  const [typedLower, nameLower] = [typed.toLowerCase(), name.toLowerCase()]
  return (
    nameLower.startsWith(typedLower) ||
    nameLower.split(/\s+/).some((part) => typedLower !== '' && part.startsWith(typedLower))
  )
}
