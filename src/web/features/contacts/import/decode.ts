export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The type of a file by its first bytes: text with its encoding (`certain` if there is a byte order mark), or another type. */
export type DetectedFileType = { kind: 'text'; encoding: Encoding; certain: boolean } | { kind: 'other'; what: string }

const signatures: readonly { bytes: readonly number[]; what: string }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: 'an Excel workbook or another zipped file' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: 'an old Excel workbook' },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: 'a PDF document' },
  { bytes: [0x1f, 0x8b], what: 'a compressed file' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], what: 'a picture' },
  { bytes: [0xff, 0xd8, 0xff], what: 'a picture' },
]

/** Detects the type from the beginning of a file; a few kilobytes are enough. */
export function detectFileType(beginning: Uint8Array): DetectedFileType {
  const signature = signatures.find(({ bytes }) => startsWith(beginning, bytes))
  if (signature) return { kind: 'other', what: signature.what }
  if (startsWith(beginning, [0xef, 0xbb, 0xbf])) return { kind: 'text', encoding: 'utf-8', certain: true }
  if (startsWith(beginning, [0xff, 0xfe])) return { kind: 'text', encoding: 'utf-16le', certain: true }
  if (startsWith(beginning, [0xfe, 0xff])) return { kind: 'text', encoding: 'utf-16be', certain: true }
  return { kind: 'text', encoding: guessFromZeros(beginning), certain: false }
}

/** A source of bytes that can be sliced: a File, or the bytes of a test. */
export interface Bytes {
  size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

const chunkBytes = 256 * 1024

/**
 * Yields the text of a file in chunks, decoded while it is read. Throws a TypeError if `fatal` is set and the bytes are not valid in this
 * encoding.
 */
export async function* readText(file: Bytes, encoding: Encoding, fatal: boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal })
  for (let at = 0; at < file.size; at += chunkBytes) {
    const bytes = await file.slice(at, Math.min(at + chunkBytes, file.size)).arrayBuffer()
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder.decode()
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte)
}

/**
 * Returns the encoding of a text without a byte order mark: UTF-16 if about every second byte is zero, as for Latin letters, otherwise UTF-8.
 */
function guessFromZeros(beginning: Uint8Array): Encoding {
  let evenZeros = 0
  let oddZeros = 0
  for (let at = 0; at < beginning.length; at += 1) {
    if (beginning[at] !== 0) continue
    if (at % 2 === 0) evenZeros += 1
    else oddZeros += 1
  }
  const half = beginning.length / 2
  if (oddZeros > half * 0.4 && evenZeros < half * 0.05) return 'utf-16le'
  if (evenZeros > half * 0.4 && oddZeros < half * 0.05) return 'utf-16be'
  return 'utf-8'
}
