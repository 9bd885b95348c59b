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
 *   H  JSON: the header: time, PostgreSQL's major version, applied migrations (always the first frame)
 *   T  JSON: the start of a table: schema, name, columns
 *   D  a part of the table in PostgreSQL's COPY text format; a row may continue in the next frame
 *   E  JSON: the end of the table: number of rows, SHA-256 of the contents of its D frames
 *   S  JSON: a sequence: schema, name, value, and whether the value was used
 *   F  JSON: a file of DATA_DIR: name, content (base64)
 *   Z  JSON: the end: number of tables and rows
 */

export interface BackupHeader {
  /** The time at which the backup was created (ISO 8601). */
  createdAt: string
  /** The major version of the PostgreSQL that wrote the backup. */
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

/** What the check of a whole backup returns. */
export interface VerifiedBackup {
  header: BackupHeader
  /** The contents (base64) of the files of DATA_DIR that the backup contains, by name. */
  files: ReadonlyMap<string, string>
}

/** A backup cannot be restored. The message says why, and what to do. */
export class UnusableBackupError extends Error {
  override name = 'UnusableBackupError'
}

const formatVersion = 1
const firstLine = `banyan backup ${formatVersion}\n`
const digestBytes = 65
const maxFrameBytes = 1 << 26

/**
 * Writes the entries of a backup to the file `path`, which must not exist (file mode 0600). Resolves when the file is
 * flushed to the disk.
 */
export async function writeBackup(path: string, entries: AsyncIterable<BackupEntry>): Promise<void> {
  const digest = createHash('sha256').update(firstLine)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await new Promise<void>((resolve, reject) => {
    file.once('error', reject)
    file.write(firstLine, (error) => (error ? reject(error) : resolve()))
  })
  const digestStream = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      digest.update(chunk)
      done(null, chunk)
    },
    flush(done: TransformCallback) {
      done(null, `${digest.digest('hex')}\n`)
    },
  })
  await pipeline(Readable.from(frames(entries)), createGzip(), digestStream, file)
}

async function* frames(entries: AsyncIterable<BackupEntry>): AsyncGenerator<Buffer> {
  for await (const { kind, value } of entries) {
    const content = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))
    const frameHead = Buffer.allocUnsafe(5)
    frameHead.write(kind, 0, 'latin1')
    frameHead.writeUInt32BE(content.length, 1)
    yield frameHead
    yield content
  }
}

/**
 * Yields a backup's entries in order. Throws UnusableBackupError if the file is no backup, is damaged, or has the format of a
 * newer release. Call `verifyBackup` first, because this function yields entries before it has checked the digest at the end.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupEntry> {
  const { start, end } = await checkFirstLine(path)
  const unzipped = createReadStream(path, { start, end: end - 1 }).pipe(createGunzip())
  let buffered: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      let offset = 0
      while (buffered.length - offset >= 5) {
        const length = buffered.readUInt32BE(offset + 1)
        if (length > maxFrameBytes)
          throw new UnusableBackupError(`${path} is damaged: one of its parts is too long. Use another copy.`)
        if (buffered.length - offset < 5 + length) break
        yield readEntry(
          buffered.toString('latin1', offset, offset + 1),
          buffered.subarray(offset + 5, offset + 5 + length),
          path,
        )
        offset += 5 + length
      }
      buffered = buffered.subarray(offset)
    }
  } catch (error) {
    if (error instanceof UnusableBackupError || !String((error as { code?: string }).code).startsWith('Z_')) throw error
    throw new UnusableBackupError(`${path} is damaged: it cannot be unpacked. Use another copy.`, { cause: error })
  }
  if (buffered.length > 0)
    throw new UnusableBackupError(`${path} is damaged: its last part is cut off. Use another copy.`)
}

function readEntry(kind: string, content: Buffer, path: string): BackupEntry {
  if (kind === 'D') return { kind, value: content }
  if (!'HTESFZ'.includes(kind))
    throw new UnusableBackupError(`${path} is damaged: it has a part of an unknown kind. Use another copy.`)
  return { kind, value: JSON.parse(content.toString()) } as BackupEntry
}

/**
 * Checks a backup without changing anything: the digest of the whole file, then the digest of each table. Throws
 * UnusableBackupError.
 */
export async function verifyBackup(path: string): Promise<VerifiedBackup> {
  const { end } = await checkFirstLine(path)
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: end - 1 })) digest.update(chunk as Buffer)
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(digestBytes), 0, digestBytes, end)
    if (buffer.toString('latin1') !== `${digest.digest('hex')}\n`) {
      throw new UnusableBackupError(`${path} is damaged: its checksum does not match its content. Use another copy.`)
    }
  } finally {
    await file.close()
  }
  return checkEntries(path)
}

async function checkEntries(path: string): Promise<VerifiedBackup> {
  let header: BackupHeader | null = null
  const files = new Map<string, string>()
  let digest = createHash('sha256')
  let hasEnd = false
  for await (const { kind, value } of readBackup(path)) {
    if (kind === 'H') header = value
    if (kind === 'T') digest = createHash('sha256')
    if (kind === 'D') digest.update(value)
    if (kind === 'E' && digest.digest('hex') !== value.sha256)
      throw new UnusableBackupError(
        `${path} is damaged: the checksum of a table does not match its rows. Use another copy.`,
      )
    if (kind === 'F') files.set(value.name, value.content)
    if (kind === 'Z') hasEnd = true
  }
  if (!header || !hasEnd) throw new UnusableBackupError(`${path} is incomplete. Use another copy.`)
  return { header, files }
}

/** Checks the first line of the file. Returns the positions (bytes) at which the gzip stream after it starts and ends. */
async function checkFirstLine(path: string): Promise<{ start: number; end: number }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(40), 0, 40, 0)
    const line = buffer.toString('latin1', 0, bytesRead)
    const version = /^banyan backup (\d{1,9})\n/.exec(line)?.[1]
    if (version === undefined) throw new UnusableBackupError(`${path} is not a backup of Banyan CRM.`)
    if (Number(version) > formatVersion) {
      throw new UnusableBackupError(
        `${path} was written by a newer release. Restore it with that release or a later one.`,
      )
    }
    if (!line.startsWith(firstLine) || size < firstLine.length + digestBytes)
      throw new UnusableBackupError(`${path} is damaged: it is cut off. Use another copy.`)
    return { start: firstLine.length, end: size - digestBytes }
  } finally {
    await file.close()
  }
}
