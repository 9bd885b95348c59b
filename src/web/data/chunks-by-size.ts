const encoder = new TextEncoder()

/** Rows of one request, and the length of their JSON in bytes of UTF-8. */
export interface Chunk<T> {
  rows: readonly T[]
  bytes: number
}

/**
 * Splits rows, in their order, into chunks whose JSON has at most `maxBytes` bytes. A row that is larger is a chunk by itself. Chunks are computed when
 * they are read.
 */
export function* chunksBySize<T>(rows: readonly T[], maxBytes: number): Generator<Chunk<T>> {
  let chunk: T[] = []
  let bytes = 0
  for (const row of rows) {
    // With the comma or bracket before the row.
    const rowBytes = encoder.encode(JSON.stringify(row)).length + 1
    if (chunk.length > 0 && bytes + rowBytes > maxBytes) {
      yield { rows: chunk, bytes }
      chunk = []
      bytes = 0
    }
    chunk.push(row)
    bytes += rowBytes
  }
  if (chunk.length > 0) yield { rows: chunk, bytes }
}
