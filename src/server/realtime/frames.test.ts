import { describe, expect, it } from 'vitest'
import { isObject, parseBinaryFrame, parseFrame, writeFrame } from './frames.ts'

const frame = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'phx_join', payload: { config: {} } }

describe('a text frame', () => {
  it('a text frame is a JSON list in version 2.0.0 and a JSON object in version 1.0.0', () => {
    const list = JSON.stringify(['1', '2', 'realtime:a', 'phx_join', { config: {} }])
    const object = JSON.stringify({
      join_ref: '1',
      ref: '2',
      topic: 'realtime:a',
      event: 'phx_join',
      payload: { config: {} },
    })
    expect(parseFrame(list, '2.0.0')).toEqual(frame)
    expect(parseFrame(object, '1.0.0')).toEqual(frame)
    expect(parseFrame(list, '1.0.0')).toBeNull()
    expect(parseFrame(object, '2.0.0')).toBeNull()
  })

  it('the references of a text frame may be null or missing; otherwise they must be texts, like its topic and its event', () => {
    expect(parseFrame('[null,null,"a","b",{}]', '2.0.0')).toMatchObject({ joinRef: null, ref: null })
    expect(parseFrame('{"topic":"a","event":"b"}', '1.0.0')).toMatchObject({ joinRef: null, ref: null, topic: 'a' })
    for (const text of [
      '[1,null,"a","b",{}]',
      '[null,1,"a","b",{}]',
      '[null,null,1,"b",{}]',
      '[null,null,"a",null,{}]',
    ])
      expect([text, parseFrame(text, '2.0.0')]).toEqual([text, null])
  })

  it.each(['', 'x', '1', 'null', '"a"', '[]', '[null,null,"a","b"]', '[null,null,"a","b",{},1]'])(
    'the text %j is not accepted as a frame',
    (text) => {
      expect(parseFrame(text, '2.0.0')).toBeNull()
      expect(parseFrame(text, '1.0.0')).toBeNull()
    },
  )

  it.each([
    [0, 255],
    [1, 255],
    [2, 4_096],
    [3, 255],
  ])('element %i of a text frame may have at most %i characters', (index, maxLength) => {
    const parseWithLength = (length: number) => {
      const parts: unknown[] = ['1', '2', 'a', 'b', {}]
      parts[index] = 'x'.repeat(length)
      return parseFrame(JSON.stringify(parts), '2.0.0')
    }
    expect(parseWithLength(maxLength)).not.toBeNull()
    expect(parseWithLength(maxLength + 1)).toBeNull()
  })
})

describe('a binary frame', () => {
  /** Returns a broadcast as the official client sends it: kind, five lengths, encoding, the five parts, the body. */
  function binaryFrame(parts: string[], body: string, { kind = 3, encoding = 1 } = {}): Buffer {
    const texts = parts.map((part) => Buffer.from(part))
    return Buffer.concat([
      Buffer.from([kind, ...texts.map((text) => text.length), encoding]),
      ...texts,
      Buffer.from(body),
    ])
  }
  const parts = ['1', '22', 'realtime:ä', 'moved', '{"x":1}']

  it('a binary frame is read as a broadcast', () => {
    expect(parseBinaryFrame(binaryFrame(parts, '{"y":2}'))).toEqual({
      joinRef: '1',
      ref: '22',
      topic: 'realtime:ä',
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'moved', payload: { y: 2 } },
    })
    expect(parseBinaryFrame(binaryFrame(['', '', 'a', 'b', ''], '1'))).toMatchObject({
      joinRef: null,
      ref: null,
      topic: 'a',
    })
  })

  it('a binary frame is refused if it has another kind, contains raw bytes or invalid JSON, or is truncated', () => {
    for (const kind of [0, 1, 2, 4]) expect(parseBinaryFrame(binaryFrame(parts, '{}', { kind }))).toBeNull()
    for (const encoding of [0, 2]) expect(parseBinaryFrame(binaryFrame(parts, '{}', { encoding }))).toBeNull()
    expect(parseBinaryFrame(binaryFrame(parts, '{'))).toBeNull()
    const completeFrame = binaryFrame(parts, '1')
    for (let length = 0; length < completeFrame.length; length++)
      expect([length, parseBinaryFrame(completeFrame.subarray(0, length))]).toEqual([length, null])
    expect(parseBinaryFrame(completeFrame)).not.toBeNull()
  })
})

it('a frame that was written is read unchanged, in both versions', () => {
  for (const version of ['1.0.0', '2.0.0'] as const)
    for (const refs of [{}, { joinRef: null, ref: null }]) {
      const { payload, ...frameWithoutPayload } = { ...frame, topic: 'a"b', event: 'c\nd', ...refs }
      const text = writeFrame(frameWithoutPayload, JSON.stringify(payload), version)
      expect(parseFrame(text, version)).toEqual({ ...frameWithoutPayload, payload })
    }
})

it('isObject accepts JSON objects, not lists and null', () => {
  expect([{}, { a: 1 }, [], null, undefined, 'a', 1].map(isObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
