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
function readInChunks(bytes: Buffer, size: number, budget = Number.POSITIVE_INFINITY) {
  const parsed: Buffer[] = []
  const largeRows: Buffer[] = []
  let takenBytes = 0
  const stream = new ResultStream((chunk) => parsed.push(Buffer.from(chunk)), 64 * 1024)
  stream.begin({
    takeBytes(more) {
      if (takenBytes + more > budget) return false
      takenBytes += more
      return true
    },
    readLargeRow: (content) => largeRows.push(content),
  })
  let refused = null
  for (let at = 0; at < bytes.length && refused === null; at += size)
    refused = stream.read(bytes.subarray(at, at + size))
  return { parsed: Buffer.concat(parsed), largeRows, takenBytes, refused }
}

const smallMessages = Buffer.concat([
  message('2', ''),
  message('C', 'SELECT 0\0'),
  message('D', 'x'.repeat(300)),
  message('Z', 'I'),
])
const largeRow = Buffer.from('r'.repeat(70_000))

it('the parser gets every byte of small messages, wherever a chunk ends', () => {
  for (let size = 1; size <= smallMessages.length; size++) {
    const { parsed, largeRows, takenBytes, refused } = readInChunks(smallMessages, size)
    expect([parsed.equals(smallMessages), largeRows.length, takenBytes, refused]).toEqual([true, 0, 0, null])
  }
})

it('the reader gets a large row and the parser gets the rest, wherever a chunk ends', () => {
  const bytes = Buffer.concat([
    smallMessages,
    message('D', largeRow),
    smallMessages,
    message('D', largeRow),
    message('Z', 'I'),
  ])
  const bytesForParser = Buffer.concat([smallMessages, smallMessages, message('Z', 'I')])
  for (const size of [1, 2, 3, 5, 7, 64, 1000, 4096, 65_536, 69_999, 70_000, 70_001, 70_005, bytes.length]) {
    const { parsed, largeRows, takenBytes, refused } = readInChunks(bytes, size)
    expect(refused).toBeNull()
    expect(parsed.equals(bytesForParser)).toBe(true)
    expect(largeRows).toHaveLength(2)
    expect(largeRows.every((content) => content.equals(largeRow))).toBe(true)
    // The last bytes are counted only if they are more than 16 KiB.
    expect(bytes.length - takenBytes).toBeLessThan(16_384)
  }
})

it('a message of any kind is refused if its announced length is too large', () => {
  for (const type of ['D', 'E', 'T', 'd']) {
    const head = message(type, '').subarray(0, 5)
    head.writeUInt32BE(maxResultBytes, 1)
    expect(readInChunks(Buffer.concat([smallMessages, head]), 1000).refused?.reason).toBe('too large')
    head.writeUInt32BE(0xffffffff, 1)
    expect(readInChunks(head, 1).refused?.reason).toBe('too large')
  }
})

it('messages that are too large together are refused', () => {
  const bytes = Buffer.concat(Array.from({ length: 500 }, () => message('D', largeRow)))
  expect(bytes.length).toBeGreaterThan(maxResultBytes)
  const { refused, largeRows } = readInChunks(bytes, 65_536)
  expect(refused?.reason).toBe('too large')
  expect(largeRows.length * 70_000).toBeLessThan(maxResultBytes)
})

it('the bytes of a large row are counted before the row is read', () => {
  const { refused, takenBytes } = readInChunks(message('D', largeRow), 10, 60_000)
  expect({ reason: refused?.reason, takenBytes }).toEqual({ reason: 'busy', takenBytes: 0 })
})

it('the bytes of each request are counted separately', () => {
  const stream = new ResultStream(() => {})
  for (let i = 0; i < 600; i++) {
    stream.begin({ takeBytes: () => true, readLargeRow: () => {} })
    expect(stream.read(message('D', largeRow))).toBeNull()
    stream.end()
  }
})
