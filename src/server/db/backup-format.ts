import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/*
 * A backup file, in three parts:
 *   1. the line `banyan backup 1` (the number is the format's version),
 *   2. a gzip stream of frames,
 *   3. the SHA-256 of everything before it, in hex, and a line feed: 65 bytes.
 * A frame is one letter, the length of its content (4 bytes, big-endian) and the content:
 *   H  JSON: when, from which PostgreSQL, with which migrations (the first frame)
 *   T  JSON: a table begins: schema, name, columns
 *   D  some bytes of that table in PostgreSQL's COPY text format; a row may be cut anywhere
 *   E  JSON: the table ends: how many rows, the SHA-256 of its D contents
 *   S  JSON: a sequence: schema, name, value, called
 *   F  JSON: a file of DATA_DIR: name, content (base64)
 *   Z  JSON: the end: how many tables and rows
 */

export interface BackupHeader {
  createdAt: string
  postgres: number
  migrations: { source: string; name: string; checksum: string }[]
}

export interface BackupTable {
  schema: string
  name: string
  columns: string[]
}

export type BackupEntry =
  | { kind: 'H'; value: BackupHeader }
  | { kind: 'T'; value: BackupTable }
  | { kind: 'D'; value: Buffer }
  | { kind: 'E'; value: { rows: number; sha256: string } }
  | { kind: 'S'; value: { schema: string; name: string; value: string; called: boolean } }
  | { kind: 'F'; value: { name: string; content: string } }
  | { kind: 'Z'; value: { tables: number; rows: number } }

/** A file that cannot be restored. The message says why in one sentence. */
export class UnusableBackup extends Error {
  override name = 'UnusableBackup'
}

const formatVersion = 1
const firstLine = `banyan backup ${formatVersion}\n`
const digestBytes = 65
const maxFrameBytes = 1 << 26

/** Writes `entries` to `path`, which must not exist (file mode 0600). Resolves when the file is flushed to the disk. */
export async function writeBackup(path: string, entries: AsyncIterable<BackupEntry>): Promise<void> {
  const digest = createHash('sha256').update(firstLine)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await new Promise<void>((resolve, reject) => {
    file.once('error', reject)
    file.write(firstLine, (error) => (error ? reject(error) : resolve()))
  })
  const digested = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      digest.update(chunk)
      done(null, chunk)
    },
    flush(done: TransformCallback) {
      done(null, `${digest.digest('hex')}\n`)
    },
  })
  await pipeline(Readable.from(frames(entries)), createGzip(), digested, file)
}

async function* frames(entries: AsyncIterable<BackupEntry>): AsyncGenerator<Buffer> {
  for await (const { kind, value } of entries) {
    const content = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))
    const head = Buffer.allocUnsafe(5)
    head.write(kind, 0, 'latin1')
    head.writeUInt32BE(content.length, 1)
    yield head
    yield content
  }
}

/**
 * Yields a backup's entries in order. Throws UnusableBackup for another file or a newer format. Call `verifyBackup`
 * first: this function yields entries before it has checked the digest at the end.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupEntry> {
  const { start, end } = await checkFirstLine(path)
  const unzipped = createReadStream(path, { start, end: end - 1 }).pipe(createGunzip())
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      while (rest.length - at >= 5) {
        const length = rest.readUInt32BE(at + 1)
        if (length > maxFrameBytes) throw new UnusableBackup(`${path} is damaged: a part of it is impossibly long.`)
        if (rest.length - at < 5 + length) break
        yield readEntry(rest.toString('latin1', at, at + 1), rest.subarray(at + 5, at + 5 + length), path)
        at += 5 + length
      }
      rest = rest.subarray(at)
    }
  } catch (error) {
    if (error instanceof UnusableBackup || !String((error as { code?: string }).code).startsWith('Z_')) throw error
    throw new UnusableBackup(`${path} is damaged: it cannot be unpacked.`, { cause: error })
  }
  if (rest.length > 0) throw new UnusableBackup(`${path} is damaged: its last part is cut off.`)
}

function readEntry(kind: string, content: Buffer, path: string): BackupEntry {
  if (kind === 'D') return { kind, value: content }
  if (!'HTESFZ'.includes(kind)) throw new UnusableBackup(`${path} is damaged: it has a part of an unknown kind.`)
  return { kind, value: JSON.parse(content.toString()) } as BackupEntry
}

/**
 * Reads the whole file once and checks the digest over every byte, then each table's row count and digest. Changes
 * nothing.
 */
export async function verifyBackup(path: string): Promise<BackupHeader> {
  const { end } = await checkFirstLine(path)
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: end - 1 })) digest.update(chunk as Buffer)
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(digestBytes), 0, digestBytes, end)
    if (buffer.toString('latin1') !== `${digest.digest('hex')}\n`) {
      throw new UnusableBackup(`${path} is damaged: its checksum does not fit its content. Use another copy.`)
    }
  } finally {
    await file.close()
  }
  return checkEntries(path)
}

async function checkEntries(path: string): Promise<BackupHeader> {
  let header: BackupHeader | null = null
  let digest = createHash('sha256')
  let ended = false
  for await (const { kind, value } of readBackup(path)) {
    if (kind === 'H') header = value
    if (kind === 'T') digest = createHash('sha256')
    if (kind === 'D') digest.update(value)
    if (kind === 'E' && digest.digest('hex') !== value.sha256)
      throw new UnusableBackup(`${path} is damaged: a table's checksum does not fit.`)
    if (kind === 'Z') ended = true
  }
  if (!header || !ended) throw new UnusableBackup(`${path} is incomplete.`)
  return header
}

/** The positions in bytes at which the gzip stream starts and ends. */
async function checkFirstLine(path: string): Promise<{ start: number; end: number }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(40), 0, 40, 0)
    const line = buffer.toString('latin1', 0, bytesRead)
    const version = /^banyan backup (\d{1,9})\n/.exec(line)?.[1]
    if (version === undefined) throw new UnusableBackup(`${path} is no backup of this program.`)
    if (Number(version) > formatVersion) {
      throw new UnusableBackup(`${path} was written by a newer release. Restore it with that release or a later one.`)
    }
    if (!line.startsWith(firstLine) || size < firstLine.length + digestBytes)
      throw new UnusableBackup(`${path} is damaged: it is cut off.`)
    return { start: firstLine.length, end: size - digestBytes }
  } finally {
    await file.close()
  }
}
