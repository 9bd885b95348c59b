import { describe, expect, it } from 'vitest'
import { readNote } from './note-text.ts'

const text = (value: string) => ({ kind: 'text', text: value })
const paragraph = (...lines: unknown[][]) => ({ kind: 'paragraph', lines })

describe('readNote', () => {
  it('readNote reads bold text, links, web addresses and mentions', () => {
    const id = '0b7c4e2a-1111-4111-8111-0123456789ab'
    expect(readNote(`**Asked** @[Ann Lee](user:${id}) for [terms](https://a.b/c?d=1), see https://x.y/z).`)).toEqual([
      paragraph([
        { kind: 'bold', parts: [text('Asked')] },
        text(' '),
        { kind: 'mention', name: 'Ann Lee', userId: id },
        text(' for '),
        { kind: 'link', text: 'terms', href: 'https://a.b/c?d=1' },
        text(', see '),
        { kind: 'link', text: 'https://x.y/z', href: 'https://x.y/z' },
        text(').'),
      ]),
    ])
  })

  it('readNote reads bulleted and numbered lists between paragraphs, and keeps the line breaks of a paragraph', () => {
    expect(readNote('One\ntwo\n- a\n- **b**\n\n3. c\n4) d\nend')).toEqual([
      paragraph([text('One')], [text('two')]),
      { kind: 'list', start: null, items: [[text('a')], [{ kind: 'bold', parts: [text('b')] }]] },
      { kind: 'list', start: 3, items: [[text('c')], [text('d')]] },
      paragraph([text('end')]),
    ])
  })

  it.each([
    '<b>bold</b> <script>alert(1)</script>',
    '[run](javascript:alert(1))',
    '[run](data:text/html,x)',
    '** not bold **',
    '@[Ann](user:not-an-id)',
    '1.5 million, 2 * 3 * 4',
  ])('readNote leaves %s as it was typed', (typed) => {
    expect(readNote(typed)).toEqual([paragraph([text(typed)])])
  })

  it.each(['[', '**a ', '@[', 'https://x', '- ', '('])('readNote reads 10,000 characters of "%s" quickly', (unit) => {
    const before = process.cpuUsage().user
    readNote(unit.repeat(10_000 / unit.length))
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(400)
  })
})
