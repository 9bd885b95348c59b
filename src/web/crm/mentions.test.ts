import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNameMatch, mentionAt, storedText, typedText } from './mentions.ts'

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

it('the text between an @ and the caret is read as the beginning of a name or of one of its words', () => {
  expect(mentionAt('Ask @bo ha and', 10)).toEqual({ start: 4, name: 'bo ha' })
  expect(mentionAt('Ask @', 5)).toEqual({ start: 4, name: '' })
  for (const text of ['bob@bo', 'Ask', '@a\nb']) expect(mentionAt(text, text.length)).toBeNull()
  expect(['', 'bo', 'hal', 'bo ha'].every((typed) => isNameMatch('Bo Hale', typed))).toBe(true)
  expect(isNameMatch('Bo Hale', 'ale')).toBe(false)
})
