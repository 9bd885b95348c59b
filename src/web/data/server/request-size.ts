/** Maximum number of ids in the URL of a request. With this number of ids, the URL has 3.7 kB. */
const maxIds = 100

/** Splits ids into lists that fit into the URL of a request. */
export function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = []
  for (let start = 0; start < ids.length; start += maxIds) chunks.push(ids.slice(start, start + maxIds))
  return chunks
}
