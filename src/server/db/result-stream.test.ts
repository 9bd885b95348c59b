import { expect, it } from 'vitest'
import { maxResultBytes } from './result-limits.ts'
import { ResultStream } from './result-stream.ts'

function message(type: string, content: Buffer | string): Buffer {
  const body = Buffer.from(content)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Passes `bytes` to a stream in chunks of `size` bytes. Returns what the stream gave to the parser and to the reader. */
function readIn(bytes: Buffer, size: number, budget = Number.POSITIVE_INFINITY) {
  const parsed: Buffer[] = []
  const large: Buffer[] = []
  let taken = 0
  const stream = new ResultStream((chunk) => parsed.push(Buffer.from(chunk)), 64 * 1024)
  stream.begin({
    takeBytes(more) {
      if (taken + more > budget) return false
      taken += more
      return true
    },
    readLargeRow: (content) => large.push(content),
  })
  let refused = null
  for (let at = 0; at < bytes.length && refused === null; at += size)
    refused = stream.read(bytes.subarray(at, at + size))
  return { parsed: Buffer.concat(parsed), large, taken, refused }
}

const small = Buffer.concat([
  message('2', ''),
  message('C', 'SELECT 0\0'),
  message('D', 'x'.repeat(300)),
  message('Z', 'I'),
])
const row = Buffer.from('r'.repeat(70_000))

it('the parser gets every byte of small messages, wherever a chunk ends', () => {
  for (let size = 1; size <= small.length; size++) {
    const { parsed, large, taken, refused } = readIn(small, size)
    expect([parsed.equals(small), large.length, taken, refused]).toEqual([true, 0, 0, null])
  }
})

it('the reader gets a large row and the parser gets the rest, wherever a chunk ends', () => {
  const bytes = Buffer.concat([small, message('D', row), small, message('D', row), message('Z', 'I')])
  const rest = Buffer.concat([small, small, message('Z', 'I')])
  for (const size of [1, 2, 3, 5, 7, 64, 1000, 4096, 65_536, 69_999, 70_000, 70_001, 70_005, bytes.length]) {
    const { parsed, large, taken, refused } = readIn(bytes, size)
    expect(refused).toBeNull()
    expect(parsed.equals(rest)).toBe(true)
    expect(large).toHaveLength(2)
    expect(large.every((content) => content.equals(row))).toBe(true)
    // The last bytes are counted only if they are more than 16 KiB.
    expect(bytes.length - taken).toBeLessThan(16_384)
  }
})

it('a message of any kind is refused if its announced length is too large', () => {
  for (const type of ['D', 'E', 'T', 'd']) {
    const head = message(type, '').subarray(0, 5)
    head.writeUInt32BE(maxResultBytes, 1)
    expect(readIn(Buffer.concat([small, head]), 1000).refused?.reason).toBe('too large')
    head.writeUInt32BE(0xffffffff, 1)
    expect(readIn(head, 1).refused?.reason).toBe('too large')
  }
})

it('messages that are too large together are refused', () => {
  const bytes = Buffer.concat(Array.from({ length: 500 }, () => message('D', row)))
  expect(bytes.length).toBeGreaterThan(maxResultBytes)
  const { refused, large } = readIn(bytes, 65_536)
  expect(refused?.reason).toBe('too large')
  expect(large.length * 70_000).toBeLessThan(maxResultBytes)
})

it('the bytes of a large row are counted before the row is read', () => {
  const { refused, taken } = readIn(message('D', row), 10, 60_000)
  expect({ reason: refused?.reason, taken }).toEqual({ reason: 'busy', taken: 0 })
})

it('the bytes of each request are counted separately', () => {
  const stream = new ResultStream(() => {})
  for (let i = 0; i < 600; i++) {
    stream.begin({ takeBytes: () => true, readLargeRow: () => {} })
    expect(stream.read(message('D', row))).toBeNull()
    stream.end()
  }
})
