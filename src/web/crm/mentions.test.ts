import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  afterDraft,
  afterEdit,
  isNameMatch,
  mentionAt,
  type MentionedPerson,
  storedText,
  typedText,
  withChosen,
} from './mentions.ts'

const bo = { userId: '00000000-0000-4000-8000-000000000001', name: 'Bo' }
const boHale = { userId: '00000000-0000-4000-8000-000000000002', name: 'Bo Hale' }
const mark = { userId: '00000000-0000-4000-8000-000000000003', name: 'Mark [new]' }
const people = [bo, boHale, mark]
const mentionOf = ({ userId, name }: typeof bo) => `@[${name}](user:${userId})`

it('a typed name becomes a mention: the longest matching name, case-insensitive, never inside a word or an email address', () => {
  expect(storedText('Ask @bo hale, then @Bo.', people)).toBe(`Ask ${mentionOf(boHale)}, then ${mentionOf(bo)}.`)
  expect(storedText('(@Bo)@Bo @Bob bob@bo @@Bo', people)).toBe(
    `(${mentionOf(bo)})${mentionOf(bo)} @Bob bob@bo @${mentionOf(bo)}`,
  )
  expect(storedText('@Mark new, hello', [mark])).toBe(`@[Mark new](user:${mark.userId}), hello`)
  expect(storedText(`@Nobody @ ${'@'.repeat(300)}`, people)).toBe(`@Nobody @ ${'@'.repeat(300)}`)
})

it('a stored text that is shown for editing is stored unchanged if nobody edits it', () => {
  const body = `Ask ${mentionOf(boHale)}\nand ${mentionOf(bo)}, bob@bo.example`
  const { text, mentioned } = typedText(body)
  expect(text).toBe('Ask @Bo Hale\nand @Bo, bob@bo.example')
  expect(storedText(text, [], mentioned)).toBe(body)
  const piece = fc.constantFrom('@', 'Bo', ' ', 'Bo Hale', 'x', '\n', ',', mentionOf(bo), mentionOf(boHale))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
      const stored = storedText(parts.join(''), people)
      const shownAgain = typedText(stored)
      expect(storedText(shownAgain.text, people, shownAgain.mentioned)).toBe(storedText(typedText(stored).text, people))
    }),
  )
})

const [sam1, sam2] = [4, 5].map((n) => ({ userId: `00000000-0000-4000-8000-00000000000${n}`, name: 'Sam' })) as [
  typeof bo,
  typeof bo,
]

it('if several people have the name, the person who was chosen from the list is mentioned; the user is mentioned only if nobody else has the name', () => {
  const members = [{ ...sam1, isMe: true }, sam2, bo]
  expect(storedText('@Sam', members)).toBe(mentionOf(sam2))
  expect(storedText('@Sam', [members[0] ?? sam1, bo])).toBe(mentionOf(sam1))
  const chosen = withChosen(withChosen([], sam1, 13), sam2, 4)
  expect(storedText('Ask @Sam and @Sam', [sam1, sam2], chosen)).toBe(`Ask ${mentionOf(sam2)} and ${mentionOf(sam1)}`)
  expect(storedText('@sam and @Sam', [sam1, sam2], withChosen([], sam2, 9))).toBe(
    `@[Sam](user:${sam2.userId}) and ${mentionOf(sam2)}`,
  )
  // Another person is chosen for the same mention.
  expect(storedText('Ask @Sam', [sam1, sam2], withChosen(withChosen([], sam1, 4), sam2, 4))).toBe(
    `Ask ${mentionOf(sam2)}`,
  )
})

it('a stored text that mentions two people with the same name is stored unchanged if nobody edits it', () => {
  const body = `Ask ${mentionOf(sam2)}, ${mentionOf(sam1)}\nand ${mentionOf(sam2)}`
  for (const stored of [body, body.replace('\n', '\r\n')]) {
    const { text, mentioned } = typedText(stored)
    expect(storedText(text, [sam1, sam2], mentioned)).toBe(body)
  }
})

/** Replaces the part of a text from `from` to `to`, as a text field does: the caret is then behind the new part. */
function edit(mentioned: readonly MentionedPerson[], text: string, from: number, to: number, part: string) {
  const edited = text.slice(0, from) + part + text.slice(to)
  return { text: edited, mentioned: afterEdit(mentioned, text, edited, from + part.length) }
}

