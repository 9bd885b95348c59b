const encoder = new TextEncoder()

/** Rows of one request, and the length of their JSON in bytes of UTF-8. */
export interface Part<T> {
  rows: readonly T[]
  bytes: number
}

/**
 * Splits rows, in their order, into parts whose JSON has at most `maxBytes` bytes. A row that is larger is a part by itself. Parts are computed when
 * they are read.
 */
export function* partsBySize<T>(rows: readonly T[], maxBytes: number): Generator<Part<T>> {
  let part: T[] = []
  let bytes = 0
  for (const row of rows) {
    // With the comma or bracket before the row.
    const rowBytes = encoder.encode(JSON.stringify(row)).length + 1
    if (part.length > 0 && bytes + rowBytes > maxBytes) {
      yield { rows: part, bytes }
      part = []
      bytes = 0
    }
    part.push(row)
    bytes += rowBytes
  }
  if (part.length > 0) yield { rows: part, bytes }
}
