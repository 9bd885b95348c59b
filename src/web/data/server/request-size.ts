/** Ids that an address names at most: 3.7 kB of it. */
const idsOfRequest = 100

/** Ids in lists that fit into the address of a request. */
export function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = []
  for (let start = 0; start < ids.length; start += idsOfRequest) chunks.push(ids.slice(start, start + idsOfRequest))
  return chunks
}
