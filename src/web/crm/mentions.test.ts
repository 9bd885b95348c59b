import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNameMatch, mentionAt, storedText, typedText, withChosen } from './mentions.ts'

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
  const { text, named } = typedText(body)
  expect(text).toBe('Ask @Bo Hale\nand @Bo, bob@bo.example')
  expect(storedText(text, named)).toBe(body)
  const piece = fc.constantFrom('@', 'Bo', ' ', 'Bo Hale', 'x', '\n', ',', mentionOf(bo), mentionOf(boHale))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
      const stored = storedText(parts.join(''), people)
      const shownAgain = typedText(stored)
      expect(storedText(shownAgain.text, [...shownAgain.named, ...people])).toBe(
        storedText(typedText(stored).text, people),
      )
    }),
  )
})

const [sam1, sam2] = [4, 5].map((n) => ({ userId: `00000000-0000-4000-8000-00000000000${n}`, name: 'Sam' })) as [
  typeof bo,
  typeof bo,
]

it('of people with the same name, the one who was chosen from the list is mentioned, and the user only if nobody else has the name', () => {
  const members = [{ ...sam1, isMe: true }, sam2, bo]
  expect(storedText('@Sam', members)).toBe(mentionOf(sam2))
  expect(storedText('@Sam', [members[0] ?? sam1, bo])).toBe(mentionOf(sam1))
  expect(storedText('@sam and @Sam', [sam1, sam2], [sam2])).toBe(`@[Sam](user:${sam2.userId}) and ${mentionOf(sam2)}`)
  // The second choice was inserted before the first one.
  const chosen = withChosen(withChosen([], sam1, 'Ask @Bo and '), sam2, 'Ask ')
  expect(chosen).toEqual([sam2, sam1])
  expect(withChosen(chosen, sam1, 'Ask @Sam, ')).toEqual([sam2, sam1, sam1])
  expect(storedText('Ask @Sam, @Bo and @Sam', [sam1, sam2, bo], chosen)).toBe(
    `Ask ${mentionOf(sam2)}, ${mentionOf(bo)} and ${mentionOf(sam1)}`,
  )
})

it('a stored text that mentions two people with the same name is stored unchanged if nobody edits it', () => {
  const body = `Ask ${mentionOf(sam2)}, ${mentionOf(sam1)} and ${mentionOf(sam2)}`
  const { text, named } = typedText(body)
  expect(storedText(text, [sam1, sam2], named)).toBe(body)
})

it('the text between an @ and the caret is read as the beginning of a name or of one of its words', () => {
  expect(mentionAt('Ask @bo ha and', 10)).toEqual({ start: 4, name: 'bo ha' })
  expect(mentionAt('Ask @', 5)).toEqual({ start: 4, name: '' })
  for (const text of ['bob@bo', 'Ask', '@a\nb']) expect(mentionAt(text, text.length)).toBeNull()
  expect(['', 'bo', 'hal', 'bo ha'].every((typed) => isNameMatch('Bo Hale', typed))).toBe(true)
  expect(isNameMatch('Bo Hale', 'ale')).toBe(false)
})