it('if two people have the same name, each mention still refers to the same person when one mention is deleted or text is added', () => {
  const { text, mentioned } = typedText(`Ask ${mentionOf(sam1)} and ${mentionOf(sam2)}`)
  const stored = (change: { text: string; mentioned: readonly MentionedPerson[] }) =>
    storedText(change.text, [sam1, sam2], change.mentioned)
  expect(stored(edit(mentioned, text, 4, 13, ''))).toBe(`Ask ${mentionOf(sam2)}`)
  expect(stored(edit(mentioned, text, 8, 17, ''))).toBe(`Ask ${mentionOf(sam1)}`)
  expect(stored(edit(mentioned, text, 0, 3, 'Please call'))).toBe(
    `Please call ${mentionOf(sam1)} and ${mentionOf(sam2)}`,
  )
  expect(stored(edit(mentioned, text, 4, 8, '@Bo'))).toBe(`Ask @Bo and ${mentionOf(sam2)}`)
  // A letter of the first name is deleted, and typed again.
  const shortened = edit(mentioned, text, 7, 8, '')
  expect(stored(edit(shortened.mentioned, shortened.text, 7, 7, 'm'))).toBe(
    `Ask ${mentionOf(sam1)} and ${mentionOf(sam2)}`,
  )
  // The first mention is deleted letter by letter.
  let change: { text: string; mentioned: readonly MentionedPerson[] } = { text, mentioned }
  for (let end = 8; end > 4; end--) change = edit(change.mentioned, change.text, end - 1, end, '')
  expect(stored(change)).toBe(`Ask  and ${mentionOf(sam2)}`)
  // The text was replaced by the app, for example after the note was sent.
  expect(storedText('Ask @Sam', [sam1, sam2], afterEdit(withChosen([], sam2, 4), '', 'Ask @Sam', 8))).toBe(
    `Ask ${mentionOf(sam2)}`,
  )
})

it('if two people have the same name, each mention still refers to the same person when the text is replaced by a draft of it', () => {
  const { text, mentioned } = typedText(`${mentionOf(sam1)} and ${mentionOf(sam2)}, soon`)
  const stored = (draft: string) => storedText(draft, [sam1, sam2], afterDraft(mentioned, text, draft))
  expect(stored(text)).toBe(`${mentionOf(sam1)} and ${mentionOf(sam2)}, soon`)
  expect(stored('Hi @Sam and @Sam, soon')).toBe(`Hi ${mentionOf(sam1)} and ${mentionOf(sam2)}, soon`)
  expect(stored('@Sam, soon')).toBe(`${mentionOf(sam2)}, soon`)
  // Edits in several places.
  expect(stored('Hi @Sam or @Sam, soon')).toBe(`Hi ${mentionOf(sam1)} or ${mentionOf(sam2)}, soon`)
  expect(stored('Hi @Sam or @Sam!')).toBe(`Hi ${mentionOf(sam1)} or ${mentionOf(sam2)}!`)
  // The mentions follow later edits.
  const draft = 'Hi @Sam or @Sam!'
  const later = edit(afterDraft(mentioned, text, draft), draft, 3, 11, '')
  expect(storedText(later.text, [sam1, sam2], later.mentioned)).toBe(`Hi ${mentionOf(sam2)}!`)
  // Without known edits, the mentions are taken in their order.
  expect(storedText('Hi @Sam and @Sam', [], mentioned)).toBe(`Hi ${mentionOf(sam1)} and ${mentionOf(sam2)}`)
})

it('after any edits, each mention whose @ still exists refers to the same person', () => {
  const word = fc.constantFrom('@Sam ', 'a ', '@Bo ', ', ')
  const edits = fc.array(fc.tuple(fc.nat(60), fc.oneof(fc.nat(8), word)), { maxLength: 8 })
  fc.assert(
    fc.property(edits, (steps) => {
      const body = `${mentionOf(sam1)} x ${mentionOf(sam2)} y ${mentionOf(bo)} z ${mentionOf(sam1)}`
      let change: { text: string; mentioned: readonly MentionedPerson[] } = typedText(body)
      // The marks of the characters of the text: the person of an '@', or null.
      let marks = Array.from(
        change.text,
        (_, at) => change.mentioned.find((person) => person.at === at)?.userId ?? null,
      )
      for (const [from, step] of steps) {
        // A step deletes some characters, or inserts a word.
        const [length, part] = typeof step === 'number' ? [step, ''] : [0, step]
        const start = Math.min(from, change.text.length)
        const end = Math.min(start + length, change.text.length)
        change = edit(change.mentioned, change.text, start, end, part)
        marks = [...marks.slice(0, start), ...Array.from(part, () => null), ...marks.slice(end)]
      }
      const left = change.mentioned.filter(({ at }) => at >= 0)
      for (const { at, userId } of left) expect(marks[at] ?? null).toBe(userId)
      expect(left).toHaveLength(marks.filter((mark) => mark !== null).length)
    }),
  )
})

it('the text between an @ and the caret is read as the beginning of a name or of one of its words', () => {
  expect(mentionAt('Ask @bo ha and', 10)).toEqual({ start: 4, name: 'bo ha' })
  expect(mentionAt('Ask @', 5)).toEqual({ start: 4, name: '' })
  for (const text of ['bob@bo', 'Ask', '@a\nb']) expect(mentionAt(text, text.length)).toBeNull()
  expect(['', 'bo', 'hal', 'bo ha'].every((typed) => isNameMatch('Bo Hale', typed))).toBe(true)
  expect(isNameMatch('Bo Hale', 'ale')).toBe(false)
})

it.each([
  ['Çyd Ünal', 'cy'],
  ['Çyd Ünal', 'unal'],
  ['Çyd Ünal', 'uenal'],
  ['Cyd Unal', 'ünal'],
])('the name %s is offered for “%s”, as a search finds it', (name, typed) => {
  expect(isNameMatch(name, typed)).toBe(true)
})
